"""Damage model files in every way we can think of; each must load as it was, or be refused with a sentence.

    python -m tools.fuzz_files [how many] [seed]

A crash, a hang, another exception than FileError, a file that takes long or much memory, one that loads as
something else than it says or although it is not valid: each ends the run, and the file is kept.
"""

import faulthandler
import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from tools.fuzz_damage import OF_BYTES, OF_DOCUMENTS, Doc, rehashed
from tools.fuzz_models import models, unsound
from treewright.learn.fitted_tree import FittedTree
from treewright.learn.model_file import FileError, read, save
from treewright.learn.model_file.text import written
from treewright.learn.model_file.writer import document

SECONDS, MEGABYTES = 5.0, 400  # for one file; for the whole run beyond its start


class Subject:
    """A model, its file, and rows to predict."""

    def __init__(self, name: str, model: Any, rows: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = save(
                model, Path(folder) / "m.tree.json", target="y", training={"rows": 60, "notes": ["a", 1.5]}
            )
            self.data = path.read_bytes()
        self.name, self.rows, self.sha256 = name, rows, json.loads(self.data)["sha256"]


def outcome_of(subject: Subject, data: bytes, rehash: bool) -> str:
    """What became of a damaged file: "refused" or "loaded"; AssertionError if that was wrong."""
    begin, said = time.perf_counter(), "."
    saved: FittedTree | None = None
    try:
        saved = read(data)
    except FileError as error:
        said = str(error)
    assert said.endswith("."), f"no sentence: {said[:300]}"
    assert len(said) < 2000, f"a very long sentence: {said[:300]}"
    seconds = time.perf_counter() - begin
    assert seconds < SECONDS, f"it took {seconds:.1f} seconds"
    if saved is None:
        return "refused"
    if not rehash:
        assert document(saved)["sha256"] == subject.sha256, "it was changed, and nobody noticed"
        return "loaded"
    wrong = unsound(data) or _other(saved, json.loads(data))
    assert wrong is None, wrong
    _used(saved, subject.rows)
    return "loaded, with another hash"


def _other(saved: FittedTree, doc: Doc) -> str | None:
    """Where what was loaded says something else than the file; arrays of zeros may be left out."""
    again = json.loads("".join(written(document(saved))))
    for part in ("kind", "estimator", "target", "params", "unsaved", "fitted", "decision", "training"):
        if again[part] != doc[part]:
            return f"{part} was changed"
    if again["schema"]["classes"] != doc["schema"]["classes"]:
        return "the classes were changed"
    pairs = [(doc["tree"], again["tree"])]
    pairs.append((doc["tree"].get("surrogates", {}), again["tree"].get("surrogates", {})))
    for ours, theirs in pairs:
        for name in (ours.keys() & theirs.keys()) - {"found_by", "found_by_names", "surrogates"}:
            if ours[name] != theirs[name]:
                return f"{name} was changed"
    return None


def _used(saved: FittedTree, rows: Any) -> None:
    """Nothing that loads may crash what reads it; a table may not suit it any more."""
    model = saved.to_estimator()
    np.asarray(saved.tree.depth)
    columns = [np.full(4, np.nan) for _ in range(saved.tree.n_features)]
    names = saved.feature_names or range(saved.tree.n_features)
    for given in (rows, dict(zip(names, columns, strict=True))):
        try:
            found = saved.predict(given)
            if hasattr(given, "shape"):
                assert np.array_equal(found, model.predict(given)), "the estimator predicts something else"
        except (ValueError, TypeError):
            continue


def run(count: int, seed: int = 0) -> Counter[str]:
    """Damage so many files and check each; the file that fails is kept."""
    subjects = [Subject(*each) for each in models()]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found: Counter[str] = Counter()
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        subject, rehash = rng.choice(subjects), rng.random() < 0.7
        if rehash:
            doc = json.loads(subject.data)
            damage: Any = rng.choice(OF_DOCUMENTS)
            damage(rng, doc)
            try:
                data = rehashed(doc)
            except ValueError:  # a number that json refuses to write; the hash does not matter then
                data = b"{}"
        else:
            damage = rng.choice(OF_BYTES)
            data = damage(rng, subject.data)
        try:
            found[outcome_of(subject, data, rehash)] += 1
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
            assert grown < MEGABYTES, f"memory has grown by {grown:.0f} megabytes"
        except Exception as error:
            kept = Path(tempfile.gettempdir()) / f"treewright-damaged-{seed}-{number}.json"
            kept.write_bytes(data)
            raise AssertionError(
                f"File {number} ({subject.name}, {damage.__name__}): {error!r}; see {kept}"
            ) from error
    return found


def main() -> int:
    """Run as a program; a hang ends it with a traceback."""
    count, seed = (int(text) for text in (*sys.argv[1:3], *["100000", "0"][len(sys.argv) - 1 :]))
    begin, step = time.perf_counter(), 5000
    total: Counter[str] = Counter()
    for part in range(0, count, step):
        faulthandler.dump_traceback_later(600, exit=True)
        total += run(min(step, count - part), seed * 1_000_000 + part)
    faulthandler.cancel_dump_traceback_later()
    words = ", ".join(f"{number:,} {word}" for word, number in sorted(total.items()))
    seconds = time.perf_counter() - begin
    print(f"{count:,} damaged files in {seconds:.0f} s: {words}; no crash, hang or silent change")
    return 0


if __name__ == "__main__":
    sys.exit(main())
