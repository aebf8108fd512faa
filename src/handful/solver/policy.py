"""Replies of a policy to the decisions of a rule.

For exact odds a decision is a deterministic function of the state: the policy answers it within the step.
"""

from __future__ import annotations

from handful.rules.operators import Value
from handful.rules.program import Ask, Choose, Env
from handful.solver.symbolic_pool import SymbolicPool, is_positive


def decide(step: Choose | Ask, env: Env, policy: str) -> tuple[Value, bool]:
    """Return the policy's answer, and True if there was more than one legal answer."""
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
