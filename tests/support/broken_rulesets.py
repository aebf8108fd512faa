"""A broken ruleset for every message of the loader, by the code of that message.

The files are as short as possible, so most of them have other mistakes as well.
"""

from __future__ import annotations

from toy_rulesets import HEAD

CHECK = '[checks.c]\ntitle.en = "C"\nhelp.en = "C"\nmain = "total"\ndoes = """\n{}\n"""\n'
PLAIN = CHECK.format("result(total = sum(roll(1, d6)))")
NUMBER = '[checks.c.params.n]\ntype = "number"\nlabel.en = "N"\n'
SHEET = '[sheet.attributes.might]\ntitle.en = "Might"\n'
SKILL = '[sheet.skill]\nlabel.en = "Value"\n'


def rule(text: str, more: str = "") -> str:
    """Return a ruleset whose check has this rule text."""
    return HEAD + more + CHECK.format(text)


def part(text: str) -> str:
    """Return a ruleset with one valid check and this broken part."""
    return HEAD + PLAIN + text


def param(text: str) -> str:
    return rule("result(total = n)") + f"[checks.c.params.n]\nlabel.en = 'N'\n{text}\n"


def sheet(text: str) -> str:
    return HEAD + CHECK.format("result(total = n)") + NUMBER + SHEET + text


def rounds(text: str) -> str:
    return sheet(f'[rounds]\ninitiative = "attributes.might"\n{text}')


def called(text: str, body: str = "result(x = a)", params: str = "['a']") -> str:
    return rule(text, f'[rules.f]\nparams = {params}\ndoes = """\n{body}\n"""\n')


OPTION = "[options.o]\n{}\nlabel.en = 'O'\n"
ASKED = "[decisions.d]\nby = 'gm'\nquestion.en = '?'\nusual.en = '-'\nanswers.yes.en = 'Yes'\n"
CHAIN = (
    "".join(f'[rules.r{n}]\ndoes = """\na = r{n + 1}()\nresult(v = a.v)\n"""\n' for n in range(12))
    + "[rules.r12]\ndoes = 'result(v = 1)'\n"
)
DEEP = "max(1, " * 90 + "x" + ")" * 90
ENTANGLED = '[rules.r8]\nparams = ["a", "b"]\ndoes = "result(y = 1)"\n' + "".join(
    f'[rules.r{n}]\nparams = ["a", "b"]\ndoes = """\n'
    + "\n".join(f'v{k} = r{n + 1}(a = "{n}{k}", b = [b, a])' for k in range(12))
    + '\nresult(y = v1.y)\n"""\n'
    for n in range(1, 8)
)
TOO_DEEP = f'[rules.r8]\nparams = ["x"]\ndoes = "result(y = {DEEP})"\n' + "".join(
    f'[rules.r{n}]\nparams = ["x"]\ndoes = """\n'
    f'a = {DEEP.replace("x)", f"r{n + 1}(x = x))", 1)}\nresult(y = a)\n"""\n'
    for n in range(1, 8)
)

