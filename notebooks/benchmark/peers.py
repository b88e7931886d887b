"""The methods of other libraries: a task a line, as JSON, an answer a line."""

import json
import os
import signal
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")


def umap_labels(x, q, labels, dims, seed):
    import umap

    m = umap.UMAP(n_components=dims, random_state=seed, n_jobs=1).fit(x, y=labels)
    return {"y": m.embedding_, "yq": m.transform(q)}


def umap_plain(x, q, labels, dims, seed):
    import umap

    m = umap.UMAP(n_components=dims, random_state=seed, n_jobs=1).fit(x)
    return {"y": m.embedding_, "yq": m.transform(q)}


def open_tsne(x, q, labels, dims, seed):
    import openTSNE

    if dims > 2:
        raise ValueError("openTSNE has at most 2 dimensions")
    m = openTSNE.TSNE(n_components=dims, random_state=seed, n_jobs=1, perplexity=min(30, (len(x) - 1) // 3)).fit(x)
    return {"y": np.asarray(m), "yq": np.asarray(m.transform(q))}


def classifier(model, x, labels):
    model.fit(x, labels)
    p = model.predict_proba(x)
    p = np.where(np.isfinite(p), p, 1 / p.shape[1])  # samples that no label reaches
    return {"p": model.classes_[p.argmax(1)], "s": p.max(1)}


def label_spreading(x, q, labels, dims, seed):
    from sklearn.semi_supervised import LabelSpreading

    return classifier(LabelSpreading(kernel="knn", n_neighbors=7), x, labels)


def self_training(x, q, labels, dims, seed):
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.semi_supervised import SelfTrainingClassifier

    z = StandardScaler().fit_transform(x)
    return classifier(SelfTrainingClassifier(LogisticRegression(max_iter=1000)), z, labels)


METHODS = {
    "umap-learn": umap_plain,
    "umap-learn, labels": umap_labels,
    "openTSNE": open_tsne,
    "LabelSpreading": label_spreading,
    "SelfTraining": self_training,
}


def names():
    import importlib.metadata as metadata
    import platform

    found, versions = [], ["Python " + platform.python_version()]
    for package, methods in (
        ("umap-learn", ("umap-learn", "umap-learn, labels")),
        ("openTSNE", ("openTSNE",)),
        ("scikit-learn", ("LabelSpreading", "SelfTraining")),
    ):
        try:
            versions.append(package + " " + metadata.version(package))
            found += methods
        except metadata.PackageNotFoundError:
            pass
    versions.append("NumPy " + metadata.version("numpy"))
    return {"Names": found, "Versions": ", ".join(versions)}


warm = set()


def warmed(method):
    """The first fit of a process imports and compiles, which is no time of a method."""
    if method not in warm:
        warm.add(method)
        x = np.random.default_rng(0).normal(size=(60, 4))
        labels = np.where(np.arange(60) < 12, np.arange(60) % 3, -1)
        METHODS[method](x, x[:5], labels, 2, 0)


def answer(task):
    if task["method"] == "names":
        return names()
    folder = task["folder"]

    def array(name, rows):
        return np.fromfile(os.path.join(folder, name), "<f8").reshape(rows, -1)

    x, q = array("x", task["n"]), array("q", task["m"])
    labels = array("l", task["n"]).ravel().astype(int)
    warmed(task["method"])
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, task["limit"])  # of processor time
    try:
        out = METHODS[task["method"]](x, q, labels, task["dims"], task["seed"])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - began
    for name, values in out.items():
        np.ascontiguousarray(values, "<f8").tofile(os.path.join(folder, name))
    return {"Seconds": seconds}


class Slow(Exception):
    pass


def slow(*_):
    raise Slow


if hasattr(signal, "SIGPROF"):
    signal.signal(signal.SIGPROF, slow)

for line in sys.stdin:
    try:
        said = answer(json.loads(line))
    except Slow:
        said = {"Slow": True}
    except Exception as e:  # the row says what the other library says
        said = {"Error": f"{type(e).__name__}: {e}"[:300]}
    print(json.dumps(said), flush=True)
