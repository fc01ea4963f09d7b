"""A tiny corpus, run once by Snakemake; each test works on a copy of that run."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

HOUSE = Path(__file__).resolve().parents[2]

PAGE = """<!DOCTYPE html><html lang="ja"><head><meta charset="utf-8"><title>{name}</title></head><body>
<h1>{name}の手引き</h1><p>{name}とは何かを、はじめての人のために短く説明する。</p>
<h2>{name}の準備</h2><p>{name}を使う前に、必要なものを机の上に並べておく。手順は三つだけである。</p>
<table><tr><th>項目</th><th>値</th></tr><tr><td>{name}の重さ</td><td>{weight}グラム</td></tr></table>
<h2>{name}の手入れ</h2><pre>clean --target {name}
wait {weight}</pre><p>使い終えたら乾いた布で拭き、湿気の少ない棚に戻しておくと長く使える。</p>
<h2>よくある質問</h2>
<p>Q. {name}はどのくらいの間使えますか。</p>
<p>A. {name}は正しく手入れをすれば、およそ{weight}年のあいだ同じ調子で使い続けることができます。交換は要りません。</p>
<p>Q. {name}を濡らしてしまったときはどうすればよいですか。</p>
<p>A. まず{name}の水気を布で取り、風の通る日陰で{weight}時間ほど乾かしてから、いつもの手順で点検してください。</p>
</body></html>
"""
NAMES = {"さじ": 12, "やかん": 40, "はさみ": 25, "ほうき": 33}

CONFIG = {
    "articles": "articles/*.html",
    "batches": 4,
    "split": {
        "fixed": [{"size": [60, 120]}],
        "recursive": [{"size": 60}],
        "structure": [{"size": 120, "prefix": "headings"}],
        "parent-child": [
            {"name": "r-in-s", "child": "recursive/size=60", "parent": "structure/size=120-prefix=headings"}
        ],
    },
    "retrieve": {"bm25": [{}], "lsa": [{"dimensions": 8}]},
    "measure": {"k": [2], "budgets": [200]},
    "compare": {"baseline": "fixed/size=60", "resamples": 200},
}


class Workflow:
    """A folder that Snakemake runs in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results = folder / "results"

    def configure(self, change: Callable[[dict], object] | None = None) -> None:
        config = copy.deepcopy(CONFIG)
        if change:
            change(config)
        (self.folder / "config.yaml").write_text(yaml.safe_dump(config, allow_unicode=True, sort_keys=False))

    def snakemake(
        self, *arguments: str, snakefile: Path = HOUSE / "Snakefile", cores: int | None = 2
    ) -> subprocess.CompletedProcess[str]:
        profile = HOUSE / "profiles/default"
        return subprocess.run(
            [
                *(sys.executable, "-m", "snakemake", *arguments, "--snakefile", snakefile),
                *(("--cores", str(cores)) if cores else ()),
                *("--workflow-profile", profile, "--configfile", "config.yaml"),
            ],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        )

    def run(self, *arguments: str, **options: Path | int) -> set[str]:
        """Runs Snakemake, which must end well; the results that it made or made anew."""
        before = self.dates()
        done = self.snakemake(*arguments, **options)
        assert done.returncode == 0, done.stderr[-4000:]
        after = self.dates()
        return {name for name, date in after.items() if before.get(name) != date}

    def dates(self) -> dict[str, int]:
        files = (path for path in self.results.rglob("*") if path.is_file())
        return {
            str(path.relative_to(self.results)): path.stat().st_mtime_ns
            for path in files
            if path.relative_to(self.results).parts[0] not in ("logs", "benchmarks", "timings.csv")
            and path.suffix != ".part"  # of a job that was killed
        }

    def contents(self) -> dict[str, bytes]:
        return {name: (self.results / name).read_bytes() for name in self.dates()}


def write_articles(folder: Path, names: dict[str, int] = NAMES) -> None:
    folder.mkdir(exist_ok=True)
    for name, weight in names.items():
        (folder / f"{name}.html").write_text(PAGE.format(name=name, weight=weight), encoding="utf-8")


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Workflow:
    """The tiny corpus run from nothing; not to be changed."""
    workflow = Workflow(tmp_path_factory.mktemp("whole"))
    write_articles(workflow.folder / "articles")
    workflow.configure()
    workflow.first = workflow.run()
    return workflow


@pytest.fixture
def workflow(whole_run: Workflow, tmp_path: Path) -> Workflow:
    """A copy of the whole run, dates and all."""
    folder = tmp_path / "run"
    shutil.copytree(whole_run.folder, folder)
    return Workflow(folder)


@pytest.fixture
def fresh(tmp_path: Path) -> Workflow:
    """The tiny corpus, nothing run yet."""
    workflow = Workflow(tmp_path)
    write_articles(tmp_path / "articles")
    workflow.configure()
    return workflow
