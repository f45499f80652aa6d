"""Small helpers that every folder uses: messages, widths, tables, plots, progress, atomic writes."""
