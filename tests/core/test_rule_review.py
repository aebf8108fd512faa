"""Static checks find mistakes in rules before anything is rolled.

Each text goes into a toy game that declares just what the text names, so that a text in order has
no mistakes at all and a broken one has exactly the mistake of its test.
A `»` in a text marks where the caret belongs.
"""

import re
import time

import pytest
from toy_rulesets import HEAD

from handful.errors import RuleError
from handful.rules.load import BadRuleset, Source, load

DECLARED = {
    "mode": "[options.mode]\nvalues = ['soft', 'hard']\ndefault = 'soft'\nlabel = { en = 'M' }\n",
    "limit": "[options.limit]\nmin = 1\nmax = 9\ndefault = 3\nlabel = { en = 'Limit' }\n",
    "steps": "[options.steps]\nlength = 2\nmax = 9\ndefault = [1, 2]\nlabel = { en = 'Steps' }\n",
    "luck": "[tables.luck]\nbad = [0, 0, 1, 1]\ngood = [1, 1, 2, 2]\nsize = 4\n",
    "again": "[decisions.again]\nby = 'player'\nquestion = { en = '?' }\nusual = { en = '-' }\n",
    "ruling": "[decisions.ruling]\nby = 'gm'\nquestion = { en = '?' }\nusual = { en = '-' }\n"
    "answers.cancel = { en = 'Cancel' }\nanswers.go_on = { en = 'Go on' }\n",
    "boom": "[events.boom]\nen = 'Boom'\n",
    "bonus": "[words.bonus]\nen = 'Bonus'\n",
    "points": "[words.points]\nen = 'points'\n",
    "too_much": "[words.too_much]\nen = 'Too much.'\n",
}
PARAMS = {
    "skill": "type = 'number'\ndefault = 0\n",
    "goal": "type = 'number'\noptional = true\n",
    "kind": "type = 'choice'\nvalues = ['fire', 'frost']\ndefault = 'fire'\n",
    "note": "type = 'text'\ndefault = 'x'\n",
    "brave": "type = 'truth'\ndefault = false\n",
    "code": "type = 'die_code'\ndefault = '2D'\n",
    "many": "type = 'number'\nlist = ','\ndefault = 1\n",
    "rung": "type = 'ladder'\nnumber = 'value'\noptional = true\n",
}
LADDER = "[ladder.easy]\nvalue = 5\ntitle = { en = 'Easy' }\n"
RULES = {
    "double": (["x"], "result(twice = x * 2)"),
    "pair": (["left", "right"], "result(both = left + right)"),
    "sorts": (["what"], 'result(cold = what == "frost")'),
    "counted": (["dice"], "result(hits = size(dice >= 5))"),
    "perhaps": (["aim"], "result(aim = aim if given(aim) else 0)"),
}


def names(part: str, text: str) -> bool:
    return re.search(rf"(?<![\w]){part}(?![\w])", text) is not None


def rule(name: str, params: list[str], text: str) -> str:
    return f'[rules.{name}]\nparams = {params}\ndoes = """\n{text}\n"""\n'


def toy(text: str, *, extra: str = "", sides: str = "", main: str = "total") -> str:
    """A game whose one check does what the text says."""
    everything = text + extra
    parts = [HEAD, *(part for name, part in DECLARED.items() if names(name, everything))]
    parts += [rule(name, *RULES[name]) for name in RULES if names(name, text)]
    parts += [extra, LADDER if names("rung", everything) else ""]
    parts.append('[checks.test]\ntitle = { en = "T" }\nhelp = { en = "T" }\n')
    parts.append(f'main = "{main}"\n{sides}\ndoes = """\n{text}\n"""\n')
    for name, param in PARAMS.items():
        if names(name, everything) and f"params.{name}]" not in extra:
            parts.append(f"[checks.test.params.{name}]\n{param}label = {{ en = 'L' }}\n")
    return "\n".join(parts)


def mistakes(game: str) -> list[RuleError]:
    try:
        load([Source("toy.toml", game)])
    except BadRuleset as bad:
        return bad.errors
    return []


def the_mistake(game: str) -> RuleError:
    """The only mistake of a game in which a `»` marks its place; checks that it is there."""
    marked = next((n, line) for n, line in enumerate(game.split("\n"), 1) if "»" in line)
    found = mistakes(game.replace("»", ""))
    assert len(found) == 1, [str(error) for error in found]
    line, column = marked[0], marked[1].index("»") + 1
    assert (found[0].line, found[0].column) == (line, column)
    assert found[0].source == marked[1].replace("»", "")
    assert found[0].file == "toy.toml"
    assert found[0].hint
    return found[0]


