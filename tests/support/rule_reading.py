"""Printed conditions of rules, followed by hand: the words are read, nothing else."""

import json
import re

from tests.support.reading import holds

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
PART = re.compile(r" \(by a share of ([\d.]+)\)$")
NAMES = re.compile(r"in \{([^}]*)\}|(?:is|not) (§\d+§|[^\s;:]+)")
OWN_WORDS = {"missing", "present", "true", "false", "in"}


class Reader:
    """The clauses of all rules of a tree whose columns are named feature_0, feature_1, ..."""

    def __init__(self, clauses, columns):
        self.columns = columns
        self.quoted = []
        self.text = {clause: QUOTED.sub(self._put_away, clause) for clause in clauses}
        self.named = {name for text in self.text.values() for name in self._levels(text)}

    def share(self, clause, row):
        """The share of a row that a clause lets through."""
        text = self.text[clause]
        if not text.startswith("if "):
            return self._condition(text, row)
        for place, step in enumerate(text.removeprefix("if ").split("; if also ")):
            silent, says = step.split(": ")
            if not self._condition(silent, row):
                return float(place == 0)  # the node knows, or the surrogate before knows otherwise
            if says in ("holds", "does not hold"):
                return float(says == "holds")
            if says != "never" and self._condition(says, row):
                return 1.0
        raise AssertionError(clause)

    def _put_away(self, found):
        self.quoted.append(found.group())
        return f"§{len(self.quoted) - 1}§"

    def _back(self, text):
        return re.sub(r"§(\d+)§", lambda found: self.quoted[int(found.group(1))], text)

    def _levels(self, text):
        """All levels that are named in a text."""
        for several, one in NAMES.findall(text):
            for name in several.split(", ") if several else [one] * (one not in OWN_WORDS):
                yield json.loads(self._back(name)) if "§" in name else name

    def _condition(self, text, row):
        """One column: alternatives parted by `or`, each with the share that it lets through."""
        number = int(re.search(r"feature_(\d+)", text).group(1))
        x, column = row[number], self.columns[number]
        known = column.get("levels", []) if column["kind"] == "ordered" else self.named
        gone = x is None or (column["kind"] in ("nominal", "ordered") and str(x) not in known)
        for part in text.removeprefix(f"feature_{number} ").split(" or "):
            found = PART.search(part)
            words = PART.sub("", part)
            if gone if words in ("missing", "is missing") else not gone and self._value(words, x, column):
                return float(found.group(1)) if found else 1.0
        return 0.0

    def _value(self, words, x, column):
        if words == "is present":
            return True
        if words.startswith("not "):
            return str(x) not in self._levels(words if words.startswith("not in ") else f"is {words[4:]}")
        if column["kind"] == "nominal" or (column["kind"] == "ordered" and words.startswith("is ")):
            return str(x) in self._levels(words)
        if words.startswith("is "):
            return holds(words, x, column)
        range_ = re.fullmatch(r"(.+) (<=?) feature_\d+ (.+)", words)
        if range_ is None:
            return holds(self._back(words), x, column)
        low, sign, high = range_.groups()
        above = holds(f"{'>=' if sign == '<=' else '>'} {self._back(low)}", x, column)
        return above and holds(self._back(high), x, column)
