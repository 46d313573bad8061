"""Clusters a release: python recipient.py FOLDER (needs pandas, scikit-learn; pyarrow for Parquet)."""
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans

folder = Path(sys.argv[1])
manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
one_hot = manifest["cluster"]["encoding"] == "one-hot"


def read(name):
    """A table with every cell as text, a missing one empty."""
    if name.endswith(".parquet"):
        return pd.read_parquet(folder / name).astype(object).where(lambda cells: cells.notna(), "").astype(str)
    return pd.read_csv(folder / name, dtype=str, keep_default_na=False)


def code_of_values(column):
    """A function from a raw value of a column to its coordinates."""
    weight = 1.0 if one_hot else column["weight"]
    if column["kind"] in ("numeric", "date"):
        number = float if column["kind"] == "numeric" else lambda text: pd.Timestamp(text).timestamp()
        low, high = (number(bound) for bound in column["bounds"])

        def code(value):
            if value == "":
                return np.array([0.5 * weight**0.5, 1.0 if one_hot else (weight / 2) ** 0.5])
            return np.array([(number(value) - low) / (high - low) * weight**0.5, 0.0])

        return code
    above = column["tree"]["above"]
    node_of = {label: node for node, label in enumerate(column["tree"]["labels"])}
    depth = [0] * len(above)
    for node in range(1, len(above)):
        depth[node] = depth[above[node]] + 1
    step = (weight / (2 * max(depth))) ** 0.5

    def code(value):
        coordinates = np.zeros(len(above))
        node = node_of[value]
        if one_hot:
            coordinates[node] = 1.0
            return coordinates
        while node != 0:
            coordinates[node] = step
            node = above[node]
        return coordinates

    return code


def coordinates(column, data, positions):
    """The coordinates of every row in one column."""
    code = code_of_values(column)
    is_words = column["kind"] in ("categorical", "set")
    if not column["masked"] or (one_hot and is_words):
        keys, place = data[column["name"]], code
    else:
        keys = data[column["name"]]
        if manifest["positions"]["keyed_by"] == "group":
            groups = read(column["groups"])
            shared = [name for name in groups.columns if name != "_group"]
            keys = data[shared].merge(groups, on=shared, how="left")["_group"]
        of_key = positions[positions["column"] == column["name"]].groupby(positions.columns[1])
        shares = {key: list(zip(lines["value"], lines["share"].astype(float))) for key, lines in of_key}
        place = lambda key: sum(share * code(value) for value, share in shares[key])
    by_group = column["masked"] and manifest["positions"]["keyed_by"] == "group" and not one_hot
    if column["kind"] == "set" and not by_group:
        together = np.sum if one_hot else np.mean
        place_item = place
        place = lambda text: together([place_item(item) for item in text.split(column["separator"])], axis=0)
    numbers, different = pd.factorize(keys)
    return np.array([place(key) for key in different])[numbers]


data = read(manifest["data"]["file"])
positions = read(manifest["positions"]["file"])
points = np.hstack([coordinates(column, data, positions) for column in manifest["columns"]])
model = KMeans(n_clusters=manifest["cluster"]["clusters"], n_init=10, random_state=0).fit(points)
spread = ((points - points.mean(axis=0)) ** 2).sum()
print(f"{len(data)} rows, spread {spread:.9g}, cost {model.inertia_:.9g}")
pd.DataFrame({"row": range(1, len(data) + 1), "cluster": model.labels_ + 1}).to_csv("clusters.csv", index=False)
