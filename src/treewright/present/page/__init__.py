"""The report page: a model, its scores and its tree in one HTML file.

A report is a payload of JSON values and the document around it. Each part of the payload is made by a file of
its own, from one common `Subject`; `sections.py` has the list.
"""

from .making import Report, report

__all__ = ["Report", "report"]
