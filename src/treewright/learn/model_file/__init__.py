"""The model file: one JSON document with everything that a fitted tree needs, and nothing that is run.

`save` writes it in one step, `read` returns what is in it, and `load` makes an estimator of that. Whatever is
not a valid file is rejected with a sentence.
"""

from __future__ import annotations

from .limits import FileError
from .models import file_form
from .reader import load, read
from .writer import save

__all__ = ["FileError", "file_form", "load", "read", "save"]
