"""The lesson page: the growth of a tree as a page to be played forwards and backwards."""
