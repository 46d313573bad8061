"""k-means of scikit-learn on raw numbers: kmeans.py POINTS.f64 START.f64 N D K ROUNDS

Both files hold little-endian f64 values row by row: N rows of D points, K rows of D starting centres.
"""

import sys
import warnings

# The folder is source; a run must not leave compiled files in it.
sys.dont_write_bytecode = True

import numpy as np
from measured import measured, report
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning


def main():
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    points_path, start_path = sys.argv[1:3]
    n_rows, n_columns, n_clusters, rounds = map(int, sys.argv[3:7])
    points = np.fromfile(points_path, dtype="<f8").reshape(n_rows, n_columns)
    start = np.fromfile(start_path, dtype="<f8").reshape(n_clusters, n_columns)
    # Stopping at the last allowed round is what the caller asked for.
    warnings.simplefilter("ignore", ConvergenceWarning)
    clusterer = KMeans(n_clusters, init=start, n_init=1, max_iter=rounds, tol=0, algorithm="lloyd")
    fitted, seconds = measured(lambda: clusterer.fit(points))
    report(seconds, cost=float(fitted.inertia_), rounds=int(fitted.n_iter_))


if __name__ == "__main__":
    main()
