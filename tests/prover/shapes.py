"""The mechanics of generated games: what authors write, each with its numbers from anywhere."""

from __future__ import annotations

from random import Random

from rule_generator import write_game

from prover.games import Game, GameWriter


class Shapes(GameWriter):
    """One method for each mechanic."""

    def plain_throw(self) -> None:
        """A throw that a library of other people can compute, too."""
        kind = self.rng.choice(("count", "sum", "highest", "lowest"))
        sides = self.rng.choice((4, 6, 10))
        count, number = self.inputs.number(1, 3), self.inputs.number(1, 2)
        total = {
            "count": f"size(roll({count}, d{sides}) >= {number} + 2)",
            "sum": f"sum(roll({count}, d{sides})) + {number}",
        }.get(kind, f"sum({kind}(roll({count}, d{sides}), {number}))")
        self.counterpart = (kind, sides, count, number)
        self.say(f"total = {total}", f"result(total = total, success = total >= {self.amount(1, 9)})")

    def count_successes(self) -> None:
        """Count the dice that reach a face."""
        die, sides, most = self.die()
        count, face = self.count(most), self.amount(2, sides)
        self.say(f"pool = roll({count}, {die})")
        total = f"size(pool >= {face})"
        if self.maybe(0.3):
            total = f"max({total} - size(pool == 1), 0)"
        elif self.maybe(0.2):
            total = f"({total} + size(pool == {sides}))"
        self.say(f"hits = {total}")
        self.ending("hits", "pool")

    def add_up(self) -> None:
        """The sum of the dice and a bonus."""
        die, _, most = self.die()
        count = self.count(most)
        self.say(f"pool = roll({count}, {die})")
        self.ending("sum(pool)", "pool")

    def die_code(self) -> None:
        """A die code with its pips, one die of it wild."""
        code = self.inputs.code(1, 3)
        self.say(f"pool = roll(max({code}.dice - 1, 0), d6)")
        self.say('wild = roll(1, d6, "wild")' if self.maybe() else "wild = roll(1, d6)")
        self.say(f"total = sum(pool) + sum(wild) + {code}.pips")
        if self.maybe():
            self.say("if size(wild == 1) == 1:", "    total -= sum(highest(pool, 1)) + 1")
            if self.maybe():
                self.say('    event("bang")')
        self.ending("total", "wild")

    def keep(self) -> None:
        """The best or worst few of the dice."""
        die, _, most = self.die()
        count, kept = self.count(most), self.amount(1, 2)
        which = self.rng.choice(("highest", "highest", "lowest"))
        if self.maybe(0.3):
            self.say(f"which = {which}(roll({count}, {die}), {kept})")
        else:
            self.say(f"pool = roll({count}, {die})", f"which = {which}(pool, {kept})")
        self.ending("sum(which)")

    def advantage(self) -> None:
        """One die or two, by a choice parameter."""
        die, _, _ = self.die()
        which, count = self.rng.choice(("lowest", "highest")), self.count(2)
        self.say(f"if {self.inputs.flag()}:", f"    pool = highest(roll(2, {die}), 1)")
        self.say("else:", f"    pool = {which}(roll({count}, {die}), 1)")
        self.ending("sum(pool)")

    def explode(self) -> None:
        """Dice that bring others, are thrown again or add up, without end."""
        self.endless = True
        sides = self.rng.choice((4, 6))
        word = self.rng.choice(("more", "again", "add"))
        count = self.amount(1, 2)
        die = f"d{sides}"
        at = str(sides)
        if word != "add" and self.maybe(0.4):
            die, at = f"d{sides} >= {self.amount(3, sides)}", "1"
        elif self.maybe(0.3):
            at = f"({sides} if {self.inputs.flag()} else {sides + 1})"
        self.say(f"pool = roll({count}, {die}, {word} = {at})")
        total = "sum(pool)" if word == "add" or self.maybe() else "size(pool >= 1)"
        if word == "add" and self.maybe():
            total = f"sum(highest(pool, {self.amount(1, 2)}))"
        if self.maybe(0.4):  # looked at twice
            total = self.rng.choice(
                (
                    f"size(pool >= {self.amount(2, sides)}) + size(pool == {sides})",
                    f"size(pool >= {sides + 2})",
                    f"min(size(pool >= {sides}), {self.amount(1, 2)}) + size(pool == 1)",
                    "size(highest(pool, 2) >= 3)",
                )
            )
        self.ending(total, "pool" if self.maybe(0.4) else "")

    def luck(self) -> None:
        """A player picks dice to reroll."""
        die, sides, _ = self.rng.choice((("d6", 6, 2), ("d4", 4, 2), ("d4", 4, 3)))
        count, face = self.amount(1, 2), self.amount(2, sides)
        self.say(f"pool = roll({count}, {die})")
        eligible = self.rng.choice(("pool", f"(pool < {face})"))
        at_most = self.amount(0, 2)
        usual = self.rng.choice(
            (
                "",
                f", usual = lowest({eligible}, {at_most})",
                f", usual = lowest(pool < {self.inputs.amount(2, 3)}, {at_most})",
            )
        )
        if "usual" in usual and eligible != "pool" and "pool <" in usual:
            usual = f", usual = lowest({eligible}, min({at_most}, 1))"
        keep = self.rng.choice(("", ', keep = "new"', ', keep = "worse"'))
        self.say(f'redo = choose("luck", {eligible}, {at_most}{usual})')
        self.say(f"pool = pool - redo + reroll(redo, {die}{keep})")
        self.ending(self.rng.choice((f"size(pool >= {face})", "sum(pool)")), "pool")

    def push(self) -> None:
        """A second throw for a price, asked for or ruled."""
        who, first, second = self.rng.choice((("push", "push", "stay"), ("ruling", "yes", "no")))
        count, face = self.amount(1, 2), self.amount(3, 6)
        self.say(f"pool = roll({count}, d6)", f"hits = size(pool >= {face})")
        wish = self.rng.choice(
            (f'"{second}"', f'"{first}" if hits < {self.inputs.amount(1, 2)} else "{second}"')
        )
        never = f', never = "{second}"' if self.maybe() else ""
        self.say(f'wanted = ask("{who}", ["{first}", "{second}"], usual = {wish}{never})')
        self.say(
            f'if wanted == "{first}":',
            f"    again = pool < {face}",
            '    pool = pool - again + reroll(again, d6, keep = "new")',
            "    if size(pool == 1) > 0:",
            '        event("boom")',
            f"    hits = size(pool >= {face})",
        )
        self.ending("hits")

    def symbols(self) -> None:
        """Several rows of symbols on one throw."""
        sides = self.rng.choice((4, 6))
        rows = [[self.rng.choice((0, 0, 1, 1, 2, -1)) for _ in range(sides)] for _ in range(2)]
        self.tables.append(f"[tables.symbols]\ngood = {rows[0]}\nbad = {rows[1]}\n")
        self.say(f"pool = roll({self.amount(1, 3)}, d{sides})")
        self.say("good = sum(pool, tables.symbols.good)", "bad = sum(pool, tables.symbols.bad)")
        if self.maybe():
            self.say(f"if bad > {self.inputs.amount(0, 2)}:", '    event("boom")')
            self.ending("good")
        else:
            self.ending(self.rng.choice(("good - bad", "max(good, bad)", "good * 2 + bad")))

    def sets(self) -> None:
        """The largest set of equal dice."""
        die, _, most = self.die()
        pool = f"roll({self.count(most)}, {die})"
        if self.maybe(0.4):
            pool = f"({pool} >= {self.amount(1, 3)})"
        self.say(f"found = widest({pool})")
        if self.maybe(0.4):
            self.say(f"if size(found) >= {self.inputs.amount(2, 3)}:", '    event("boom")')
        self.ending(self.rng.choice(("size(found)", "sum(found)", "10 * size(found) + sum(found)")))

    def steps(self) -> None:
        """Dice whose size is looked up or given."""
        self.say(f"faces = {self.inputs.amount(2, 8)}")
        self.say(f"pool = roll(1, sided(faces)) + roll({self.amount(0, 2)}, d4)")
        self.ending(self.rng.choice(("sum(pool)", "sum(highest(pool, 1))", "size(pool >= 3)")), "pool")

    def called(self) -> None:
        """A rule that gets records and lists, and gives back several fields."""
        code = self.inputs.code(1, 2)
        many = self.inputs.list_of(0, 3)
        step, rung = self.inputs.rung(1, 5)
        face = self.inputs.amount(2, 4)
        body = ["thrown = roll(code.dice, d4)", "x = sum(thrown) + code.pips"]
        if self.maybe():
            body += ["for one in many:", "    x += one"]
        else:
            body += [f"x += many[len(many) - 1] * {self.rng.choice((1, 2))}"]
        if self.maybe(0.4):
            body += [f"if x >= step.{rung}:", '    event("boom")']
        body.append(f"result(x = x, over = x - step.{rung}, good = size(thrown >= face))")
        self.rules["throw"] = (("code", "many", "step", "face"), body)
        self.say(f"a = throw(code = {code}, many = {many}, step = {step}, face = {face})")
        total = self.rng.choice(("a.x", "a.good", "a.over", "a.x - a.good"))
        if self.maybe(0.3):
            other = self.rng.choice((f"{many} + [1]", "[1, 2]", many))
            self.say(f"b = throw(many = {other}, code = {code}, step = {step}, face = 2)")
            total = self.rng.choice((f"max({total}, b.x)", f"{total} + b.good", f"{total} - b.over"))
        self.ending(total)

    def loop(self) -> None:
        """Throw on until something is reached, or at most a few times."""
        if self.maybe():
            self.endless = True
            sides = self.rng.choice((3, 4))
            self.say(
                "total = 0",
                "last = 0",
                f"while last != {sides}:",
                f"    last = sum(roll(1, d{sides}))",
                f"    total += {self.rng.choice(('1', 'last', '2 * last'))}",
            )
            self.ending("total")
            return
        turns, goal = self.amount(1, 2), self.amount(2, 5)
        self.say("total = 0", "turns = 0", f"while turns < {turns} and total < {goal}:")
        self.say("    turns += 1", f"    total += sum(roll({self.inputs.amount(1, 2)}, d4))")
        self.ending(self.rng.choice(("total", "turns", "total - turns")))

    def each_of_a_list(self) -> None:
        """A die for each entry of a list."""
        many = self.inputs.list_of(1, 4)
        die, times = self.rng.choice(("d4", "sided(one + 1)")), self.rng.choice(("1", "one"))
        self.say("total = 0", "best = 0", f"for one in {many}:")
        self.say(f"    face = sum(roll(1, {die}))", f"    total += face * {times}")
        self.say("    best = max(best, face)")
        self.ending(self.rng.choice(("total", "best", "total - best", f"total + len({many})")))

    def contest(self) -> None:
        """Sides against each other; ties are thrown again, stand, or are broken."""
        own = self.per_side
        self.sides = (2, 2)
        count, bonus = own.amount(1, 2), own.amount(0, 2)
        die = self.rng.choice(("d4", "d6 >= 5", "d3"))
        names = tuple(own.params)
        body = [f"x = sum(roll({count}, {die})) + {bonus}"]
        if self.maybe(0.3):
            body += [f"if x >= {self.rng.randint(2, 4)}:", '    event("boom")']
        self.rules["throw"] = (names, [*body, "result(x = x)"])
        call = "throw(**sides[{0}])" if names else "throw()"
        self.say("turn(1)", f"a = {call.format(0)}", "turn(2)", f"b = {call.format(1)}")
        self.say("one = a.x", "two = b.x")
        if self.maybe(0.35):
            self.endless = True
            self.say(
                "while one == two:",
                "    turn(1)",
                f"    a = {call.format(0)}",
                "    turn(2)",
                f"    b = {call.format(1)}",
                "    one = a.x",
                "    two = b.x",
            )
        lead = self.rng.choice(("one > two", f"one >= two + {self.inputs.amount(0, 2)}"))
        self.say(f"total = one - {self.rng.choice(('two', 'two', 'min(one, two)'))}")
        self.say(f"result(total = total, success = {lead}, wins = [{lead}, two > one])")

    def group(self) -> None:
        """Several members whose results are judged together."""
        self.sides = (2, 3)
        own = self.per_side
        bonus = own.amount(0, 3)
        self.rules["throw"] = (tuple(own.params), [f"result(x = sum(roll(1, d4)) + {bonus})"])
        call = "throw(**side)" if own.params else "throw()"
        judge = self.rng.choice(("max", "min", "sum"))
        self.say(
            "found = []",
            "for side in sides:",
            "    turn(side.number)",
            f"    a = {call}",
            "    found = found + [a.x]",
            f"total = {judge}(found)",
        )
        if judge == "sum" and self.maybe():
            self.say("total = total / len(sides)")
        self.ending("total")

    def mixed(self) -> None:
        """A variable that is a number at one time and a truth at another."""
        self.say(f"x = sum(roll({self.amount(1, 2)}, d4))", f"mark = {self.rng.choice('01')}")
        self.say(f"if x > {self.amount(1, 4)}:", f"    mark = x > {self.inputs.amount(2, 5)}")
        self.say("y = sum(roll(1, d4))", f"total = y + (10 if mark == {self.rng.choice('01')} else 20)")
        self.ending("total")

    def pools(self) -> None:
        """Pools that are looked at, divided, thrown again and put together, several times."""
        rng, self.sides_of = self.rng, rng_sides(self.rng)
        self.say(f"pool = roll({self.count(3)}, d{self.sides_of})", "n = 0")
        if self.maybe(0.4):
            self.say(f'other = roll({rng.randint(1, 2)}, d{self.sides_of}, "wild")')
        else:
            self.say(f"other = pool {rng.choice(('>=', '==', '<'))} {self.amount(2, 3)}")
        for _ in range(rng.randint(1, 3)):
            self.say(*rng.choice((self._thrown_again, self._counted, self._face_by_face, self._divided))())
        if self.maybe(0.3):
            self.rules["half"] = (("of", "by"), ["result(x = of // 2 + by, y = of - by)"])
            self.say(f"h = half(of = size(pool), by = size(pool >= {self.amount(2, 3)}))", "n += h.x * h.y")
        self.ending(rng.choice(("n", "n + size(pool)", "n + sum(pool)", "max(n, sum(pool) - 2)")), "pool")

    def _some(self) -> str:
        face = self.rng.randint(1, self.sides_of)
        return self.rng.choice(
            (f"(pool == {face})", f"(pool < {face})", f"(pool >= {self.amount(2, 3)})", "lowest(pool, 1)")
        )

    def _thrown_again(self) -> list[str]:
        """Dice that are thrown again, or bring others."""
        some, die = self._some(), f"d{self.sides_of}"
        keep = self.rng.choice(("", ', keep = "new"', ', keep = "new"', ', keep = "worse"'))
        test = self.rng.choice((f"if size({self._some()}) < 2:", "if sum(pool) > 3:", "if size(other) > 0:"))
        return self.rng.choice(
            (
                [f"again = {some}", f"pool = pool - again + reroll(again, {die}{keep})"],
                [f"pool = pool + roll({some}, {die})"],
                [f"again = {some}", test, f"    pool = pool - again + reroll(again, {die}{keep})"],
                [
                    f'redo = choose("luck", {some}, {self.rng.randint(0, 2)})',
                    f"pool = pool - redo + reroll(redo, {die}{keep})",
                ],
            )
        )

    def _counted(self) -> list[str]:
        """Questions about the dice, one after the other."""
        bound = self.rng.randint(0, 2)
        return self.rng.choice(
            (
                [f"n += size({self._some()}) // 2 * 2 + size(other)"],
                [f"if size({self._some()}) > {bound}:", '    event("boom")', "    n += 1"],
                [f"n += min(size({self._some()}), {bound + 1}) * sum(other)"],
                ["best = sum(highest(pool, 1))", f"n += best if size(pool == best) > {bound} else 0"],
                [f"if n < size({self._some()}) and sum(other) >= {bound}:", "    n = sum(pool) - n"],
            )
        )

    def _face_by_face(self) -> list[str]:
        """A loop over the faces."""
        head = [f"for face in range({self.sides_of}):"]
        return self.rng.choice(
            (
                [*head, "    if size(pool == face + 1) >= 2:", "        n += 1"],
                [*head, "    n = max(n, size(pool == face + 1))"],
                [
                    "run = 0",
                    *head,
                    "    run = run + 1 if size(pool == face + 1) > 0 else 0",
                    "    n = max(n, run)",
                ],
                [*head, "    if size(pool == face + 1) > size(other == face + 1):", "        n += face"],
            )
        )

    def _divided(self) -> list[str]:
        """Parts of the dice, ranked alone or with others."""
        which = self.rng.choice(("highest", "lowest"))
        return self.rng.choice(
            (
                [f"best = {which}(pool, {self.rng.randint(0, 2)})", "n += sum(best)", "pool = pool - best"],
                [f"n += sum({which}(pool + roll(1, d{self.sides_of}), 2))"],
                [f"n += size(pool - {self._some()})"],
                [f"n += size(widest(pool {self.rng.choice(('>=', '!='))} 2))"],
                [
                    f"best = {which}(pool, {self.rng.randint(1, 2)})",
                    f"n += size(best >= {self.amount(2, 3)})",
                ],
            )
        )

    def statements(self) -> None:
        """Random statements, as no author would write them, over random parameters."""
        numbers = [self.inputs.amount(0, 3) for _ in range(self.rng.randint(1, 3))]
        self.say(*(f"v{90 + at} = {number}" for at, number in enumerate(numbers)))
        given = [f"v{90 + at}" for at in range(len(numbers))]
        text, rules = write_game(self.rng, numbers=given, most_ways=800)
        self.say(text)
        self.rules = {name: (tuple(params), [body]) for name, (params, body) in rules.items()}

    def endless_statements(self) -> None:
        """Random statements with unbounded dice and loops."""
        self.endless = True
        text, rules = write_game(self.rng, endless=True, most_ways=300)
        self.say(text)
        self.rules = {name: (tuple(params), [body]) for name, (params, body) in rules.items()}


def rng_sides(rng: Random) -> int:
    return rng.choice((3, 3, 4))


# How often each shape comes: what authors write, before what only a program would.
SHAPES = {
    "plain_throw": 4,
    "count_successes": 12,
    "add_up": 8,
    "die_code": 8,
    "keep": 8,
    "advantage": 5,
    "explode": 8,
    "luck": 8,
    "push": 7,
    "symbols": 5,
    "sets": 5,
    "steps": 4,
    "called": 8,
    "loop": 5,
    "each_of_a_list": 5,
    "contest": 8,
    "group": 5,
    "mixed": 1,
    "pools": 14,
    "statements": 12,
    "endless_statements": 4,
}


def write(seed: int) -> Game:
    """The game of a seed."""
    return Shapes(Random(seed)).game(SHAPES)
