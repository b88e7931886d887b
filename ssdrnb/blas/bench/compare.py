"""Times package blas beside NumPy and SciPy in turns, on arrays of the same shapes
and kinds, and writes a Markdown table of seconds and ratios (ours / theirs).

    python ssdrnb/blas/bench/compare.py [rounds] [pattern]

A round runs every operation once with each engine (the best of three after a warm-up)
and once with NumPy or SciPy; the table has medians over the rounds, of the times and
of the ratios within a round.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.linalg as sl

here = os.path.dirname(os.path.abspath(__file__))
rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
pattern = sys.argv[2] if len(sys.argv) > 2 else "."
engines = ["openblas", "avx2"]

rng = np.random.default_rng(8)
a1024, a2048 = rng.standard_normal((1024, 1024)), rng.standard_normal((2048, 2048))
x, x1500, a1500 = rng.standard_normal((10000, 784)), rng.standard_normal((1500, 784)), rng.standard_normal((1500, 1024))
s2048 = a2048 + a2048.T
s512, s1024 = s2048[:512, :512].copy(), s2048[:1024, :1024].copy()
b = rng.standard_normal((1500, 1600))
spd = b @ b.T
peers = {
    "product1024": lambda: a1024 @ a1024,
    "product2048": lambda: a2048 @ a2048,
    "syrk784of10000": lambda: x.T @ x,
    "syrk+eigen784of1500": lambda: np.linalg.eigh(x1500.T @ x1500),
    "cholesky1500": lambda: np.linalg.cholesky(spd),
    "eigen512": lambda: np.linalg.eigh(s512),
    "eigen1024": lambda: np.linalg.eigh(s1024),
    "eigen2048": lambda: np.linalg.eigh(s2048),
    "top50of1024": lambda: sl.eigh(s1024, subset_by_index=[974, 1023]),
    "svd1500x1024": lambda: sl.svd(a1500, full_matrices=False),
}
peers = {k: f for k, f in peers.items() if re.search(pattern, k)}


def best(f, runs=3):
    f()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return min(times)


binary = os.path.join(tempfile.mkdtemp(), "blas.test")
subprocess.run(["go", "test", "-c", "-o", binary, "."], cwd=os.path.dirname(here), check=True)


def ours(engine, name):
    out = subprocess.run([binary, "-test.run=^$", "-test.bench=^BenchmarkEngine$/^%s$/^%s$" % (engine, re.escape(name)), "-test.benchtime=1x", "-test.count=3"],
                         capture_output=True, text=True, check=True).stdout
    times = [float(t) for t in re.findall(r"\s([0-9.]+) ns/op", out)]
    return min(times) / 1e9 if times else float("nan")


print("| operation | NumPy/SciPy, s | " + " | ".join("%s, s | ratio" % e for e in engines) + " |")
print("|---|---|" + "---|---|" * len(engines))
for name, peer in peers.items():
    times = {e: [] for e in ["peer"] + engines}
    for _ in range(rounds):
        times["peer"].append(best(peer))
        for e in engines:
            times[e].append(ours(e, name))
    row = "| %s | %.4f |" % (name, statistics.median(times["peer"]))
    for e in engines:
        ratio = statistics.median(t / p for t, p in zip(times[e], times["peer"]))
        row += " %.4f | %.2f |" % (statistics.median(times[e]), ratio)
    print(row, flush=True)
