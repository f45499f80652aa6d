"""Trees of tables in parts: the same tree as in memory, grown from coded parts wherever they are."""
