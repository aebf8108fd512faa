"""The page of `handful diff --html`: one file that holds everything, charts included."""

from __future__ import annotations

from html import escape

from handful.explore.differences import Difference, Moved

MOST = 40
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem;
  color-scheme: light dark }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .2rem .6rem }
th, td.n { white-space: nowrap } td.n { text-align: right; font-variant-numeric: tabular-nums }
tr { border-top: 1px solid #8884 }
.was { fill: #8888 } .now { fill: #0072B2 } svg { vertical-align: middle }
@media print { tr { break-inside: avoid } }
"""


def page(found: Difference) -> str:
    title = escape(f"{found.before.name} → {found.after.name}")
    words = "".join(f"<li>{escape(word)}</li>" for word in found.words) or "<li>none</li>"
    told = found.telling
    rows = "".join(_row(one) for one in told[:MOST])
    left = len(told) - MOST
    more = f"<p>and {left} more</p>" if left > 0 else ""
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{STYLE}</style>
<h1>{title}</h1>
<h2>In words</h2><ul>{words}</ul>
<h2>In odds</h2><p>{len(found.moved)} of {found.compared} moved; the largest first.
What has the same figures as a shorter question is left out.
In the charts the upper bar is before, the lower one after.</p>
<table><thead><tr><th>check</th><th>before</th><th>after</th><th>before and after</th></tr></thead>
<tbody>{rows}</tbody></table>{more}
</html>
"""


def _row(one: Moved) -> str:
    was, now = _shown(one, float(one.before)), _shown(one, float(one.after))
    return (
        f"<tr><td>{escape(one.asked)}</td>"
        f'<td class="n">{was}</td><td class="n">{now}</td><td>{_bars(one)}</td></tr>'
    )


def _shown(one: Moved, figure: float) -> str:
    return f"{figure:.2f}" if one.shows == "mean" else f"{100 * figure:.1f} %"


def _spoken(one: Moved) -> str:
    was, now = (_shown(one, float(figure)) for figure in (one.before, one.after))
    return f"before {was}, after {now}"


def _bars(one: Moved) -> str:
    most = max(float(one.before), float(one.after), 1.0 if one.shows != "mean" else 0.0)
    was, now = (100 * float(figure) / most for figure in (one.before, one.after))
    return (
        f'<svg width="120" height="22" role="img" aria-label="{_spoken(one)}">'
        f'<rect class="was" x="0" y="2" width="{was * 1.2:.1f}" height="8"/>'
        f'<rect class="now" x="0" y="12" width="{now * 1.2:.1f}" height="8"/></svg>'
    )
