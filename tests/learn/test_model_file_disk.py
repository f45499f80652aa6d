"""Writing model files: at once or not at all, and nothing that cannot be read."""

import hashlib
import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from tests.learn.test_model_file import LEFT_RIGHT, X, Y
from tests.tree.test_tree import chain
from tools.fuzz_models import models, table
from treewright import ColumnType, DecisionTreeClassifier, DecisionTreeRegressor
from treewright.learn.fitted_tree import FittedTree
from treewright.learn.model_file import FileError, file_form, read, save
from treewright.tree.tree import tree_from_dict


@pytest.fixture(scope="module")
def every():
    return {name: (model, rows) for name, model, rows in models()}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.tree.json"


def test_anybody_can_check_the_hash_and_lay_the_file_out_anew(every, path):
    model = every["classes"][0]
    doc = json.loads(save(model, path).read_text(encoding="utf-8"))
    body = {key: part for key, part in doc.items() if key != "sha256"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == doc["sha256"]
    for layout in ({"indent": 2}, {"sort_keys": True}, {"separators": (",", ":")}):
        assert read(json.dumps(doc, **layout).encode()).tree == file_form(model).tree


def test_marks_that_nobody_sees_are_escaped(every, path):
    text = save(every["classes"][0], path).read_text(encoding="utf-8")
    assert "\U0001f333" in text
    assert "\u202e" not in text
    assert all(mark.isprintable() or mark == "\n" for mark in text)


def test_equal_models_have_equal_files(tmp_path):
    one, two = (save(DecisionTreeRegressor(n_jobs=n).fit(X, X[:, 0]), tmp_path / f"{n}.json") for n in (1, 2))
    assert one.read_text().replace('"n_jobs": 1', '"n_jobs": 2')[:-80] == two.read_text()[:-80]
    assert one.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_failed_write_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    save(chain(1), path)
    before = path.read_bytes()
    for name in ("fsync", "fdopen"):
        with monkeypatch.context() as patch:
            patch.setattr(f"os.{name}", _full)
            with pytest.raises(OSError, match="No space left"):
                save(chain(3), path)
        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]


def _full(*_args, **_options):
    raise OSError(28, "No space left on device")


def test_a_full_disk_leaves_the_old_file_and_nothing_else(path):
    """The system itself refuses to write more than a few bytes."""
    save(chain(1), path)
    before, large = path.read_bytes(), save(chain(5000), path.with_name("large.json"))
    program = (
        "import resource, signal, sys\n"
        "from treewright.learn.model_file import read, save\n"
        "saved = read(sys.argv[1])\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
        "try:\n    save(saved, sys.argv[2])\n"
        "except OSError as error:\n    print('refused', error.errno)\n"
    )
    command = [sys.executable, "-c", program, large, path]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.startswith("refused")
    assert path.read_bytes() == before
    assert set(path.parent.iterdir()) == {path, large}