# -- texts in order

GOOD = [
    "result(total = sum(roll(skill, d6)))",
    "hit = d6 >= 5\npool = roll(skill, hit)\nresult(total = sum(pool))",
    'pool = roll(3, d6)\nredo = choose("again", pool, skill, usual = lowest(pool, 1))\n'
    "result(total = sum(pool - redo + reroll(redo, d6)))",
    "goal_or_none = goal\nresult(total = skill, success = skill >= goal if given(goal) else None)",
    "if given(goal):\n    x = goal\nelse:\n    x = 0\nresult(total = x)",
    "aimed = given(goal)\nneed = 0\nif aimed:\n    need = goal\nresult(total = skill - need)",
    # Set and read under the same test.
    "if brave:\n    x = 1\ny = skill\nif brave and y > 1:\n    y = x\nresult(total = y)",
    "need = None\nif brave:\n    need = 3\nresult(total = 1, margin = 3 - need if brave else None)",
    'total = 2 if kind == "frost" else 1\nresult(total = total)',
    'total = 2 if options.mode == "hard" else options.limit\nresult(total = total)',
    'result(total = 1 if note == "anything" else 0)',
    'ruled = ask("ruling", ["cancel", "go_on"], usual = "go_on")\n'
    'result(total = 1 if ruled == "cancel" else 0)',
    'row = tables.luck["good"] if brave else tables.luck["bad"]\n'
    "result(total = sum(roll(1, read(d4, row), more = 2)), size = tables.luck.size)",
    'modify("bonus", skill, "points")\nevent("boom")\nturn(1)\nresult(total = skill)',
    'if skill > 9:\n    refuse("too_much")\nresult(total = skill)',
    "left = skill\ntotal = 0\nwhile left > 0:\n    left -= 1\n    total += sum(roll(1, d6))\n"
    "result(total = total)",
    # The loop surely runs, so what it sets is set.
    "for x in many:\n    last = x\nresult(total = last)",
    "for i in range(3):\n    last = i\nfor j in range(len(many)):\n    best = j\nresult(total = last + best)",
    "found = []\nfor x in many:\n    found = found + [x]\nresult(total = max(found), all = found)",
    "nested = []\nfor x in many:\n    nested = [nested]\nresult(total = len(nested))",
    "result(total = code.dice + code.pips)",
    "result(total = rung.value if given(rung) else 0)",
    "a = double(x = skill)\nb = pair(left = a.twice, right = 1)\nresult(total = b.both)",
    # A rule is judged by all of its callers together.
    'a = sorts(what = "fire")\nb = sorts(what = "frost")\nresult(total = 1 if a.cold and b.cold else 0)',
    "a = pair(left = 1, right = 2)\nb = pair(left = [1], right = [2])\nresult(total = a.both + len(b.both))",
    "a = perhaps(aim = goal)\nb = perhaps(aim = None)\nresult(total = a.aim + b.aim)",
    "a = counted(dice = roll(2, d6))\nresult(total = a.hits)",
    "result(total = sum(options.steps) + options.steps[0])",
    "if brave:\n    result(total = 1)\nelif skill > 2:\n    result(total = 2)\nelse:\n    result(total = 3)",
    "if brave:\n    pass\nresult(total = 0.5 + 1/2)",
]


@pytest.mark.parametrize("text", GOOD)
def test_a_text_in_order_has_no_mistakes(text: str) -> None:
    assert [str(error) for error in mistakes(toy(text))] == []


# -- broken texts: the message, the place and the hint

