"""A tree as a drawing: SVG without dependencies, PNG and PDF through matplotlib."""
