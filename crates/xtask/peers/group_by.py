"""One group-by of pandas over all columns: group_by.py TABLE.csv

Measured is the group-by alone, on columns that are coded already (text as categories, numbers as they are).
"""

import sys

# The folder is source; a run must not leave compiled files in it.
sys.dont_write_bytecode = True

import pandas as pd
from measured import measured, report


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    frame = pd.read_csv(sys.argv[1])
    for name in frame.columns:
        if frame[name].dtype.kind not in "if":
            frame[name] = frame[name].astype("category")
    names = list(frame.columns)
    sizes, seconds = measured(lambda: frame.groupby(names, observed=True, sort=False).size())
    report(seconds, rows=len(frame), groups=len(sizes))


if __name__ == "__main__":
    main()