BROKEN = [
    # values that do not fit
    ("pool = roll(2, d6)\nresult(total = 1 + »pool)", "'+' needs a number, not a pool", "sum("),
    ("result(total = »d6 + 1)", "'+' needs a number, a pool or a list, not a die", "thrown"),
    ("result(total = len([1] + »2))", "a list + … needs a list, not a number", "[x]"),
    ('result(total = skill * »"2")', "'*' needs a number, not a text", "quotation marks"),
    ("result(total = skill - »brave)", "'-' needs a number, not a truth", "1 if"),
    ("result(total = -»kind)", "a sign needs a number, not a text", "quotation marks"),
    ("result(total = skill / »0)", "division by zero", "something else"),
    ("result(total = sum(roll(»d6, d6)))", "roll needs a number or a pool, not a die", "thrown"),
    ("result(total = sum(roll(2, »6)))", "roll needs a die, not a number", "d6"),
    ("result(total = sum(roll(1, d6, more = »d6)))", "'more' needs a number, not a die", "thrown"),
    ("result(total = sum(reroll(»2, d6)))", "reroll needs a pool, not a number", "roll("),
    ('result(total = size(choose("again", »2, 1)))', "choose needs a pool, not a number", "roll("),
    (
        'p = roll(2, d6)\nresult(total = size(choose("again", p, »p)))',
        "choose needs a number, not a pool",
        "size(",
    ),
    (
        'p = roll(2, d6)\nresult(total = size(choose("again", p, 1, usual = »1)))',
        "'usual' needs a pool, not a number",
        "roll(",
    ),
    ("result(total = size(»skill))", "size needs a pool, not a number", "roll("),
    ("p = roll(1, d6)\nresult(total = len(»p))", "len needs a list, not a pool", "size("),
    ("result(total = sum(»[brave]))", "each entry for sum needs a number, not a truth", "1 if"),
    ("p = roll(1, d6)\nresult(total = max(1, »p))", "max needs a number, not a pool", "sum("),
    ("p = roll(1, d6)\nresult(total = sum(highest(p, »p)))", "highest needs a number", "size("),
    ("result(total = sum(roll(1, read(d4, »4))))", "read needs a list, not a number", "range("),
    ("result(total = many[»kind])", "the place in a list needs a number, not a text", "quotation"),
    ("result(total = many[»-1])", "a list has no entry at a negative place", "count from 0"),
    ("result(total = »skill[0])", "'[…]' needs a list or a record, not a number", "range("),
    ("result(total = »skill.dice)", "'.dice' needs a record, not a number", "a record"),
    ("result(total = 1 + »code)", "'+' needs a number, not a record", "dice or pips"),
    (
        "p = roll(1, d6)\nfor x in »p:\n    pass\nresult(total = 1)",
        "for … in … needs a list, not a pool",
        "size(",
    ),
    ("if »skill:\n    pass\nresult(total = 1)", "a test needs a truth, not a number", "> 0"),
    ("result(total = 1 if brave and »many else 2)", "a test needs a truth, not a list", "len("),
    ("result(total = 1 if not »kind else 2)", "a test needs a truth, not a text", "=="),
    (
        "p = roll(1, d6)\nresult(total = 1 if »5 <= p else 2)",
        "a pool must be on the left of a comparison",
        "turn it around",
    ),
    ("result(total = 1 if »kind > 2 else 2)", "'>' needs a number, not a text", "quotation"),
    ("p = roll(1, d6)\nresult(total = size(p == »kind))", "a pool == … needs a number", "quotation"),
    ('modify("bonus", »kind, "points")\nresult(total = 1)', "modify needs a number", "quotation"),
    ("turn(»brave)\nresult(total = 1)", "turn needs a number, not a truth", "1 if"),
    (
        "if brave:\n    x = 1\nelse:\n    x = roll(1, d6)\nresult(total = 2 * »x)",
        "'*' needs a number, not a number or a pool",
        "sum(",
    ),
    ("x = None\nresult(total = »x + 1)", "'+' needs a number, a pool or a list, not None", "put"),
    # texts that never are
    ('result(total = 1 if kind == »"forst" else 2)', "kind is never 'forst'", "mean 'frost'"),
    ('result(total = 1 if »"water" != kind else 2)', "kind is never 'water'", "'fire' or 'frost'"),
    ('result(total = 1 if options.mode == »"herd" else 2)', "options.mode is never 'herd'", "'hard'"),
    (
        'x = ask("ruling", ["cancel", "go_on"])\nresult(total = 1 if x == »"go_off" else 2)',
        "x is never 'go_off'",
        "did you mean 'go_on'?",
    ),
    (
        'result(total = rung.value if given(rung) and rung.name == »"eazy" else 0)',
        "rung.name is never 'eazy'",
        "did you mean 'easy'?",
    ),
    ('result(total = 1 if »skill == "3" else 2)', "a number never equals a text", "same kind"),
    ('result(total = 1 if »options.limit == "3" else 2)', "a number never equals", "same kind"),
    # questions, tables, records, rules
    (
        'x = ask("ruling", ["cancel", »"go_no"])\nresult(total = 1 if x == "cancel" else 2)',
        "the decision 'ruling' has no answer 'go_no'",
        "did you mean 'go_on'?",
    ),
    (
        'x = ask("ruling", ["cancel", "go_on"], usual = »"never")\nresult(total = 1 if x == "cancel" else 2)',
        "'never' is not one of the options",
        "'cancel'",
    ),
    ('x = ask("ruling", »3)\nresult(total = 1 if x == "cancel" else 2)', "ask needs a list", "range"),
    ('result(total = sum(tables.luck[»"god"]))', "tables.luck has no row 'god'", "mean 'good'?"),
    ("result(total = sum(tables.luck[»3]))", "the row of a table needs a text", "a text"),
    ("result(total = code.»pip)", "code has no field 'pip'", "did you mean 'pips'?"),
    ("a = double(x = skill)\nresult(total = a.»twise)", "a has no field 'twise'", "'twice'"),
    (
        "a = double(x = skill)\nb = pair(**»a)\nresult(total = b.both)",
        "the rule 'pair' also needs left, right",
        "surely has twice",
    ),
    ("a = pair(left = 1, **»skill)\nresult(total = a.both)", "'**' needs a record", "a record"),
    # optional parameters
    ("result(total = »goal + 1)", "goal may not be given, and '+' needs", "if given(goal)"),
    ("result(total = 1 if skill >= »goal else 2)", "goal may not be given", "if given(goal)"),
    # variables without a value
    ("y = 2 * »x\nx = 1\nresult(total = x + y)", "'x' may have no value yet here", "x = …"),
    ("»x += 1\nresult(total = x)", "'x' may have no value yet here", "x = …"),
    ("if brave:\n    x = 1\nresult(total = »x)", "'x' may have no value yet here", "every path"),
    ("for i in range(skill):\n    x = i\nresult(total = »x)", "'x' may have no value yet", "x = …"),
    ("n = skill\nwhile n > 0:\n    n -= 1\n    x = n\nresult(total = »x)", "'x' may have", "x = …"),
    # what is never reached, never ends, never changes
    ("result(total = 1)\n»x = 2", "this can never be reached", "has ended"),
    (
        "if brave:\n    result(total = 1)\nelse:\n    result(total = 2)\n»result(total = 3)",
        "this can never be reached",
        "has ended",
    ),
    (
        'if brave:\n    refuse("too_much")\n    »event("boom")\nresult(total = 1)',
        "this can never be reached",
        "has ended",
    ),
    ("if »True:\n    pass\nresult(total = 1)", "the test 'True' always gives the same result", "change"),
    ("result(total = 1 if »1 < 2 else 2)", "the test '1 < 2' always gives", "leave it out"),
    ("while »False:\n    x = 1\nresult(total = 1)", "the test 'False' always", "leave it out"),
    ("»while True:\n    x = sum(roll(1, d6))\nresult(total = 1)", "this loop never ends", "changes"),
    ("n = skill\n»while n > 0:\n    m = n - 1\nresult(total = 1)", "this loop never ends", "changes"),
    ("»while options.mode == 'hard':\n    m = 1\nresult(total = 1)", "this loop never ends", "change"),
    ("»if brave:\n    result(total = 1)", "'test' can end here without a result", "refuse(…)"),
    ("»x = skill", "'test' can end here without a result", "every path"),
    ("»pass", "'test' can end here without a result", "every path"),
    # results of a check
    ("»result(sum = skill)", "the result lacks 'total', the main result of 'test'", "total = …"),
    ("result(total = 1, success = »skill)", "success needs a truth or a list, not a number", "> 0"),
    ("result(total = 1, success = »many)", "each entry of success needs a truth", "> 0"),
    ("result(total = 1, margin = »brave)", "margin needs a number, not a truth", "1 if"),
    ("result(total = 1, wins = »[brave])", "only a check with sides has 'wins'", "'success'"),
    ("result(total = »roll(2, d6))", "the main result 'total' needs a number", "sum("),
    ("result(total = 1, dice = »roll(2, d6))", "the result 'dice' needs a number", "sum("),
    # the caret counts characters, not bytes
    ('x = 1 if note == "größer als äöü" else »kind + 1\nresult(total = x)', "'+' needs", "quotation"),
]


