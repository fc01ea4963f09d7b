"""The report of a small, hostile corpus, opened from disk in Chromium without a network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.workflow.conftest import Workflow, write_articles

playwright = pytest.importorskip("playwright.sync_api", reason="not installed: make test-browser")
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
