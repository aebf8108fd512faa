"""What a policy answers to a decision; decisions are part of the rule as far as odds go."""

from __future__ import annotations

from handful.rules.operators import Value
from handful.rules.program import Ask, Choose, Env
from handful.solver.symbolic_pool import SymbolicPool, is_positive


def decided(step: Choose | Ask, env: Env, policy: str) -> tuple[Value, bool]:
    """The answer, and whether anybody is asked at all."""
    never = policy == "never"
    if isinstance(step, Choose):
        most, pool = step.at_most.value(env), step.pool.value(env)
        if not is_positive(most) or not is_positive(pool.size()):
            return SymbolicPool(()), False
        if never:
            return SymbolicPool(()), True
        return step.usual.value(env) if step.usual else pool.lowest(most), True
    options = step.choices.value(env)
    if len(options) == 1:
        return options[0], False
    chosen = (step.never if never else None) or step.usual
    return chosen.value(env) if chosen else options[0], True
