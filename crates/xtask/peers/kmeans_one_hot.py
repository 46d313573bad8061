"""k-means of scikit-learn on a one-hot table: kmeans_one_hot.py TABLE.csv[.gz] SPEC.json K ROUNDS

SPEC.json: {"numeric": {column: [low, high]}, "categorical": [column, ...], "starts": [[row, ...], ...]}.
Measured is one fit per list of starting rows; reading and encoding are not.
"""

import json
import sys
import warnings

# The folder is source; a run must not leave compiled files in it.
sys.dont_write_bytecode = True

import numpy as np
import pandas as pd
from measured import measured, report
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning


def one_hot(table_path, spec):
    """Numbers in [0, 1], one half and a column of its own where missing; 0/1 per symbol, the empty one included."""
    names = [*spec["numeric"], *spec["categorical"]]
    frame = pd.read_csv(table_path, usecols=names, dtype=str, keep_default_na=False)
    parts = []
    for name, (low, high) in spec["numeric"].items():
        texts = frame[name].to_numpy(dtype=object)
        missing = texts == ""
        numbers = np.where(missing, (low + high) / 2, texts).astype(np.float64)
        parts.append(np.clip((numbers - low) / (high - low), 0, 1)[:, None])
        if missing.any():
            parts.append(missing[:, None])
    for name in spec["categorical"]:
        codes, symbols = pd.factorize(frame[name], sort=True)
        parts.append(codes[:, None] == np.arange(len(symbols))[None, :])
    encoded = np.empty((len(frame), sum(part.shape[1] for part in parts)))
    np.concatenate(parts, axis=1, out=encoded, casting="unsafe")
    return encoded


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8") as file:
        spec = json.load(file)
    n_clusters, rounds = map(int, sys.argv[3:5])
    points = one_hot(sys.argv[1], spec)
    # Stopping at the last allowed round is what the caller asked for.
    warnings.simplefilter("ignore", ConvergenceWarning)

    def fit_all():
        return [
            KMeans(n_clusters, init=points[rows], n_init=1, max_iter=rounds, tol=0).fit(points)
            for rows in spec["starts"]
        ]

    fits, seconds = measured(fit_all)
    report(
        seconds,
        costs=[float(fitted.inertia_) for fitted in fits],
        rounds=[int(fitted.n_iter_) for fitted in fits],
        shape=list(points.shape),
    )


if __name__ == "__main__":
    main()
