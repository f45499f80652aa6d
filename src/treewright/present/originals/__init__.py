"""Models as the programs that their classics follow print them: `output_text`, and a module per program."""
