"""The report as a person sees and uses it: of a small, hostile corpus, opened from disk in Chromium, offline."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.workflow.conftest import Workflow, write_articles

playwright = pytest.importorskip("playwright.sync_api", reason="not installed: make test-browser")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="not installed: make test-browser")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

BAD = """<script>window.hacked = 1</script>"""
ESCAPED = BAD.replace("<", "&lt;")
HOSTILE = f"""<!DOCTYPE html><html lang="ja"><head><meta charset="utf-8"><title>x</title></head><body>
<h1>{ESCAPED} \u202e題名 {{{{7*7}}}}</h1><p>普通の段落で、とくに何も起きないことを確かめる。</p>
<h2>表</h2><table><tr><th>名</th></tr><tr><td>{"大" * 350_000}</td></tr><tr><td>小さな値</td></tr></table>
<h2>よくある質問</h2>
<p>Q. &lt;/script&gt;{ESCAPED}とは何をするものですか。</p>
<p>A. それは&lt;img src=x onerror="window.hacked=2"&gt;と書いても何も起きない、ただの文字の並びなのです。</p>
<p>Q. <a href="javascript:window.hacked=3">javascript:alert(1)</a>を押すとどうなりますか。</p>
<p>A. 何も起きません。\u202e右から左へ\u202cの印があっても、ほかの文の並びは変わらず、答えは最後まで正しく読めます。</p>
</body></html>
"""


@dataclass
class Seen:
    """A page, and what went wrong in it."""

    page: playwright.Page
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Workflow:
    """A run whose articles, names and questions would break out of a page if they could."""
    workflow = Workflow(tmp_path_factory.mktemp("browser"))
    write_articles(workflow.folder / "articles")
    name = "'\"><img src=x onerror=window.hacked=4>.html"
    (workflow.folder / "articles" / name).write_text(HOSTILE, encoding="utf-8")
    workflow.configure(lambda config: config["measure"].update(k=[2], budgets=[200]))
    workflow.run()
    return workflow


@pytest.fixture(scope="session")
def chromium() -> Iterator[playwright.Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: playwright.Browser, report: Workflow) -> Iterator[Seen]:
    """The report in a fresh window, the network off; nothing may go wrong in it."""
    context = chromium.new_context(offline=True, viewport={"width": 1280, "height": 900})
    seen = open_page(context, report.results / "report.html")
    yield seen
    context.close()
    assert seen.problems == []
    assert seen.requests == [(report.results / "report.html").as_uri()]


def open_page(context: playwright.BrowserContext, path: Path) -> Seen:
    page = context.new_page()
    seen = Seen(page)
    page.on("console", lambda message: seen.problems.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: seen.problems.append(str(error)))
    page.on("request", lambda request: seen.requests.append(request.url))
    page.goto(path.as_uri())
    return seen


def look_at_all(seen: Seen) -> None:
    """Scrolls through the page, so that everything is drawn."""
    page = seen.page
    for chart in page.locator(".chart").all():
        chart.scroll_into_view_if_needed()
        chart.locator("svg").first.wait_for()
    page.locator("#details").scroll_into_view_if_needed()
    page.locator("#one h3").wait_for()
    page.locator("#cut-list > *").first.wait_for()


def count_of(page, number: int) -> None:
    """Waits until so many questions are listed."""
    playwright.expect(page.locator("#question option")).to_have_count(number)


def rows(seen: Seen) -> list[list[str]]:
    return [row.locator("th, td").all_inner_texts() for row in seen.page.locator("#table tbody tr:visible").all()]


def test_all_of_it_is_drawn_without_a_network_and_without_a_word_on_the_console(opened: Seen) -> None:
    look_at_all(opened)
    assert opened.page.locator(".chart svg").count() == 8
    assert opened.page.evaluate("window.hacked") is None  # and the fixture looks at console and requests


def test_what_would_be_markup_is_text(opened: Seen) -> None:
    look_at_all(opened)
    page = opened.page
    page.locator("#search").fill("</script")
    count_of(page, 1)
    assert f"</script>{BAD}とは何をするものですか。" in page.locator("#one h3").inner_text()
    assert BAD in page.locator("#one").inner_text()  # the title
    assert "onerror=window.hacked=4" in page.locator("#one").inner_text()  # the name of the file
    assert page.locator("#one img, #one script, #one a, td a").count() == 0
    assert page.locator("script:not([type])").count() == 2
    assert page.evaluate("window.hacked") is None
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none';")
    # A script put in by hand does not run, nor a text as code: the page forbids it.
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.hacked = 5'}))")
    assert page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in problem for problem in opened.problems)
    opened.problems.clear()


def test_a_cell_of_a_megabyte_is_shown_in_part(opened: Seen, report: Workflow) -> None:
    look_at_all(opened)
    assert (report.results / "report.html").stat().st_size < 4_000_000
    page = opened.page
    blocks = page.locator("#cut-list .block").all()
    (large,) = [block for block in blocks if "onerror" in block.locator("summary").inner_text()]
    large.locator("summary").click()
    shown = large.locator(".text").inner_text()
    assert len(shown) < 10_000
    assert re.search(r"… 34\d,\d\d\d …", shown)


def test_directions_of_text_stay_within(opened: Seen) -> None:
    look_at_all(opened)
    page = opened.page
    page.locator("#search").fill("javascript")
    count_of(page, 1)
    place = page.locator("#one .quiet bdi").first
    assert place.evaluate("(element) => getComputedStyle(element).unicodeBidi") == "isolate"
    assert page.locator("#one .text").first.evaluate("(e) => getComputedStyle(e).unicodeBidi") == "isolate"


def test_the_table_is_sorted_by_a_click_and_by_the_keyboard(opened: Seen, report: Workflow) -> None:
    metrics = pq.read_table(report.results / "metrics.parquet").to_pylist()
    assert len(rows(opened)) == len(metrics) == 10
    head = opened.page.locator("th[data-column='chunks'] button")
    head.click()
    names = [(row[1], row[2]) for row in rows(opened)]
    most = sorted(metrics, key=lambda row: -row["chunks"])
    assert [split for split, _ in names[:2]] == [most[0]["split"]] * 2
    assert opened.page.locator("th[data-column='chunks']").get_attribute("aria-sort") == "descending"
    head.focus()
    opened.page.keyboard.press("Enter")
    assert [row[1] for row in rows(opened)][-1] == most[0]["split"]
    assert opened.page.locator("th[aria-sort]").count() == 1


def test_the_table_is_filtered_and_taken_along_as_csv(opened: Seen, report: Workflow) -> None:
    page = opened.page
    page.locator("#filter").fill("fixed bm25")
    assert {(row[1], row[2]) for row in rows(opened)} == {(f"fixed/size={size}", "bm25/default") for size in (60, 120)}
    assert page.locator("#count").inner_text() == "2 of 10 cells"
    with page.expect_download() as download:
        page.locator("#csv").click()
    found = list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig"))))
    of = {
        (row["split"], row["retriever"]): row for row in pq.read_table(report.results / "metrics.parquet").to_pylist()
    }
    assert len(found) == 2
    for row in found:
        assert float(row["budget_recall@200"]) == of[row["split"], row["retriever"]]["budget_recall@200"]
    opened.requests[:] = [url for url in opened.requests if not url.startswith("blob:")]


def test_down_to_a_question(opened: Seen, report: Workflow) -> None:
    look_at_all(opened)
    page = opened.page
    queries = {row["query"]: row for row in pq.read_table(report.results / "queries.parquet").to_pylist()}
    options = page.locator("#question option").all_inner_texts()
    assert len(options) == len(queries) == 10
    measured = {
        (row["split"], row["retriever"], row["query_id"]): row
        for row in pq.read_table(report.results / "questions.parquet").to_pylist()
    }
    asked = queries[page.locator("#one h3").inner_text()]
    columns = page.locator("#one .two > div").all()
    assert len(columns) == 2
    for column in columns:
        split, retriever = column.locator("h4").inner_text().split(" · ")
        retriever = "bm25/default" if retriever == "bm25" else "lsa/dimensions=8"
        row = measured[split, retriever, asked["query_id"]]
        said = column.locator("p").first.inner_text()
        assert said.startswith(f"{100 * row['budget_recall@200']:.1f} % of the answer, ")
        assert said.endswith(f" hits, {row['budget_chars@200']:,.0f} characters")
        # All of the answer that is handed over is marked, and nothing else.
        whole = "".join(asked["gold_text"])
        for mark in column.locator("mark").all():
            assert mark.text_content() in whole
    page.locator("#next").click()
    assert page.locator("#one h3").inner_text() != asked["query"]
    page.locator("#previous").click()
    assert page.locator("#one h3").inner_text() == asked["query"]


def test_questions_are_filtered_by_what_became_of_them(opened: Seen, report: Workflow) -> None:
    look_at_all(opened)
    page = opened.page
    label = page.locator("#first option:checked").inner_text()
    split, retriever = label.split(" · ")
    retriever = "bm25/default" if retriever == "bm25" else "lsa/dimensions=8"
    of = [
        row
        for row in pq.read_table(report.results / "questions.parquet").to_pylist()
        if (row["split"], row["retriever"]) == (split, retriever)
    ]
    page.locator("#which").select_option("wrong_article")
    losses = ("loss_split@200", "loss_article@200", "loss_place@200")
    failing = [row for row in of if row["budget_recall@200"] < 0.95]
    lost = sum(max(losses, key=lambda name: row[name]) == "loss_article@200" for row in failing)
    count_of(page, lost)
    page.locator("#second").select_option("0")  # a cell against itself
    page.locator("#which").select_option("both_fail")
    failed = sum(row["budget_recall@200"] < 0.95 for row in of)
    count_of(page, failed)
    page.locator("#which").select_option("failed_here")
    count_of(page, 0)
    assert page.locator("#one").inner_text() == ""


def test_any_two_cells_question_by_question(opened: Seen) -> None:
    page = opened.page
    page.locator("#scatter").scroll_into_view_if_needed()
    page.locator("#scatter svg").wait_for()
    assert page.locator("#scatter-x option").count() == 10
    page.locator("#scatter-x").select_option("1")
    page.locator("#scatter-y").select_option("1")
    page.wait_for_timeout(300)
    marks = page.locator("#scatter svg .mark-symbol.role-mark path").all()
    assert marks
    for mark in marks:  # a cell against itself: all stand on the line
        x, y = map(float, re.findall(r"-?[\d.]+", mark.get_attribute("transform"))[:2])
        assert x == pytest.approx(360 - y)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_screen_readers_and_keyboards_can_use_it(opened: Seen, scheme: str) -> None:
    opened.page.emulate_media(color_scheme=scheme)
    look_at_all(opened)
    found = axe.Axe().run(opened.page)
    told = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found.response["violations"]]
    assert told == []


def test_dark_is_dark_and_paper_has_no_controls(opened: Seen) -> None:
    page = opened.page
    color = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(color) == "rgb(255, 255, 255)"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(color) == "rgb(17, 22, 28)"
    page.emulate_media(media="print")
    assert not page.locator("#filter").is_visible()
    assert page.locator("#table").is_visible()


def test_in_japanese(chromium, report: Workflow) -> None:
    copy = Workflow(report.folder)
    copy.run("results/report.html", "--config", "language=ja")
    context = chromium.new_context(offline=True)
    seen = open_page(context, report.results / "report.html")
    try:
        look_at_all(seen)
        assert seen.page.locator("html").get_attribute("lang") == "ja"
        assert seen.page.locator("#decision-h").inner_text() == "結論"
        assert "再抽出" in seen.page.locator("#decision").inner_text()
        assert (
            "質問" in seen.page.locator("#question-count").inner_text()
            or "件" in seen.page.locator("#question-count").inner_text()
        )
        told = [one["id"] for one in axe.Axe().run(seen.page).response["violations"]]
        assert told == []
        assert seen.problems == []
    finally:
        context.close()
        copy.run("results/report.html")