@pytest.mark.parametrize(("text", "message", "hint"), BROKEN, ids=[text for text, _, _ in BROKEN])
def test_a_mistake_is_found_at_its_place(text: str, message: str, hint: str) -> None:
    error = the_mistake(toy(text))
    assert message in error.message
    assert hint in error.hint
    assert error.rule == "test"


def test_a_mistake_shows_its_line_with_a_caret_and_a_hint() -> None:
    game = toy('result(total = 1 if kind == "forst" else 2)')
    line = game.split("\n").index('result(total = 1 if kind == "forst" else 2)') + 1
    assert str(mistakes(game)[0]) == (
        f"toy.toml:{line}:29 [test]: kind is never 'forst'\n"
        '    result(total = 1 if kind == "forst" else 2)\n'
        "                                ^\n"
        "    did you mean 'frost'? it can be 'fire' or 'frost'"
    )


def test_all_mistakes_of_a_game_are_found_in_the_order_of_the_file() -> None:
    found = mistakes(toy("x = skill + kind\ny = brave * 2\nresult(total = z)\nz = 1"))
    assert [error.message.split(" ")[0] for error in found] == ["'+'", "'*'", "'z'", "this"]


def test_one_mistake_does_not_cause_others() -> None:
    the_mistake(toy("x = »kind + 1\ny = [x]\nz = y[0]\nresult(total = sum(y) + z)"))


