"""Check that the pinned packages have wheels for every machine that set-up supports.

usage: wheels.py      with the Python of a set-up; it needs the Python package index

A checksum does not tell for which machines its wheel is. pip chooses the wheels of each kind of
machine without installing them, and the checksums of these wheels must be pinned.
"""

import concurrent.futures
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from packaging.markers import Marker

PYTHONS = ["3.10.0", "3.11.0", "3.11.9", "3.12.0", "3.13.0", "3.14.0"]
# sys.platform, the processor and pip's names of the platform. Go's oldest macOS is 12.
MACHINES = [
    ("linux", "x86_64", ["manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_26_x86_64", "manylinux_2_28_x86_64"]),
    ("linux", "aarch64", ["manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_26_aarch64", "manylinux_2_28_aarch64"]),
    ("darwin", "x86_64", ["macosx_12_0_x86_64"]),
    ("darwin", "arm64", ["macosx_12_0_arm64"]),
]


def pins(path):
    """Return the names, the markers and the checksums of the packages in a list."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if checksum := re.match(r"    --hash=sha256:(\w+)", line):
            found[-1][2].add(checksum[1])
        else:
            name, _, marker = line.rstrip("\\ ").partition(" ; ")
            found.append((name, marker, set()))
    return found


def faults(packages, python, system, processor, platforms):
    """Return why the packages cannot be installed with this Python on this machine, if so."""
    machine = {"python_version": python.rpartition(".")[0], "python_full_version": python, "sys_platform": system, "platform_machine": processor, "os_name": "posix", "implementation_name": "cpython"}
    wanted = [name for name, marker, _ in packages if not marker or Marker(marker).evaluate(machine)]
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [sys.executable, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--ignore-installed", "--no-deps", "--only-binary", ":all:",
             "--target", folder, "--python-version", python, *(f"--platform={p}" for p in platforms), "--report", f"{folder}/report.json", *wanted],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            return [run.stdout.strip()]
        report = json.loads(pathlib.Path(folder, "report.json").read_text(encoding="utf-8"))
    pinned = set().union(*(sums for _, _, sums in packages))
    chosen = [i["download_info"] for i in report["install"]]
    return [f"the checksum of {c['url']} is not pinned" for c in chosen if c["archive_info"]["hashes"]["sha256"] not in pinned]


lists = {name: pins(pathlib.Path(__file__).with_name(name)) for name in ("requirements.txt", "requirements-node.txt", "requirements-openblas.txt")}
cases = list(itertools.product(lists, PYTHONS, MACHINES))
with concurrent.futures.ThreadPoolExecutor(8) as pool: # pip waits for the network most of the time
    results = list(pool.map(lambda case: faults(lists[case[0]], case[1], *case[2]), cases))
for (name, python, (system, processor, _)), found in zip(cases, results):
    for fault in found:
        print(f"{name}, Python {python} on {system} {processor}: {fault}")
sys.exit(any(results))
