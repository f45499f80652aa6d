"""Output: text, drawings, plots, exports, the report page and the command line.

- `text/`: a tree as text, for a file or a terminal
- `drawing/`: a tree as SVG, PNG or PDF
- `plots/`: decision regions and impurity functions
- `export/`: other formats; one file each
- `page/`: the report page; `sections` lists its parts
- `command/`: the command line; one file per subcommand
"""