# -- several rules


def test_a_mistake_in_a_called_rule_is_shown_there() -> None:
    extra = rule("shout", ["x"], "y = 2\nresult(loud = »x * y)")
    error = the_mistake(toy("a = shout(x = kind)\nresult(total = a.loud)", extra=extra))
    assert (error.rule, error.message) == ("shout", "'*' needs a number, not a text")


def test_a_comparison_is_a_mistake_when_it_fails_for_every_caller() -> None:
    extra = rule("is_ice", ["what"], 'result(yes = what == »"ice")')
    text = 'a = is_ice(what = "fire")\nb = is_ice(what = kind)\n'
    text += "result(total = 1 if a.yes or b.yes else 0)"
    assert the_mistake(toy(text, extra=extra)).message == "what is never 'ice'"


def test_a_field_that_some_results_lack_is_a_mistake() -> None:
    extra = rule("either", ["x"], "if x > 1:\n    result(a = 1, b = 2)\nresult(a = 1)")
    error = the_mistake(toy("e = either(x = skill)\nresult(total = e.a + e.»b)", extra=extra))
    assert error.message == "e has no field 'b'"


def test_an_optional_parameter_may_be_passed_on_but_not_used_untested() -> None:
    extra = rule("use", ["aim"], "result(value = »aim + 1)")
    error = the_mistake(toy("u = use(aim = goal)\nresult(total = u.value)", extra=extra))
    assert error.message.startswith("aim may not be given")
    assert error.rule == "use"


def test_rules_may_not_call_each_other_in_a_circle() -> None:
    extra = rule("one", ["x"], "a = »two(x = x)\nresult(y = a.y)")
    extra += rule("two", ["x"], "a = one(x = x)\nresult(y = a.y)")
    error = the_mistake(toy("a = one(x = skill)\nresult(total = a.y)", extra=extra))
    assert error.message == "these rules call each other in a circle: one → two → one"


def test_a_rule_may_not_call_itself() -> None:
    extra = rule("one", ["x"], "a = »one(x = x)\nresult(y = a.y)")
    error = the_mistake(toy("a = one(x = skill)\nresult(total = a.y)", extra=extra))
    assert error.message == "these rules call each other in a circle: one → one"


def chain(length: int) -> str:
    """Rules that call each other, the last one none."""
    links = [
        rule(f"r{n}", ["x"], f"a = {'»' * (n == 8)}r{n + 1}(x = x)\nresult(y = a.y)")
        for n in range(1, length)
    ]
    return "".join(links) + rule(f"r{length}", ["x"], "result(y = x)")


def test_rules_call_each_other_at_most_eight_deep() -> None:
    text = "a = r1(x = skill)\nresult(total = a.y)"
    assert not mistakes(toy(text, extra=chain(8)))
    error = the_mistake(toy(text, extra=chain(9)))
    assert error.message == "'r9' is called more than 8 rules deep"


def test_a_rule_that_no_check_reaches_is_a_mistake() -> None:
    extra = rule("lost", [], "result(x = 1)").replace("[rules", "»[rules", 1)
    error = the_mistake(toy("result(total = skill)", extra=extra))
    assert error.message == "nothing calls the rule 'lost'"


# -- sides

SIDES = 'sides = { word = "vs", min = 1, max = 3 }'
SIDED = "[checks.test.params.skill]\ntype = 'number'\ndefault = 0\nlabel = { en = 'L' }\n"
SIDED += "[checks.test.params.goal]\ntype = 'number'\noptional = true\nlabel = { en = 'L' }\n"
FIGHT = (
    "total = 0\nwins = []\nfor side in sides:\n    turn(side.number)\n"
    "    total += side.skill + (side.goal if given(side.goal) else 0)\n"
    "    wins = wins + [side.skill > 2]\nresult(total = total, wins = wins)"
)


def test_sides_have_their_parameters_and_a_number() -> None:
    assert [str(error) for error in mistakes(_only_sided(FIGHT))] == []
    error = the_mistake(_only_sided(FIGHT.replace("side.skill >", "side.»skil >")))
    assert error.message == "side has no field 'skil'"


