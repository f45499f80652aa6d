"""Programs that look after the house; none of them is part of the package."""