def test_links_stay_and_rights_too(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    save(chain(1), real)
    real.chmod(0o640)
    link.symlink_to(real)
    assert save(chain(2), link) == link
    assert link.is_symlink()
    assert read(real).tree == chain(2)
    assert real.stat().st_mode & 0o777 == 0o640
    with pytest.raises(FileError, match="must be written to a file"):
        save(chain(1), tmp_path)
    with pytest.raises(FileNotFoundError):
        save(chain(1), tmp_path / "nowhere" / "m.json")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nothing.json")


def test_reading_and_predicting_need_no_scikit_learn(every, path):
    save(every["numbers"][0], path)
    program = (
        "import sys\nfrom treewright.learn.model_file import read\nimport numpy as np\n"
        "saved = read(sys.argv[1])\n"
        "names = saved.feature_names\n"
        "saved.predict({name: [None, None] for name in names})\n"
        "print([name for name in ('sklearn', 'pandas', 'polars', 'scipy') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_unpickling_runs_the_same_checks(every):
    model = every["classes"][0]
    assert pickle.loads(pickle.dumps(model)).tree_ == model.tree_
    broken = pickle.loads(pickle.dumps(model))
    first = np.array(broken.tree_.first_child)
    first[0] = 0
    broken.tree_._set("first_child", first)
    with pytest.raises(ValueError, match="children must come after their parent"):
        pickle.loads(pickle.dumps(broken))


def test_what_cannot_be_saved_is_refused(path):
    from sklearn.tree import DecisionTreeClassifier as Theirs

    class Mine(DecisionTreeClassifier):
        pass

    with pytest.raises(FileError, match="must be one of treewright's own"):
        save(Mine().fit(X, Y), path)
    for model in (Theirs().fit(X, Y), type("DecisionTreeClassifier", (), {})(), 3):
        with pytest.raises(TypeError, match="must be a fitted tree of treewright"):
            save(model, path)
    with pytest.raises(NotFittedError):
        save(DecisionTreeClassifier(), path)
    with pytest.raises(FileError, match=r'"training" must hold text, numbers, .*Got a set'):
        save(chain(1), path, training={"a": {1}})
    deep = []
    for _ in range(50):
        deep = [deep]
    with pytest.raises(FileError, match='"training" must be nested at most'):
        save(chain(1), path, training={"a": deep})
    with pytest.raises(FileError, match="valid Unicode"):
        save(chain(1), path, training={"a": "\ud800"})
    with pytest.raises(FileError, match="texts of at most"):
        save(chain(1), path, training={"a": "x" * 2**20})
    with pytest.raises(FileError, match="less than 400 digits"):
        save(chain(1), path, training={"a": 10**400})
    with pytest.raises(FileError, match="of at most 64 bits, booleans or times"):
        save(DecisionTreeClassifier().fit(X, Y.astype(np.longdouble)), path)
    with pytest.raises(FileError, match="Classes must be text, numbers, true, false or none"):
        save(replace(tree_from_dict(LEFT_RIGHT), classes=np.array([(1,), {2}], dtype=object)), path)
    with pytest.raises(FileError, match=r"Levels must be text, numbers, true or false\. Got None"):
        save(replace(chain(1), column_types=(ColumnType("ordered", (None, "a")),)), path)
    with pytest.raises(
        FileError, match="n_node_samples must be the sum of the children's, but not at node 0"
    ):
        save(replace(chain(1), n_node_samples=[5, 1, 1]), path)
    assert not path.exists()


def test_the_limits_hold_when_writing_too(path, monkeypatch):
    from treewright.learn.model_file import writer

    monkeypatch.setattr(writer, "MAX_LISTS", 10)
    with pytest.raises(FileError, match="lists and columns"):
        save(chain(1), path)
    monkeypatch.setattr(writer, "MAX_LISTS", 10**6)
    monkeypatch.setattr(writer, "MAX_BYTES", 500)
    with pytest.raises(FileError, match=r"at most 500 bytes\. Got more; prune the tree"):
        save(chain(1), path)
    assert not list(path.parent.iterdir())


def test_a_summary_may_be_given_later(path):
    saved = read(save(chain(1), path))
    assert (saved.target, saved.training) == (None, {})
    again = read(save(saved, path, target="y", training={"rows": 3}))
    assert (again.target, again.training) == ("y", {"rows": 3})
    assert isinstance(again, FittedTree)
    assert repr(again) == "<FittedTree DecisionTreeRegressor: Tree(3 nodes, 2 leaves, depth 1)>"
    assert again.feature_names is None
    frame, y = table()
    saved = file_form(DecisionTreeRegressor(max_depth=1).fit(frame, y))
    assert list(frame.columns) == list(saved.feature_names)


def test_what_cannot_be_read_back_does_not_replace_a_file(every, path, monkeypatch):
    model = every["classes"][0]
    before = save(model, path).read_bytes()
    monkeypatch.setattr("treewright.learn.model_file.writer.digest", lambda _: "0" * 64)
    with pytest.raises(FileError, match="A model must be readable from its file"):
        save(every["numbers"][0], path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]