def _only_sided(text: str, extra: str = "") -> str:
    """A game with the sided parameters in place of the plain ones."""
    game = toy(text.replace("skill", "SKILL").replace("goal", "GOAL"), sides=SIDES, extra=extra)
    return game.replace("SKILL", "skill").replace("GOAL", "goal") + "\n" + SIDED


def test_an_optional_parameter_of_a_side_is_tested_too() -> None:
    text = FIGHT.replace("side.goal if given(side.goal) else 0", "»side.goal")
    assert the_mistake(_only_sided(text)).message.startswith("side.goal may not be given")


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        ("»total", "wins needs a list, not a number"),
        ("»[total]", "each entry of wins needs a truth, not a number"),
        ("»None", "wins needs a list, not None"),
    ],
)
def test_wins_is_a_list_of_truths(wins: str, message: str) -> None:
    assert the_mistake(_only_sided(FIGHT.replace("wins = wins)", f"wins = {wins})"))).message == (message)


def test_a_parameter_of_a_side_that_nothing_reads_is_a_mistake() -> None:
    text = FIGHT.replace(" + (side.goal if given(side.goal) else 0)", "")
    game = _only_sided(text).replace("[checks.test.params.goal]", "»[checks.test.params.goal]")
    assert the_mistake(game).message == "the parameter 'goal' of 'test' changes nothing"


def test_side_parameters_read_by_a_rule_count_as_read() -> None:
    text = "total = 0\nfor side in sides:\n    e = effort(**side)\n    total += e.x\n"
    text += "result(total = total)"
    both = rule("effort", ["skill", "goal"], "result(x = skill + (goal if given(goal) else 0))")
    assert [str(error) for error in mistakes(_sided_rule(text, both))] == []
    one = rule("effort", ["skill", "goal"], "result(x = skill)")
    game = _sided_rule(text, one).replace("[checks.test.params.goal]", "»[checks.test.params.goal]")
    assert the_mistake(game).message == "the parameter 'goal' of 'test' changes nothing"


def test_a_spread_side_must_have_every_argument() -> None:
    text = "e = effort(**»sides[0])\nresult(total = e.x)"
    extra = rule(
        "effort",
        ["skill", "goal", "might"],
        "result(x = skill + might + (goal if given(goal) else 0))",
    )
    assert the_mistake(_sided_rule(text, extra)).message == "the rule 'effort' also needs might"


def _sided_rule(text: str, extra: str) -> str:
    return toy(text, sides=SIDES).replace("[checks.test]", extra + "\n[checks.test]") + "\n" + SIDED


# -- declared in vain


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("mode", "the option 'mode' changes nothing: no rule reads it"),
        ("luck", "no rule looks anything up in the table 'luck'"),
        ("again", "no rule asks for the decision 'again'"),
        ("boom", "the event 'boom' never happens"),
        ("bonus", "nothing uses the word 'bonus'"),
    ],
)
def test_unused_declarations_are_mistakes(part: str, message: str) -> None:
    error = the_mistake(
        toy("result(total = skill)", extra="").replace(
            "[checks.test]", "»" + DECLARED[part] + "[checks.test]"
        )
    )
    assert error.message == message


def test_words_for_roles_units_and_results_are_used() -> None:
    words = "".join(f"[words.{name}]\nen = 'W'\n" for name in ("wild", "cubes", "total", "skill"))
    game = toy("result(total = skill)").replace("[checks.test]", words + "[checks.test]")
    assert not mistakes(game + "unit = 'cubes'\n")


def test_a_parameter_that_the_rule_never_reads_is_a_mistake() -> None:
    game = toy("result(total = 1)") + "\n»[checks.test.params.skill]\n" + PARAMS["skill"]
    error = the_mistake(game + "label = { en = 'L' }\n")
    assert error.message == "the parameter 'skill' of 'test' changes nothing"


def test_inherited_parts_are_not_mistakes_of_an_edition() -> None:
    base = toy('result(total = 1 if options.mode == "hard" else 0)')
    edition = 'language = 1\nid = "edition"\n[checks.test]\ndoes = "result(total = 2)"\n'
    assert load([Source("base.toml", base), Source("edition.toml", edition)]).id == "edition"


def test_a_mistake_in_an_edition_names_the_file_and_line_of_the_edition() -> None:
    base = toy("result(total = 1)")
    edition = 'language = 1\nid = "edition"\n[checks.test]\ndoes = "result(total = d6)"\n'
    with pytest.raises(BadRuleset) as bad:
        load([Source("base.toml", base), Source("edition.toml", edition)])
    error = bad.value.errors[0]
    assert (error.file, error.line, error.column) == ("edition.toml", 4, 24)


# -- hostile texts