BROKEN: dict[str, str] = {
    # the file
    "ruleset.toml.invalid": "[",
    "ruleset.limit.file_too_long": "#" * 200_000,
    "ruleset.limit.dots": "a." * 300 + "a = 1",
    "ruleset.limit.tables_in_tables": "a." * 30 + "a = 1",
    "ruleset.limit.lists_in_lists": "a = " + "[" * 30 + "]" * 30,
    "ruleset.limit.nested_too_deeply": "a = " + "[" * 9_000,
    "ruleset.limit.number_too_long": "a = " + "9" * 5_000,
    "ruleset.limit.key_too_long": "a" * 200 + " = 1",
    "ruleset.limit.source_too_long": f"a = '{'a' * 30_000}'",
    "ruleset.limit.file_number": "a = 9999999999",
    "ruleset.unshown.character": 'a = "\\u0007"',
    "ruleset.date.date": "a = 1979-05-27",
    "ruleset.language-missing.version": "",
    "ruleset.language-newer.version": "language = 99",
    "ruleset.language-older.key": param("type = 'number'\naliases = ['count']"),
    "ruleset.usual-check.unknown": 'language = 2\nid = "a"\nusual_check = "nobody"\n'
    + "title.en = 'A'\nabout.en = 'A'\n"
    + PLAIN,
    "ruleset.id.missing": 'id = "My Game"',
    "ruleset.no-checks.none": HEAD,
    # parts
    "ruleset.unknown-key.key": part("[option.o]\n"),
    "ruleset.name.not_a_name": part("[words.My-Word]\nen = 'W'\n"),
    "ruleset.kind.table": part("[words]\nw = 1\n"),
    "ruleset.kind.sheet": "sheet = 1",
    "ruleset.kind.whole_number": part("[ladder.easy]\nvalue = 'low'\n"),
    "ruleset.kind.number": param("type = 'number'\nmin = 'low'"),
    "ruleset.kind.off": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = [{ n = 1, off = 1 }]\n"),
    "ruleset.kind.truth": sheet("[sheet.skill]\nlabel.en = 'V'\nopen = 1\n"),
    "ruleset.kind.names": rounds("calm = 1\n"),
    "ruleset.kind.formulas": rounds("ties = 1\n"),
    "ruleset.kind.params": part("[rules.f]\nparams = 'a'\ndoes = 'result(x = 1)'\n"),
    "ruleset.kind.gives": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = 1\n"),
    "ruleset.kind.values": part(OPTION.format("values = [1, 'a']\ndefault = 1")),
    "ruleset.kind.row": part("[tables.t]\nr = ['a']\n"),
    "ruleset.kind.not_understood": param("type = 'number'\nlist = ';'"),
    "ruleset.kind.wrong_type": sheet("[sheet.skill]\ntype = 'text'\nlabel.en = 'V'\n"),
    "ruleset.kind.unknown": param("type = 'numbers'"),
    "ruleset.wording.missing": "title = 'T'",
    "ruleset.wording.english": "title = { de = 'T' }",
    "ruleset.missing.text": HEAD + "[checks.c]\n",
    "ruleset.missing.formula": sheet("[sheet.derived.d]\ntitle.en = 'D'\nvalue = 1\n"),
    "ruleset.missing.main": HEAD + "[checks.c]\n",
    "ruleset.missing.points": sheet("[sheet.creation.budgets.b]\ntitle.en = 'B'\n"),
    "ruleset.unknown-name.bought": sheet(
        "[sheet.creation.budgets.b]\ntitle.en = 'B'\npoints = 3\nover = ['might', 'luck']\n"
    ),
    "ruleset.unknown-name.start": sheet("[sheet.creation.start.attributes]\nwit = 3\n"),
    "ruleset.range.names": sheet("[sheet.creation.names]\nfirst = ['Ann', '']\n"),
    "ruleset.missing.word": HEAD + "[checks.c]\nsides = { min = 2 }\n",
    "ruleset.range.sides": HEAD + "[checks.c]\nsides = { word = 'vs', min = 9 }\n",
    "ruleset.missing.decider": part("[decisions.d]\nby = 'me'\n"),
    "ruleset.follows.whole": rule("result(total = sides[0].dice)")
    + """[checks.c.sides]
word = "vs"
[checks.c.params.dice]
type = "number"
label.en = "D"
[checks.c.params.n]
type = "choice"
values = ["a"]
follows = { dice = { 1 = "a" } }
label.en = "N"
""",
    "ruleset.missing.choices": param("type = 'choice'"),
    "ruleset.missing.rank": sheet("[sheet.proficiencies.p]\ntitle.en = 'P'\n"),
    "ruleset.missing.skill_number": sheet("[sheet.skills.s]\ntitle.en = 'S'\n"),
    "ruleset.missing.item": sheet("[sheet.items.i]\ntitle.en = 'I'\n"),
    "ruleset.missing.gives": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = [{}]\n"),
    "ruleset.unknown-name.in_list": sheet(
        "[sheet.traits.t]\ntitle.en = 'T'\ngives = [{ n = 1, for = ['x'] }]\n"
    ),
    "ruleset.range.value": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = [{ n = 'x' }]\n"),
    "ruleset.range.empty": param("type = 'number'\nmin = 2\nmax = 1"),
    "ruleset.range.option": part(OPTION.format("values = [1]\ndefault = 1")),
    "ruleset.range.option_default": part(OPTION.format("values = [1, 2]\ndefault = 3")),
    "ruleset.range.default": param("type = 'number'\ndefault = 'a'"),
    "ruleset.range.rounds": rounds(
        "settings = { structure = 'o' }\n" + OPTION.format("values = ['x', 'y']\ndefault = 'x'")
    ),
    "ruleset.odd-one.field": part(
        "[ladder.a]\nvalue = 1\n[ladder.b]\nvalue = 2\n[ladder.c]\nvalue = 3\nvaleu = 3\n"
    ),
    "ruleset.unknown-name.of_kind": rule('event("boom")\nresult(total = 1)'),
    "ruleset.unknown-name.option": rule("result(total = options.o)"),
    "ruleset.unknown-name.table": rule("result(total = tables.t['r'])"),
    "ruleset.unknown-name.parameter_or_decision": sheet(
        "[sheet.resources.luck]\ntitle.en = 'L'\nspent = { x = ['y'] }\n"
    ),
    "ruleset.unknown-name.check_parameter": sheet("[sheet.picks.x]\n"),
    "ruleset.unknown-name.field": sheet("[sheet.picks.n]\nattributes = { n = 'size' }\n"),
    "ruleset.unknown-name.item_field": rounds(
        "[rounds.targets.c]\nby = 'n'\n[rounds.attacks.c]\nitem = { n = 'edge' }\n"
    ),
    "ruleset.unknown-name.attribute": sheet(SKILL + "attribute = true\n[sheet.skills.s]\ntitle.en = 'S'\n"),
    "ruleset.name.taken": HEAD
    + CHECK.format("result(total = 1)")
    + "[checks.c.params.roll]\ntype = 'number'\nlabel.en = 'N'\n",
    "ruleset.name-taken.taken": part("[rules.roll]\ndoes = 'result(x = 1)'\n"),
    "ruleset.name-taken.rule": part("[rules.c]\ndoes = 'result(x = 1)'\n"),
    "ruleset.name-taken.attribute": sheet(SKILL + "[sheet.skills.might]\ntitle.en = 'S'\n"),
    # rule texts
    "ruleset.syntax.unreadable": rule("result(total = "),
    "ruleset.syntax.not_in_language": rule("import os\nresult(total = 1)"),
    "ruleset.syntax.number": rule("result(total = 1e2)"),
    "ruleset.limit.number": rule("result(total = 9999999999)"),
    "ruleset.limit.levels": rule("result(total = " + "-" * 150 + "1)"),
    "ruleset.limit.source_nested": rule("result(total = " + "-" * 9_000 + "1)"),
    "ruleset.limit.name_too_long": rule("a" * 80 + " = 1\nresult(total = 1)"),
    "ruleset.syntax.chained": rule("x = 1 < 2 < 3\nresult(total = 1)"),
    "ruleset.syntax.sides": rule("result(total = sum(roll(1, d1001)))"),
    "ruleset.syntax.needs_name": rule("result(total = options)"),
    "ruleset.syntax.own_line": rule('x = event("boom")\nresult(total = 1)'),
    "ruleset.syntax.named_fields": rule("result(1)"),
    "ruleset.syntax.quoted_name": rule("event(boom)\nresult(total = 1)"),
    "ruleset.no-value.name": rule("result(total = x)"),
    "ruleset.no-value.variable": rule("if n > 1:\n    x = 1\nresult(total = x)") + NUMBER,
    "ruleset.parameter-set.assigned": rule("n = 2\nresult(total = n)") + NUMBER,
    "ruleset.unknown-function.call": rule("result(total = rol(1, d6))"),
    "ruleset.arguments.no_keywords": rule("result(total = abs(x = 1))"),
    "ruleset.arguments.count": rule("result(total = abs(1, 2))"),
    "ruleset.arguments.twice": called("x = f(a = 1, a = 2)\nresult(total = x.x)"),
    "ruleset.arguments.roll": rule("result(total = sum(roll(1)))"),
    "ruleset.arguments.reroll": rule("p = roll(1, d6)\nresult(total = sum(reroll(p)))"),
    "ruleset.arguments.choose": rule('p = choose("d")\nresult(total = sum(p))', ASKED),
    "ruleset.arguments.ask": rule('x = ask("d")\nresult(total = 1)', ASKED),
    "ruleset.arguments.by_name": called("x = f(1)\nresult(total = x.x)"),
    "ruleset.arguments.no_parameter": called("x = f(b = 1)\nresult(total = x.x)"),
    "ruleset.arguments.missing": called("x = f()\nresult(total = x.x)"),
    "ruleset.arguments.keyword": rule("result(total = sum(roll(1, d6, twice = 6)))"),
    "ruleset.arguments.allowed": rule('result(total = sum(roll(1, d6, "red")))'),
    "ruleset.place.inside": rule("result(total = 1 if sum(roll(1, d6)) > 3 else 0)"),
    "ruleset.formula.no_dice": sheet("[sheet.derived.d]\ntitle.en = 'D'\nvalue = 'sum(roll(1, d6))'\n"),
    "ruleset.circle.rules": called("x = f(a = 1)\nresult(total = x.x)", "y = f(a = a)\nresult(x = y.x)"),
    "ruleset.limit.calls_too_deep": rule("a = r0()\nresult(total = a.v)", CHAIN),
    "ruleset.limit.rules_too_complex": rule('a = r1(a = "x", b = [])\nresult(total = a.y)', ENTANGLED),
    "ruleset.limit.rules_nested_too_deeply": rule("a = r1(x = n)\nresult(total = a.y)", TOO_DEEP) + NUMBER,
    "ruleset.limit.result_too_large": called(
        "x = f(a = 1)\nfor i in range(60):\n    x = f(a = x)\nresult(total = 1)",
        "result(a = a, b = a)",
    ),
    # what values can be
    "ruleset.type.needs": rule("result(total = sum(5))"),
    "ruleset.type.not_none": rule("x = None\nresult(total = x + 1)"),
    "ruleset.type.needed_here": sheet("[sheet.derived.d]\ntitle.en = 'D'\nvalue = '1 > 0'\n"),
    "ruleset.type.left_of_comparison": rule("p = roll(1, d6)\nresult(total = 5 <= p)"),
    "ruleset.type.wins": rule("result(total = 1, wins = [True])"),
    "ruleset.not-given.optional": rule("result(total = n + 1)") + NUMBER + "optional = true\n",
    "ruleset.unknown-field.field": called("x = f(a = 1)\nresult(total = x.y)"),
    "ruleset.unknown-field.row": rule('result(total = tables.t["q"])', "[tables.t]\nr = 1\n"),
    "ruleset.unknown-answer.decision": rule('x = ask("d", ["yes", "no"])\nresult(total = 1)', ASKED),
    "ruleset.unknown-answer.option": rule('x = ask("d", ["yes"], usual = "no")\nresult(total = 1)', ASKED),
    "ruleset.negative-place.list": rule("x = [1]\nresult(total = x[-1])"),
    "ruleset.zero.division": rule("result(total = n / 0)") + NUMBER,
    "ruleset.never-equal.kinds": rule('result(total = 1 if n == "x" else 0)') + NUMBER,
    "ruleset.never-equal.word": param("type = 'choice'\nvalues = ['a', 'b']").replace(
        "= n)", '= 1 if n == "c" else 0)'
    ),
    # ways through a rule
    "ruleset.constant-test.test": rule("if 1 > 0:\n    x = 1\nresult(total = 1)"),
    "ruleset.no-result.path": rule("x = 1"),
    "ruleset.no-result.main": rule("result(sum = 1)"),
    "ruleset.unreachable.code": rule("result(total = 1)\nx = 1"),
    "ruleset.endless.loop": rule("while True:\n    x = 1"),
    "ruleset.unused.rule": part("[rules.f]\ndoes = 'result(x = 1)'\n"),
    "ruleset.unused.option": part(OPTION.format("values = [1, 2]\ndefault = 1")),
    "ruleset.unused.table": part("[tables.t]\nr = 1\n"),
    "ruleset.unused.decision": part(ASKED),
    "ruleset.unused.event": part("[events.boom]\nen = 'B'\n"),
    "ruleset.unused.word": part("[words.w]\nen = 'W'\n"),
    "ruleset.unused.parameter": part(NUMBER),
}
