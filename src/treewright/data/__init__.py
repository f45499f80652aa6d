"""Tables and targets: from any frame, array or file to the typed columns and the target that the core reads.

- `table`, `values`, `levels`, `typed`, `schema`: a table as columns with types (`ColumnType`)
- `columns`, `few_rows`: the columns as the core reads them, at fit and at predict
- `target`, `classes`, `priors`, `exposure`: y, its classes and the weights
- `files/`: CSV, Parquet and Arrow files; `examples/`: the bundled tables
- `common/`: small helpers that every other folder uses
"""