HOSTILE = {
    "deep brackets": "result(total = " + "(" * 90 + "1" + ")" * 90 + " + kind)",
    "too many brackets": "x = " + "(" * 5000 + "1" + ")" * 5000,
    "deep lists": "x = " + "[" * 150 + "]" * 150,
    "deep lists that pass": "x = " + "[" * 60 + "]" * 60 + "\nresult(total = x)",
    "deep minus": "x = " + "-" * 3000 + "1",
    "deep not": "x = " + "not " * 900 + "True",
    "long sum": "x = " + "+".join(["1"] * 3000),
    "deep ifs": "".join(" " * n + "if brave:\n" for n in range(95)) + " " * 95 + "x = 1",
    "deep loops": "".join(" " * n + f"while skill > {n}:\n" for n in range(45)) + " " * 45 + "x = 1",
    "deep whiles": "n = skill\n"
    + "".join(" " * n + "while n > 0:\n" for n in range(45))
    + " " * 45
    + "n -= 1\nresult(total = n + kind)",
    "long and": "result(total = 1 if " + " and ".join(["brave"] * 1_500) + " and kind else 2)",
    "huge number": "result(total = 10000000000)",
    "huge digits": "result(total = " + "9" * 10_000 + ")",
    "huge hexadecimal": "0x" + "f" * 15_000,
    "huge exponent": "result(total = 1e999999999)",
    "tiny exponent": "result(total = 1e-999999999)",
    "power": "result(total = 9 ** 9 ** 9)",
    "shift": "result(total = 1 << 1000000000)",
    "100 kB": "x = 1\n" * 17_000 + "result(total = x)",
    "thousands of statements": "x = 1\n" * 3_200,
    "thousands of names": "\n".join(f"x{n}=y{n}" for n in range(1_000)),
    "thousands of variables": "\n".join(f"x{n}=1" for n in range(1_000)) + "\nresult(total = kind + 1)",
    "thousands of branches": "".join(f"if brave:\n a{n}=1\n" for n in range(900)) + "x = a1",
    "long names": "\n".join("x" * 4000 + f"{n} = {'x' * 4000}{n + 1}" for n in range(2)),
    "long text": f'result(total = 1 if kind == "{"fire" * 4000}" else 2)',
    "unicode names": "größe = 1\nресурс = größe\nresult(total = 变量)",
    "unicode that looks like ascii": "ｒesult(ｔotal = ｘ)",
    "null character": "x = 1\\u0000",
    "line separators": "x = 1\\u2028\\u000c\nresult(total = kind + 1)",
    "surrogate-like": 'x = "\\\\ud800"\nresult(total = kind + 1)',
    "import": "__import__('os').system('true')",
    "import statement": "import os\nresult(total = 1)",
    "class of a tuple": "x = ().__class__.__bases__[0].__subclasses__()",
    "class of a parameter": "result(total = kind.__class__)",
    "class of options": "result(total = options.__class__)",
    "class of tables": "result(total = tables.__init__.__globals__)",
    "globals of a rule": "result(total = double.__globals__)",
    "open": "open('/etc/passwd')",
    "eval": "x = eval('1')\nresult(total = x)",
    "lambda": "f = lambda x: x\nresult(total = f(1))",
    "comprehension": "result(total = sum([x for x in many]))",
    "generator": "result(total = sum(x for x in many))",
    "dictionary": "x = {'a': 1}\nresult(total = x['a'])",
    "set": "x = {1}\nresult(total = 1)",
    "tuple": "x = (1, 2)\nresult(total = 1)",
    "slice": "result(total = many[0:1])",
    "f-string": "x = f'{kind}'\nresult(total = 1)",
    "bytes": "x = b'1'\nresult(total = 1)",
    "imaginary": "x = 1j\nresult(total = x)",
    "ellipsis": "x = ...\nresult(total = x)",
    "walrus": "result(total = (x := 3))",
    "star": "result(total = max(*many))",
    "star assignment": "a, *b = many\nresult(total = a)",
    "chained assignment": "a = b = 1\nresult(total = a)",
    "annotated": "a: int = 1\nresult(total = a)",
    "double star": "result(**code)",
    "twice": "result(total = 1, total = 2)",
    "def": "def f():\n    return 1\nresult(total = 1)",
    "class": "class A:\n    pass\nresult(total = 1)",
    "try": "try:\n    x = 1\nexcept:\n    x = 2\nresult(total = x)",
    "with": "with kind as x:\n    pass",
    "match": "match kind:\n    case _:\n        x = 1",
    "delete": "x = 1\ndel x\nresult(total = 1)",
    "global": "global x\nresult(total = 1)",
    "assert": "assert brave\nresult(total = 1)",
    "raise": "raise kind",
    "return": "return 1",
    "yield": "yield 1",
    "await": "await kind",
    "async": "async def f():\n    pass",
    "loop else": "for x in many:\n    pass\nelse:\n    pass\nresult(total = 1)",
    "break": "while brave:\n    break\nresult(total = 1)",
    "identity": "result(total = 1 if kind is 'fire' else 2)",
    "membership": "result(total = 1 if kind in ['fire'] else 2)",
    "attribute assignment": "code.dice = 3\nresult(total = 1)",
    "item assignment": "many[0] = 3\nresult(total = 1)",
    "overwritten function": "max = 3\nresult(total = max)",
    "overwritten die": "for d6 in many:\n    pass\nresult(total = 1)",
    "overwritten rule": "for double in many:\n    pass\nresult(total = 1)",
    "growing list": "x = []\nfor y in many:\n    x = [x, x]\nresult(total = x)",
    "not indented": "if brave:\nx = 1",
    "indented": "  x = 1\nresult(total = 1)",
    "open bracket": "result(total = (1",
    "backslash": "x = '\\\\d'\nresult(total = kind + 1)",
    "empty": "",
    "comment only": "# nothing",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_ends_in_mistakes_and_quickly(text: str) -> None:
    began = time.perf_counter()
    found = mistakes(toy(text))
    assert found
    assert all(isinstance(error, RuleError) and error.message for error in found)
    assert len(found) <= 200
    assert time.perf_counter() - began < 5  # seconds; a hang would take hours


def test_rules_that_are_deep_together_end_in_one_mistake() -> None:
    deep = "max(1, " * 90 + "x" + ")" * 90
    extra = rule("r8", ["x"], f"result(y = {deep})")
    for n in range(1, 8):
        extra += rule(f"r{n}", ["x"], f"a = {deep.replace('x)', f'r{n + 1}(x = x))', 1)}\nresult(y = a)")
    (error,) = mistakes(toy("a = r1(x = skill)\nresult(total = a.y)", extra=extra))
    assert error.message == "the rules are nested too deeply to be analysed"


def test_a_hundred_mistakes_are_enough() -> None:
    found = mistakes(toy("x = kind + 1\n" * 150 + "result(total = x)"))
    assert len(found) == 100


def test_loops_within_loops_settle_quickly() -> None:
    """A kind that moves one variable further in each round, through eighteen loops."""
    text = "".join(f"y{n} = 1\n" for n in range(40)) + "y40 = []\n"
    text += "".join(" " * n + f"for x{n} in many:\n" for n in range(18))
    text += "".join(" " * 18 + f"y{n} = y{n + 1}\n" for n in range(40))
    began = time.perf_counter()
    assert mistakes(toy(text + "result(total = 1)")) == []
    assert time.perf_counter() - began < 5


def test_records_within_records_do_not_swell() -> None:
    wide = ", ".join(f"f{n} = a" for n in range(60))
    extra = rule("r8", ["x"], "a = x\nresult(" + wide + ")")
    for n in range(1, 8):
        extra += rule(f"r{n}", ["x"], f"a = r{n + 1}(x = x)\nresult({wide})")
    began = time.perf_counter()
    found = mistakes(toy("a = r1(x = skill)\nresult(total = a.f1)", extra=extra))
    assert {error.message for error in found} == {"a result may hold at most 1000 values, 8 levels deep"}
    assert time.perf_counter() - began < 5


def test_rules_called_with_too_many_argument_shapes_are_refused() -> None:
    """Each rule calls the next one twice with two texts, so the ways double at each step."""
    extra = rule("r8", ["a", "b"], "result(y = 1)")
    for n in range(1, 8):
        calls = "\n".join(f'v{k} = r{n + 1}(a = "{n}{k}", b = [b, a])' for k in range(12))
        extra += rule(f"r{n}", ["a", "b"], calls + "\nresult(y = v1.y)")
    began = time.perf_counter()
    found = mistakes(toy('a = r1(a = "x", b = [])\nresult(total = a.y)', extra=extra))
    assert any("too long or too complex" in error.message for error in found)
    assert time.perf_counter() - began < 10


def test_thousands_of_rules_and_words_are_reviewed_quickly() -> None:
    extra = "".join(rule(f"q{n}", [], "result(x = 1)") for n in range(1_000))
    extra += "".join(f"[words.w{n}]\nen = 'W'\n" for n in range(1_000))
    began = time.perf_counter()
    assert len(mistakes(toy("result(total = skill)", extra=extra))) == 100
    assert time.perf_counter() - began < 5
