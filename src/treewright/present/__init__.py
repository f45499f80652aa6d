"""Output: text, drawings, plots, exports, the report page and the command line.

- `text/`: a tree as text: `export_text` in full, `show` collapsed to fit a terminal
- `drawing/`: a tree as SVG, PNG or PDF, and with matplotlib; `colours` has the palette
- `plots/`: decision regions, impurity functions, coefficient paths, norm balls
- `export/`: other formats; one file each
- `page/`: the report page; `sections` lists its parts
- `command/`: the command line; one file per subcommand
"""
