"""The tables of a C export: nodes, surrogates, levels, outcomes and linear leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...tree.split_test import SplitTest
from .c_row import Field, int64, number, safe, whole_cut
from .form import Form
from .tables import is_strict, node_words


@dataclass
class Parts:
    """What the parts of a C file are made of."""

    form: Form
    fields: list[Field]
    name: str  # before every public name
    has: set[str]  # sections of the template

    @property
    def predicted(self) -> str:
        """The type of a prediction."""
        return "int32_t" if self.form.is_classifier else "double"


def table(kind: str, name: str, entries: Iterable[str], per_line: int = 8) -> str:
    """A constant array; C has none without entries."""
    each = list(entries) or ["0"]
    lines = [", ".join(each[k : k + per_line]) for k in range(0, len(each), per_line)]
    return f"static const {kind} {name}[] = {{\n  " + ",\n  ".join(lines) + "\n};"


def commented(kind: str, name: str, entries: Sequence[str], words: Sequence[str]) -> str:
    """A constant array with a comment behind each entry."""
    lines = [f"  {entry}, /* {safe(said)} */" for entry, said in zip(entries, words, strict=True)]
    return "\n".join([f"static const {kind} {name}[] = {{", *lines, "};"])


@dataclass
class Tables(Parts):
    """All tables of one tree."""

    level_code: list[int] = field(default_factory=list)
    level_child: list[int] = field(default_factory=list)

    def _test(self, test: SplitTest) -> str:
        begin = len(self.level_code)
        pairs = sorted((code, child) for child, codes in enumerate(test.levels) for code in codes)
        self.level_code += [code for code, _ in pairs]
        self.level_child += [child for _, child in pairs]
        strict, cut, whole = is_strict(test), 0.0, 0
        kind = self.fields[test.feature].kind if test.feature < len(self.fields) else "sum"
        if kind in {"time", "whole", "natural"}:
            whole, strict = whole_cut(test, kind == "natural")
        elif not test.is_nominal:
            cut = float(test.threshold)
        shown = f"(int64_t)UINT64_C({whole})" if whole > 2**63 - 1 else int64(whole)
        flags = f"{int(strict)}, {int(test.reversed)}"
        return f"{{{test.feature}, {flags}, {begin}, {len(self.level_code)}, {number(cut)}, {shown}}}"

    def text(self) -> str:
        """The declarations of all tables."""
        form = self.form
        if "steps" in self.has:
            parts = [self._steps()]
        else:
            leaf = "{-1, 0, 0, 0, 0, 0.0, INT64_C(0)}"
            nodes: list[str] = []
            behind: list[str] = []
            for node, test in enumerate(form.tests):
                own = leaf if test is None else self._test(test)
                begin = len(behind)
                behind += [self._test(each) for each in form.surrogates[node]]
                rest = f"{form.first_child[node]}, {form.missing[node]}, {form.n_children[node]}"
                nodes.append(f"{{{own}, {rest}, {begin}, {len(behind)}}}")
            parts = [commented(f"{self.name}_node", "NODES", nodes, node_words(form))]
            if behind:
                parts.append(table(f"{self.name}_test", "SURROGATES", behind, 1))
            if "levels_tested" in self.has:
                parts.append(table("int32_t", "LEVEL_CODE", map(str, self.level_code), 24))
                parts.append(table("int32_t", "LEVEL_CHILD", map(str, self.level_child), 24))
        return "\n\n".join([*parts, *self._outcomes(), *self._sharing()])

    def _steps(self) -> str:
        """Nodes packed: threshold, byte of the field with the side of missing values, left child."""
        form, n = self.form, self.name
        entries = []
        for node, test in enumerate(form.tests):
            if test is None:
                entries.append(f"{{INFINITY, 0, {node}u}}")
                continue
            cut = float(test.threshold)
            cut = float(np.nextafter(cut, -np.inf)) if is_strict(test) else cut
            place = f"{8 * test.feature * 2 + (form.missing[node] != 0)}u"
            entries.append(f"{{{number(cut)}, {place}, {form.first_child[node]}u}}")
        head = f"typedef struct {{ double cut; uint32_t place, left; }} {n}_step;"
        return head + "\n\n" + commented(f"{n}_step", "STEPS", entries, node_words(form))

    def _outcomes(self) -> Iterable[str]:
        form = self.form
        width, ends = sum(form.sizes), set(form.ends)
        if "computes" in self.has or "linear" in self.has:
            yield f"#define WIDTH {width}"
        if "linear" in self.has:
            yield from self._models()
        elif "computes" in self.has:
            values = form.values
            flat = [
                ", ".join(number(x) for k, size in enumerate(form.sizes) for x in values[node, k, :size])
                if node in ends
                else ", ".join(["0"] * width)
                for node in range(len(form.tests))
            ]
            yield table("double", "VALUES", flat, 1)
        if "prediction" in self.has and form.is_classifier and "decides" not in self.has:
            labels = form.labels
            flat = [", ".join(map(str, labels[node].tolist())) for node in range(len(form.tests))]
            yield table("int32_t", "LABELS", flat, 16)
        if "costs" in self.has and "prediction" in self.has:
            yield table("double", "COSTS", [number(x) for row in form.costs or [] for x in row])

    def _models(self) -> Iterable[str]:
        form, models = self.form, self.form.leaf_models
        assert models is not None
        yield f"#define SCORES {models.n_scores}"
        yield (
            "/* A term: column, level (-2: the number itself; -1: whether it is missing), centre. */\n"
            f"typedef struct {{ int32_t column, level; double centre; }} {self.name}_term;"
        )
        terms = zip(models.feature.tolist(), models.level.tolist(), models.centre.tolist(), strict=True)
        shown = [f"{{{form.place[feature]}, {level}, {number(centre)}}}" for feature, level, centre in terms]
        yield table(f"{self.name}_term", "TERMS", shown or ["{0, 0, 0.0}"], 4)
        yield table("int32_t", "TERM_BEGIN", map(str, models.begin.tolist()), 16)
        for name in ("coefficient", "constant", "lower", "upper"):
            yield table("double", name.upper(), map(number, getattr(models, name).ravel().tolist()))

    def _sharing(self) -> Iterable[str]:
        form = self.form
        if not form.shares_rows:
            return
        most = np.ones(len(form.tests), dtype=np.int64)  # of nodes that wait on the path to each node
        for node in range(len(form.tests)):
            for child in form.children(node):
                most[child] = most[node] + form.n_children[node] - 1
        yield f"#define MOST_OPEN {int(most.max())}\n#define MOST_ENDS {len(form.ends)}"
        yield table("double", "SHARE", map(number, form.share))
        if form.pooled and self.has & {"probabilities", "regression"}:
            root = [number(x) for k, size in enumerate(form.sizes) for x in form.values[0, k, :size]]
            yield table("double", "ROWS_BEHIND", map(number, form.rows_behind.tolist()))
            yield f"#define STRENGTH {number(form.pooled)}\n" + table("double", "ROOT", root)
