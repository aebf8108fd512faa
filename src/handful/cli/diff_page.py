"""The page of `handful diff --html`: a single HTML file with charts."""

from __future__ import annotations

from html import escape

from handful.explore.differences import OddsChange, RulesetDiff

MAX_ROWS = 40
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem;
  color-scheme: light dark }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .2rem .6rem }
th, td.n { white-space: nowrap } td.n { text-align: right; font-variant-numeric: tabular-nums }
tr { border-top: 1px solid #8884 }
.was { fill: #8888 } .now { fill: #0072B2 } svg { vertical-align: middle }
@media print { tr { break-inside: avoid } }
"""


def diff_html(found: RulesetDiff) -> str:
    """Return the page as HTML."""
    title = escape(f"{found.before.name} → {found.after.name}")
    words = "".join(f"<li>{escape(word)}</li>" for word in found.words) or "<li>none</li>"
    changes = found.distinct_changes
    rows = "".join(_row(one) for one in changes[:MAX_ROWS])
    hidden = len(changes) - MAX_ROWS
    more = f"<p>and {hidden} more</p>" if hidden > 0 else ""
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{STYLE}</style>
<h1>{title}</h1>
<h2>Rules</h2><ul>{words}</ul>
<h2>Odds</h2><p>{len(found.changes)} of {found.compared} changed, largest change first.
A check with the same figures as a simpler one is not listed.
In the charts, the upper bar is before, the lower bar after.</p>
<table><thead><tr><th>check</th><th>before</th><th>after</th><th>chart</th></tr></thead>
<tbody>{rows}</tbody></table>{more}
</html>
"""


def _row(one: OddsChange) -> str:
    before, after = _format_figure(one, float(one.before)), _format_figure(one, float(one.after))
    return (
        f"<tr><td>{escape(one.asked)}</td>"
        f'<td class="n">{before}</td><td class="n">{after}</td><td>{_bars(one)}</td></tr>'
    )


def _format_figure(one: OddsChange, figure: float) -> str:
    return f"{figure:.2f}" if one.shows == "mean" else f"{100 * figure:.1f}%"


def _chart_label(one: OddsChange) -> str:
    """Return the text of a chart for screen readers."""
    before, after = (_format_figure(one, float(figure)) for figure in (one.before, one.after))
    return f"before {before}, after {after}"


def _bars(one: OddsChange) -> str:
    most = max(float(one.before), float(one.after), 1.0 if one.shows != "mean" else 0.0)
    before, after = (100 * float(figure) / most for figure in (one.before, one.after))
    return (
        f'<svg width="120" height="22" role="img" aria-label="{_chart_label(one)}">'
        f'<rect class="was" x="0" y="2" width="{before * 1.2:.1f}" height="8"/>'
        f'<rect class="now" x="0" y="12" width="{after * 1.2:.1f}" height="8"/></svg>'
    )
