"""The shelf of drawings: a tree as text and as a picture. Each reads a Tree and nothing else."""
