"""`python -m treewright` is the command `treewright`."""

from .present.command import main

if __name__ == "__main__":
    main()
