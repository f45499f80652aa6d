"""The payload and the assets → one HTML file. Nothing of the payload can end its script or begin another."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

ASSETS = ("page.html", "page.css", "page.js")
MARKS = ("TITLE", "POLICY", "STYLE", "DATA", "SCRIPT")
# Marks that could end the data block, open another tag or comment, or end a line of a script.
ESCAPED = {mark: f"\\u{mark:04x}" for mark in map(ord, "<>&\u2028\u2029")}
# What would end a style or a script before its time.
FORBIDDEN = {"page.css": ("</style",), "page.js": ("</script", "<!--")}
TITLE_LENGTH = 200


@cache
def assets() -> dict[str, str]:
    """The template, the style and the script, as they ship."""
    folder = files(__package__) / "assets"
    return {name: (folder / name).read_bytes().decode("utf-8") for name in ASSETS}


def document(payload: Mapping[str, Any], parts: Mapping[str, str] | None = None) -> str:
    """The whole page. `parts` are the assets by name; None: those that ship."""
    parts = assets() if parts is None else parts
    for name, words in FORBIDDEN.items():
        for word in (*words, "\r"):
            if word in parts[name].lower():
                raise ValueError(
                    f"{name} must not have {word!r}: a browser would not run it. Build it again."
                )
    title = well_formed(" ".join(str(payload.get("title", "")).split())[:TITLE_LENGTH])
    filled = {
        "TITLE": html.escape(title),
        "POLICY": policy(parts["page.css"], parts["page.js"]),
        "STYLE": parts["page.css"],
        "DATA": data_text(payload),
        "SCRIPT": parts["page.js"],
    }
    template = parts["page.html"]
    for mark in MARKS:
        if (count := template.count(f"@@{mark}@@")) != 1:
            got = f"Got {count} of them. Build the page again."
            raise ValueError(f"page.html must have the mark @@{mark}@@ once. {got}")
    # In one pass, so that a mark inside the inserted text stays text.
    return re.sub("@@({})@@".format("|".join(MARKS)), lambda found: filled[found[1]], template)


def data_text(payload: Mapping[str, Any]) -> str:
    """The payload as JSON that is inert in HTML: it has no <, > or & and no line separator."""
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return well_formed(text.translate(ESCAPED))


def well_formed(text: str) -> str:
    """Text that can be written: halves of characters are replaced."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def policy(style: str, script: str) -> str:
    """The content security policy: this script, this style, pictures from data, and no network."""
    return (
        f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    """How a content security policy names a text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
