"""The walk: exact odds by delayed sampling.

Theory of operation.  A rule is flattened to three-address code (`flat`) and specialised for its arguments
(`residual`: partial evaluation), which leaves a graph of operations on what depends on dice.  Dice that
are thrown stay undrawn: a *source* is n independent dice over classes of faces (`sources`), a number is a
linear form over the class counts of sources, a pool says what a die of each class reads there (`values`).
A backward analysis finds the questions that may still come (`futures`): faces that none of them tells
apart are one class, dice that none of them reaches are forgotten.

The graph is run on states in topological order (`machine`).  A question about numbers is answered on
their joint distribution, one product of polynomials (`tables`), or by cumulative sums if they are
independent (`independent`); a question about pools draws only the class counts that it tells apart
(`operations`, `throwing`, `keeping`).  States with an equal future are merged, and states that differ only
in numbers are mixed into one distribution (`filing`).  The ends become outcomes (`outcomes`).

Endless numbers are sources with a rational generating function for their number of dice; a question cuts
them where its answer no longer depends on them, and differences of two are remembered until one of them
is needed no longer (`contests`).  A strongly connected component of the graph is a loop that may return:
an absorbing Markov chain of its states (`loops`, `separation`).

Invariant: exact; every weight is a whole number, and work is charged before it is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.errors import TooBig
from handful.rules.program import EVENTS, Env
from handful.solver.plan import Plan
from handful.solver.states import Outcome
from handful.solver.walk.abstract import LATER
from handful.solver.walk.flat import OPTIONS, WAVE
from handful.solver.walk.futures import analyse
from handful.solver.walk.machine import Machine
from handful.solver.walk.outcomes import after_call, outcomes_of, to_open
from handful.solver.walk.questions import OpenArguments
from handful.solver.walk.residual import Residual
from handful.solver.walk.sources import WalkState

if TYPE_CHECKING:
    from handful.solver.solver import Solver, Wave


def walk(
    solver: Solver,
    plan: Plan,
    pc: int,
    env: Env,
    called: list[Outcome] | None = None,
    wave: Wave | None = None,
) -> list[Outcome]:
    """Return the outcomes of a rule from an instruction on.

    `called` are the outcomes of the rule that the instruction calls, `wave` the dice that it has thrown so
    far, if that is in progress.
    """
    code = solver.flat(plan)
    known = {name: to_open(value) for name, value in env.items() if name != OPTIONS}
    var = plan.code[pc].writes or ""
    at = code.entry[pc]
    if wave is not None:
        at = code.resumed(pc)
        known.update(zip(WAVE, (to_open(wave[0]), *wave[1:]), strict=True))
    start = WalkState({**known, EVENTS: env[EVENTS]}, {}, 1, 1)
    if called is not None:
        known, at = {**known, var: LATER}, code.entry[pc + 1]
    inlined: frozenset[str] = frozenset()
    while True:
        residual = Residual(solver, code, at, known, inlined)
        analyse(residual.nodes)
        machine = Machine(solver, residual, solver.spend)
        starts = [after_call(start, var, one, machine.draws) for one in called or ()]
        try:
            ended = machine.run(starts if called is not None else [start.copied()])
            break
        except OpenArguments as call:
            inlined |= {call.site}
        except TooBig:
            solver.projected_growth = machine.projected_growth()
            raise
    ends = [
        (node.fn, tuple([machine.value(state, one) for one in node.args]), state) for node, state in ended
    ]
    return outcomes_of(ends, machine.draws)
