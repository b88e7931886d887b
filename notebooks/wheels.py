"""Check that requirements.txt has a wheel of each package for every machine that set-up supports.

usage: wheels.py      with the Python of a set-up; it needs the Python package index

A checksum does not tell for which machines its wheel is. pip chooses the wheels for each kind of
machine without installing them, and requirements.txt must have their checksums. The other lists are
of packages that set-up can do without.
"""

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


def chosen(packages, python, system, processor, platforms):
    """Return the wheels that pip chooses of these packages for a machine: their names and checksums."""
    machine = {"python_version": python.rpartition(".")[0], "python_full_version": python, "sys_platform": system, "platform_machine": processor, "os_name": "posix", "implementation_name": "cpython"}
    wanted = [name for name, marker, _ in packages if not marker or Marker(marker).evaluate(machine)]
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [sys.executable, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--ignore-installed", "--no-deps", "--only-binary", ":all:",
             "--target", folder, "--python-version", python, *(f"--platform={p}" for p in platforms), "--report", f"{folder}/report.json", *wanted],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            sys.exit(f"Python {python} on {system} {processor}: {run.stdout.strip()}")
        report = json.loads(pathlib.Path(folder, "report.json").read_text(encoding="utf-8"))
    wheels = [item["download_info"] for item in report["install"]]
    return {wheel["url"].rpartition("/")[2]: wheel["archive_info"]["hashes"]["sha256"] for wheel in wheels}


packages = pins(pathlib.Path(__file__).with_name("requirements.txt"))
pinned = set().union(*(checksums for _, _, checksums in packages))
for python in PYTHONS:
    left = packages
    for machine in MACHINES:
        wheels = chosen(left, python, *machine)
        if unknown := [wheel for wheel, checksum in wheels.items() if checksum not in pinned]:
            sys.exit(f"requirements.txt lacks the checksums of {', '.join(unknown)}")
        # Leave out the packages whose wheel is for every machine.
        every = {re.sub("[-_.]+", "-", wheel.split("-")[0]).lower() for wheel in wheels if wheel.endswith("-none-any.whl")}
        left = [p for p in left if p[0].split("==")[0] not in every]
print("requirements.txt has wheels for every machine")
