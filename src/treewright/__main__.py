"""`python -m treewright` is the command `treewright`."""

from .commands import main

if __name__ == "__main__":
    main()
