"""k-prototypes of kmodes: kprototypes.py TABLE.csv SPEC.json ROUNDS

SPEC.json: {"numeric": {column: [low, high]}, "categorical": [column, ...], "start": [row, ...]}.
Numbers are shares of their range; the weight of a category is left to the package. Measured is one fit; reading and
encoding are not.
"""

import json
import sys

# The folder is source; a run must not leave compiled files in it.
sys.dont_write_bytecode = True

import numpy as np
import pandas as pd
from kmodes.kprototypes import KPrototypes
from measured import measured, report


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8") as file:
        spec = json.load(file)
    names = [*spec["numeric"], *spec["categorical"]]
    frame = pd.read_csv(sys.argv[1], usecols=names, dtype=str, keep_default_na=False)
    numbers = np.column_stack(
        [(frame[name].to_numpy(dtype=float) - low) / (high - low) for name, (low, high) in spec["numeric"].items()]
    )
    symbols = np.column_stack([pd.factorize(frame[name], sort=True)[0] for name in spec["categorical"]])
    both = np.column_stack([numbers, symbols])
    start = spec["start"]
    clusterer = KPrototypes(
        len(start),
        init=[numbers[start], symbols[start]],
        n_init=1,
        max_iter=int(sys.argv[3]),
        random_state=0,
    )
    categorical = list(range(numbers.shape[1], both.shape[1]))
    fitted, seconds = measured(lambda: clusterer.fit(both, categorical=categorical))
    report(seconds, cost=float(fitted.cost_), gamma=float(fitted.gamma), rounds=int(fitted.n_iter_))


if __name__ == "__main__":
    main()
