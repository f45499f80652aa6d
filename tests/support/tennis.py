"""The fourteen days of the textbook: is the weather good for tennis?"""

import pandas as pd

ROWS = """sunny hot high weak no
sunny hot high strong no
overcast hot high weak yes
rainy mild high weak yes
rainy cool normal weak yes
rainy cool normal strong no
overcast cool normal strong yes
sunny mild high weak no
sunny cool normal weak yes
rainy mild normal weak yes
sunny mild normal strong yes
overcast mild high strong yes
overcast hot normal weak yes
rainy mild high strong no"""
NAMES = ["outlook", "temperature", "humidity", "wind", "play"]


def tennis():
    """X and y."""
    table = pd.DataFrame([row.split() for row in ROWS.splitlines()], columns=NAMES)
    return table.drop(columns="play"), table["play"]
