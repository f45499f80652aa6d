"""Printed trees, followed by hand: conditions, row counts and the last sentences are read, nothing else."""

import json
import re

import numpy as np

LEVEL = re.compile(r'"(?:[^"\\]|\\.)*"|[^,{}" ]+')


def levels_in(text):
    """The level names of `a`, `"a b"` or `{a, "a b"}`."""
    return [json.loads(part) if part.startswith('"') else part for part in LEVEL.findall(text)]


def value_of(text, kind):
    if kind == "datetime":
        return int(np.datetime64(text.replace(" ", "T"), "us").astype(np.int64))
    if kind == "duration":
        return duration_of(text)
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def duration_of(text):
    days, sign, clock = re.fullmatch(r"(?:(-?\d+) days?)? ?(\+?)([\d:.]*)", text).groups()
    hours, minutes, seconds = (clock or "0:0:0").split(":")
    micros = round((int(hours) * 3600 + int(minutes) * 60) * 10**6 + float(seconds) * 10**6)
    assert bool(sign) == (days is not None and int(days) < 0 and micros > 0)
    return int(days or 0) * 86_400 * 10**6 + micros


def holds(condition, x, column):
    """Whether a value meets `<= 3`, `in {a, b}`, `= a`, `is true`; None if its level is not known."""
    sign, text = condition.split(None, 1)
    if sign == "is":
        return x == (text == "true")
    if sign in ("=", "in"):
        return str(x) in levels_in(text)
    if column["kind"] == "ordered":
        if x not in column["levels"]:
            return None
        x, bound = column["levels"].index(x), column["levels"].index(levels_in(text)[0])
    else:
        bound = value_of(text, column["kind"])
    return {"<=": x <= bound, "<": x < bound, ">": x > bound, ">=": x >= bound}[sign]


def choice(branches, row, columns):
    """The place of the condition that a row meets among `feature_3 <= 2`, ...; None if none or missing."""
    for place, branch in enumerate(branches):
        number, condition = re.fullmatch(r"feature_(\d+) (.*)", branch).groups()
        x = row[int(number)]
        if x is not None and condition == "is present":
            return place
        if x is not None and condition != "is missing" and holds(condition, x, columns[int(number)]):
            return place
    return None


def follow(text, row, columns):
    """The value of a row by a printed tree."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    end, total = len(lines), 0.0
    open_ = [(0, end, 1.0)]
    while open_:
        begin, end, share = open_.pop()
        if re.match(r"[| ]*\|--- value: ", lines[begin]):
            total += share * float(lines[begin].split("value: ")[1].split()[0])
            continue
        depth = lines[begin].index("---")
        heads = [k for k in range(begin, end) if lines[k].find("---") == depth]
        spans = dict(zip(heads, [*heads[1:], end], strict=True))
        found = step({k: lines[k][depth + 4 :] for k in heads}, lines, row, columns)
        if isinstance(found, float):
            total += share * found
        else:
            open_ += [(k + 1 + skip(lines, k), spans[k], share * part) for k, part in found]
    return total


def skip(lines, head):
    """How many surrogates stand under a branch."""
    count = 0
    while head + 1 + count < len(lines) and re.match(r"[| ]*surrogate: ", lines[head + 1 + count]):
        count += 1
    return count


def step(heads, lines, row, columns):
    """The value where a row stops, or the lines of the branches that it takes with their shares."""
    last = [*heads.values()][-1]
    ends = re.match(r"feature_\d+ is missing: (stops here|goes down)", last)
    branches = dict(list(heads.items())[: len(heads) - bool(ends)])
    counts = [
        int(found.group(1)) if (found := re.search(r"  \[(\d+) rows?", text)) else 0
        for text in branches.values()
    ]
    plain = [re.sub(r"  \[[^\]]*\]$", "", text) for text in branches.values()]
    places, told = (
        list(branches),
        [k for k, text in enumerate(plain) if text.endswith((" or missing", " is missing"))],
    )
    child = choice([text.removesuffix(" or missing") for text in plain], row, columns)
    for rank in range(skip(lines, places[0])):
        if child is None:
            extra = [
                re.sub(r" \(agreement [^)]*\)$", "", lines[k + 1 + rank].split("surrogate: ", 1)[1])
                for k in places
            ]
            child = choice(extra, row, columns)
    if child is None and ends and ends.group(1) == "stops here":
        return float(last.split("value: ")[1])
    if child is None and ends:
        shares = re.search(r"\((.*)\)", last).group(1).split(", ")
        return [(k, float(share)) for k, share in zip(places, shares, strict=True)]
    if child is None:
        child = told[0] if told else max(range(len(counts)), key=lambda k: (counts[k], k))
    return [(places[child], 1.0)]


# -- DOT

TEXT = r'"((?:[^"\\]|\\.)*)"'


def spoken(text):
    """What a DOT string shows, lists on one line again."""
    shown = re.sub(r"\\(.)", lambda found: "\n" if found.group(1) == "n" else found.group(1), text)
    return shown.replace("&amp;", "&").replace(",\n", ", ").split("\n")


def read_dot(dot):
    """The lines of every box, and the children of every node with the words at their arrows."""
    boxes = {
        int(node): spoken(text) for node, text in re.findall(rf"^(\d+) \[label={TEXT}", dot, re.MULTILINE)
    }
    arrows = {node: {} for node in boxes}
    for parent, child, text in re.findall(rf"^(\d+) -> (\d+)(?: \[label={TEXT}\])?", dot, re.MULTILINE):
        arrows[int(parent)][int(child)] = spoken(text)[0]
    return boxes, arrows


def follow_dot(dot, row, columns):
    """The value of a row by a tree in DOT without surrogates."""
    boxes, arrows = read_dot(dot)
    open_, total = [(0, 1.0)], 0.0
    while open_:
        node, share = open_.pop()
        value = float(boxes[node][-1].removeprefix("value = "))
        if not arrows[node]:
            total += share * value
            continue
        number, test = re.fullmatch(r"feature_(\d+) ?(.*)", boxes[node][0]).groups()
        missing = [line for line in boxes[node] if line.startswith("missing ")]
        children, words = list(arrows[node]), list(arrows[node].values())
        place = dot_choice(test, words, row[int(number)], columns[int(number)])
        if place is not None:
            open_.append((children[place], share))
        elif missing == ["missing stops here"]:
            total += share * value
        elif missing == ["missing goes down every branch"]:
            told = next(line for line in boxes[node] if line.startswith("by share"))
            parts = re.search(r"\((.*)\)", told).group(1).split(", ")
            open_ += [(child, share * float(part)) for child, part in zip(children, parts, strict=True)]
        else:
            told = [k for k, text in enumerate(words) if text.endswith("missing")]
            told += [int(missing[0] == "missing goes right")] if missing else []
            told += [1] if test == "is present" else []
            rows = [
                int(re.search(r"samples = (\d+)", "\n".join(boxes[child])).group(1)) for child in children
            ]
            open_.append(
                (children[told[0] if told else max(range(len(rows)), key=lambda k: (rows[k], k))], share)
            )
    return total


def dot_choice(test, words, x, column):
    """The child that a value goes to by the words at the arrows, or where there are none by the test."""
    if x is None:
        return None
    if test == "is present":
        return 0
    if column["kind"] == "ordered" and x not in column["levels"]:
        return None
    if not words[0]:
        return 0 if holds(test, x, column) else 1
    for place, text in enumerate(words):
        condition = text.removesuffix(" or missing")
        condition = f"in {condition}" if column["kind"] == "nominal" else condition
        if text != "missing" and holds(condition, x, column):
            return place
    return None
