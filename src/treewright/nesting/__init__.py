"""How nested dictionaries are read and written; `treewright.nested` says what they hold."""
