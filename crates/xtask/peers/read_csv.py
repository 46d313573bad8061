"""Reading a table into a data frame: read_csv.py {pandas|polars} TABLE.csv CATEGORICAL,COLUMNS

The named columns become categories, all others 64-bit floats. `bytes` is the size of the file.
"""

import csv
import os
import sys

# The folder is source; a run must not leave compiled files in it.
sys.dont_write_bytecode = True

from measured import measured, report


def with_pandas(path, categorical, numeric):
    import pandas as pd

    kinds = dict.fromkeys(categorical, "category") | dict.fromkeys(numeric, "float64")
    return lambda: pd.read_csv(path, engine="c", dtype=kinds)


def with_polars(path, categorical, numeric):
    import polars as pl

    kinds = dict.fromkeys(categorical, pl.String) | dict.fromkeys(numeric, pl.Float64)
    return lambda: pl.read_csv(path, schema_overrides=kinds).with_columns(pl.col(categorical).cast(pl.Categorical))


READERS = {"pandas": with_pandas, "polars": with_polars}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in READERS:
        sys.exit(__doc__)
    path = sys.argv[2]
    with open(path, newline="", encoding="utf-8") as file:
        header = next(csv.reader(file))
    categorical = [name for name in sys.argv[3].split(",") if name]
    unknown = sorted(set(categorical) - set(header))
    if unknown:
        sys.exit(f"no such columns: {', '.join(unknown)}")
    numeric = [name for name in header if name not in categorical]
    frame, seconds = measured(READERS[sys.argv[1]](path, categorical, numeric))
    report(seconds, rows=len(frame), bytes=os.path.getsize(path))


if __name__ == "__main__":
    main()
