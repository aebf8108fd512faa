"""A broken ruleset for every message of the loader, by that message.

`{}` in a message stands for text from the file.  The files are as short as possible, so most of
them have other mistakes as well.
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
    "is not valid TOML: {}": "[",
    "is larger than {} characters": "#" * 200_000,
    "has more than {} dots in one line": "a." * 300 + "a = 1",
    "has more than {} tables inside each other": "a." * 30 + "a = 1",
    "has more than {} lists inside each other": "a = " + "[" * 30 + "]" * 30,
    "is nested too deeply": "a = " + "[" * 9_000,
    "holds a number that is far too long": "a = " + "9" * 5_000,
    "a name may have at most {} plain characters": "a" * 200 + " = 1",
    "a text may have at most {} characters": f"a = '{'a' * 30_000}'",
    "a game does not count beyond {}": "a = 9999999999",
    "holds a character that cannot be shown (U+{})": 'a = "\\u0007"',
    "there are no dates and times in a game": "a = 1979-05-27",
    "does not say which language it is written in": "",
    "wants language {}, and this Handful knows languages up to {}": "language = 99",
    "{} needs language {}, and this file is written in language {}": param(
        "type = 'number'\naliases = ['count']"
    ),
    "there is no check {} to roll": 'language = 2\nid = "a"\nusual_check = "nobody"\n'
    + "title.en = 'A'\nabout.en = 'A'\n"
    + PLAIN,
    "needs an id of small letters, digits and '-'": 'id = "My Game"',
    "has no checks: there is nothing to roll": HEAD,
    # parts
    "there is no {} here": part("[option.o]\n"),
    "{} is not a name: small letters, digits and _": part("[words.My-Word]\nen = 'W'\n"),
    "{} must be a table": part("[words]\nw = 1\n"),
    "sheet must be a table": "sheet = 1",
    "{} must be a whole number": part("[ladder.easy]\nvalue = 'low'\n"),
    "{} must be a number": param("type = 'number'\nmin = 'low'"),
    "off must be true or false": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = [{ n = 1, off = 1 }]\n"),
    "{} must be true or false": sheet("[sheet.skill]\nlabel.en = 'V'\nopen = 1\n"),
    "{} must be a list of names": rounds("calm = 1\n"),
    "{} must be a list of formulas": rounds("ties = 1\n"),
    "params must be a list of names": part("[rules.f]\nparams = 'a'\ndoes = 'result(x = 1)'\n"),
    "gives must be a list of tables": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = 1\n"),
    "values must be all texts, all whole numbers or all true/false": part(
        OPTION.format("values = [1, 'a']\ndefault = 1")
    ),
    "the row {} must hold whole numbers": part("[tables.t]\nr = ['a']\n"),
    "{} is not understood": param("type = 'number'\nlist = ';'"),
    "{} cannot be of that type": sheet("[sheet.skill]\ntype = 'text'\nlabel.en = 'V'\n"),
    "the type of {} is not known": param("type = 'numbers'"),
    "{} needs wording": "title = 'T'",
    "{} needs English wording": "title = { de = 'T' }",
    "{} needs a text": HEAD + "[checks.c]\n",
    "{} needs a formula": sheet("[sheet.derived.d]\ntitle.en = 'D'\nvalue = 1\n"),
    "which field of its result is the main one of {}?": HEAD + "[checks.c]\n",
    "sides need a word": HEAD + "[checks.c]\nsides = { min = 2 }\n",
    "the number of sides is not possible": HEAD + "[checks.c]\nsides = { word = 'vs', min = 9 }\n",
    "who decides {}?": part("[decisions.d]\nby = 'me'\n"),
    "follows is for the whole check": rule("result(total = sides[0].dice)")
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
    "a choice needs values": param("type = 'choice'"),
    "what rank does a proficiency have?": sheet("[sheet.proficiencies.p]\ntitle.en = 'P'\n"),
    "what number does a skill have?": sheet("[sheet.skills.s]\ntitle.en = 'S'\n"),
    "it gives nothing": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = [{}]\n"),
    "{}: there is no {}": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = [{ n = 1, for = ['x'] }]\n"),
    "{}: {}": sheet("[sheet.traits.t]\ntitle.en = 'T'\ngives = [{ n = 'x' }]\n"),
    "the range of {} is empty": param("type = 'number'\nmin = 2\nmax = 1"),
    "the option {} leaves no choice": part(OPTION.format("values = [1]\ndefault = 1")),
    "the default of {} is not one of its values": part(OPTION.format("values = [1, 2]\ndefault = 3")),
    "the default does not fit: {}": param("type = 'number'\ndefault = 'a'"),
    "{} offers {}, which rounds do not know": rounds(
        "settings = { structure = 'o' }\n" + OPTION.format("values = ['x', 'y']\ndefault = 'x'")
    ),
    "only {} has {}": part(
        "[ladder.a]\nvalue = 1\n[ladder.b]\nvalue = 2\n[ladder.c]\nvalue = 3\nvaleu = 3\n"
    ),
    "there is no {} {}": rule('event("boom")\nresult(total = 1)'),
    "there is no option {}": rule("result(total = options.o)"),
    "there is no table {}": rule("result(total = tables.t['r'])"),
    "there is no parameter or decision {}": sheet(
        "[sheet.resources.luck]\ntitle.en = 'L'\nspent = { x = ['y'] }\n"
    ),
    "no check has the parameter {}": sheet("[sheet.picks.x]\n"),
    "{} have no {}": sheet("[sheet.picks.n]\nattributes = { n = 'size' }\n"),
    "which attribute does {} belong to?": sheet(
        SKILL + "attribute = true\n[sheet.skills.s]\ntitle.en = 'S'\n"
    ),
    "the name {} is taken or not a name": HEAD
    + CHECK.format("result(total = 1)")
    + "[checks.c.params.roll]\ntype = 'number'\nlabel.en = 'N'\n",
    "the name {} is taken": part("[rules.roll]\ndoes = 'result(x = 1)'\n"),
    "a rule is already called {}": part("[rules.c]\ndoes = 'result(x = 1)'\n"),
    "an attribute is already called {}": sheet(SKILL + "[sheet.skills.might]\ntitle.en = 'S'\n"),
    # rule texts
    "cannot be read: {}": rule("result(total = "),
    "a rule cannot say {}": rule("import os\nresult(total = 1)"),
    "cannot read the number {}": rule("result(total = 1e2)"),
    "a rule may not count beyond {}": rule("result(total = 9999999999)"),
    "is nested more than {} levels deep": rule("result(total = " + "-" * 150 + "1)"),
    "is nested too deeply, or holds characters that no rule can hold": rule(
        "result(total = " + "-" * 9_000 + "1)"
    ),
    "a name may have at most {} characters": rule("a" * 80 + " = 1\nresult(total = 1)"),
    "comparisons cannot be chained": rule("x = 1 < 2 < 3\nresult(total = 1)"),
    "a die has 2 to {} sides": rule("result(total = sum(roll(1, d1001)))"),
    "{} is used with a name": rule("result(total = options)"),
    "{} stands on a line of its own": rule('x = event("boom")\nresult(total = 1)'),
    "a result has named fields only": rule("result(1)"),
    "the name of the {} must stand here in quotation marks": rule("event(boom)\nresult(total = 1)"),
    "the name {} has no value here": rule("result(total = x)"),
    "{} may have no value yet here": rule("if n > 1:\n    x = 1\nresult(total = x)") + NUMBER,
    "the parameter {} cannot be given another value": rule("n = 2\nresult(total = n)") + NUMBER,
    "there is no function or rule {}": rule("result(total = rol(1, d6))"),
    "{} takes no named arguments": rule("result(total = abs(x = 1))"),
    "{} takes {} argument{}": rule("result(total = abs(1, 2))"),
    "{} is given twice": called("x = f(a = 1, a = 2)\nresult(total = x.x)"),
    "roll takes how many, which die and perhaps a role": rule("result(total = sum(roll(1)))"),
    "reroll takes a pool and a die": rule("p = roll(1, d6)\nresult(total = sum(reroll(p)))"),
    "choose takes a decision, a pool and how many dice at most": rule(
        'p = choose("d")\nresult(total = sum(p))', ASKED
    ),
    "ask takes a decision and a list of options": rule('x = ask("d")\nresult(total = 1)', ASKED),
    "arguments of {} are given by name": called("x = f(1)\nresult(total = x.x)"),
    "the rule {} has no parameter {}": called("x = f(b = 1)\nresult(total = x.x)"),
    "the rule {} also needs {}": called("x = f()\nresult(total = x.x)"),
    "{} does not know {}": rule("result(total = sum(roll(1, d6, twice = 6)))"),
    "the {} must be {}": rule('result(total = sum(roll(1, d6, "red")))'),
    "{} cannot stand inside {}": rule("result(total = 1 if sum(roll(1, d6)) > 3 else 0)"),
    "a formula throws no dice and asks nobody{}": sheet(
        "[sheet.derived.d]\ntitle.en = 'D'\nvalue = 'sum(roll(1, d6))'\n"
    ),
    "these rules call each other in a circle: {}": called(
        "x = f(a = 1)\nresult(total = x.x)", "y = f(a = a)\nresult(x = y.x)"
    ),
    "{} is called more than {} rules deep": rule("a = r0()\nresult(total = a.v)", CHAIN),
    "the rules are too long or too entangled to be looked over": rule(
        'a = r1(a = "x", b = [])\nresult(total = a.y)', ENTANGLED
    ),
    "the rules are nested too deeply to be looked over": rule("a = r1(x = n)\nresult(total = a.y)", TOO_DEEP)
    + NUMBER,
    "a result may hold at most {} values, {} levels deep": called(
        "x = f(a = 1)\nfor i in range(60):\n    x = f(a = x)\nresult(total = 1)",
        "result(a = a, b = a)",
    ),
    # what values can be
    "{} needs {}, not {}": rule("result(total = sum(5))"),
    "{} needs {}, not None": rule("x = None\nresult(total = x + 1)"),
    "a {} is needed here, not {}": sheet("[sheet.derived.d]\ntitle.en = 'D'\nvalue = '1 > 0'\n"),
    "{} stands on the left of a comparison": rule("p = roll(1, d6)\nresult(total = 5 <= p)"),
    "only a check with sides has 'wins'": rule("result(total = 1, wins = [True])"),
    "{} may not be given, and {} needs {}": rule("result(total = n + 1)") + NUMBER + "optional = true\n",
    "{} has no field {}": called("x = f(a = 1)\nresult(total = x.y)"),
    "{} has no row {}": rule('result(total = tables.t["q"])', "[tables.t]\nr = 1\n"),
    "the decision {} has no answer {}": rule('x = ask("d", ["yes", "no"])\nresult(total = 1)', ASKED),
    "{} is not one of the options here": rule(
        'x = ask("d", ["yes"], usual = "no")\nresult(total = 1)', ASKED
    ),
    "a list has no entry at a negative place": rule("x = [1]\nresult(total = x[-1])"),
    "division by zero": rule("result(total = n / 0)") + NUMBER,
    "{} is never the same as {}": rule('result(total = 1 if n == "x" else 0)') + NUMBER,
    "{} is never {}": param("type = 'choice'\nvalues = ['a', 'b']").replace(
        "= n)", '= 1 if n == "c" else 0)'
    ),
    # ways through a rule
    "the test {} always comes out the same": rule("if 1 > 0:\n    x = 1\nresult(total = 1)"),
    "{} can end here without a result": rule("x = 1"),
    "the result lacks {}, the main result of {}": rule("result(sum = 1)"),
    "this can never be reached": rule("result(total = 1)\nx = 1"),
    "this loop never ends: nothing in it changes its test": rule("while True:\n    x = 1"),
    "nothing calls the rule {}": part("[rules.f]\ndoes = 'result(x = 1)'\n"),
    "the option {} changes nothing: no rule reads it": part(OPTION.format("values = [1, 2]\ndefault = 1")),
    "no rule looks anything up in the table {}": part("[tables.t]\nr = 1\n"),
    "no rule asks for the decision {}": part(ASKED),
    "the event {} never happens": part("[events.boom]\nen = 'B'\n"),
    "nothing uses the word {}": part("[words.w]\nen = 'W'\n"),
    "the parameter {} of {} changes nothing": part(NUMBER),
}
