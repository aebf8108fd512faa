"""Charts in Chromium: within the content security policy, light and dark, as wide as their container."""

from __future__ import annotations

from browser_players import PHONE, open_page
from playwright.sync_api import Browser, Page, expect
from servers import ServerThread

SHOW = """async () => {
  const { html, render } = await import("/static/app/lib.js");
  const { Plotted, series } = await import("/static/ui/plot.js");
  const data = [["Ann", 3], ["<b>Bob</b>", 5]];
  const at = { x: (d) => d[1], y: (d) => d[0] };
  const second = { stroke: series(1).colour, strokeDasharray: series(1).dash };
  const draw = (Plot) => ({ marks: [
    Plot.barX(data, { ...at, fill: series(0).colour }), Plot.lineX(data, { ...at, ...second })] });
  document.body.replaceChildren();
  render(html`<${Plotted} label="How many" words="Bob has more." data=${data} draw=${draw}
    columns=${["who", "how many"]} rows=${data} />`, document.body);
}"""


def shown(browser: Browser, server: ServerThread, **context: object) -> tuple[Page, list[str]]:
    page = open_page(browser, server.url, PHONE)
    page.emulate_media(**context)  # type: ignore[arg-type]
    said: list[str] = []
    page.on("console", lambda one: said.append(one.text))
    page.on("pageerror", lambda one: said.append(str(one)))
    page.evaluate(SHOW)
    return page, said


def test_a_chart_respects_the_security_policy_and_has_text_and_a_table(
    browser: Browser, server: ServerThread
) -> None:
    page, said = shown(browser, server)
    chart = page.get_by_role("img", name="How many")
    expect(chart).to_be_visible()
    expect(page.locator("figcaption")).to_have_text("Bob has more.")
    page.get_by_text("As a table").click()
    expect(page.locator("tbody tr")).to_have_text(["Ann3", "<b>Bob</b>5"])
    assert chart.locator("rect").count() == 2
    assert page.locator("style, b").count() == 0
    assert said == []
    page.context.close()


def test_a_chart_follows_the_width_of_its_container(browser: Browser, server: ServerThread) -> None:
    page, _ = shown(browser, server)
    chart = page.get_by_role("img", name="How many")
    expect(chart).to_have_attribute("width", "360")
    page.set_viewport_size({"width": 900, "height": 700})
    expect(chart).to_have_attribute("width", "900")
    page.context.close()


def test_dark_mode_changes_the_colours(browser: Browser, server: ServerThread) -> None:
    seen = set()
    for light in ("light", "dark"):
        page, _ = shown(browser, server, color_scheme=light)
        bar = page.get_by_role("img", name="How many").locator("rect").first
        seen.add(bar.evaluate("one => getComputedStyle(one).fill"))
        page.context.close()
    assert len(seen) == 2
