#!/usr/bin/env python3
"""Run the steps of the Dockerfile beside it in a new root file system, without Docker.

usage: try.py [FOLDER]      as root, with debootstrap; FOLDER is kept, for a look at it

The root is Debian's smallest, and Go is this machine's: together they stand for the base
image. Then JupyterLab starts as Binder starts it, and the quick start is executed. With
SSL_CERT_FILE in the environment its certificates are used in the root as well.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"


def steps(text):
    """The instructions of a Dockerfile and their words."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split(None, 1)


class Root:
    def __init__(self, folder):
        self.folder, self.user, self.cwd = folder, "root", "/"
        self.env = {"PATH": "/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "GOTOOLCHAIN": "local"}

    def words(self, *command):
        """What runs a command in the root, as the user of the last step."""
        env = [f"{k}={v}" for k, v in self.env.items()]
        return ["chroot", f"--userspec={self.user}:{self.user}", str(self.folder), "/usr/bin/env", "-i", "-C", self.cwd, *env, *command]

    def run(self, *command):
        subprocess.run(self.words(*command), check=True)

    def expanded(self, text):
        return re.sub(r"\$(\w+)", lambda m: self.env.get(m[1], ""), text)

    def step(self, kind, words):
        began = time.time()
        if kind == "FROM":
            suite = words.rsplit("-", 1)[1]
            self.folder.chmod(0o755) # a temporary folder is closed to others than root
            subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates,git", suite, str(self.folder)], check=True, stdout=subprocess.DEVNULL)
            goroot = subprocess.run(["go", "env", "GOROOT"], check=True, capture_output=True, text=True).stdout.strip()
            shutil.copytree(goroot, self.folder / "usr/local/go", symlinks=True)
            shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
            if os.environ.get("SSL_CERT_FILE"):
                shutil.copy(os.environ["SSL_CERT_FILE"], str(self.folder) + CERTIFICATES)
                self.env |= {name: CERTIFICATES for name in ("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS")}
            self.env |= {k: v for k, v in os.environ.items() if k.lower() in ("http_proxy", "https_proxy", "no_proxy")}
            for name in ("proc", "dev"):
                subprocess.run(["mount", "--rbind", f"/{name}", str(self.folder / name)], check=True)
        elif kind == "ENV":
            # An ENV instruction sees the variables of earlier ones, but not its own.
            self.env |= dict(self.expanded(w).split("=", 1) for w in shlex.split(words))
        elif kind == "RUN":
            self.run("sh", "-c", words)
        elif kind == "COPY":
            option, _, to = self.expanded(words).split()
            (self.folder / to.lstrip("/")).mkdir(parents=True)
            archive = subprocess.Popen(["git", "-C", str(HERE.parent), "archive", "HEAD"], stdout=subprocess.PIPE)
            subprocess.run(["tar", "-x", "-C", str(self.folder / to.lstrip("/"))], stdin=archive.stdout, check=True)
            self.run("chown", "-R", option.split("=")[1], to)
        elif kind == "WORKDIR":
            self.cwd = self.expanded(words)
        elif kind == "USER":
            self.user = self.expanded(words)
        print(f"{time.time() - began:5.0f} s  {kind} {words}", flush=True)


def main(folder):
    root = Root(folder)
    for kind, words in steps((HERE / "Dockerfile").read_text(encoding="utf-8")):
        root.step(kind, words)
    # Start JupyterLab as Binder does, with a base URL below the root.
    port, base = 18923, "/user/ssdrnb-x1/"
    lab = subprocess.Popen(root.words("jupyter-lab", "--ip=127.0.0.1", f"--port={port}", "--no-browser", f"--ServerApp.base_url={base}", "--IdentityProvider.token=try"))
    try:
        def get(path):
            return urllib.request.urlopen(f"http://127.0.0.1:{port}{base}{path}token=try", timeout=10).read().decode()
        for _ in range(120):
            try:
                get("api?")
                break
            except OSError:
                time.sleep(0.5)
        assert "gonb" in json.loads(get("api/kernelspecs?"))["kernelspecs"], "the kernel is missing"
        assert "ssdrnb-assets" in get("lab?"), "the notebook extension is missing"
    finally:
        lab.terminate()
        lab.wait()
    root.run("./install.sh", "run", "--headless", "/tmp/quickstart")
    nb = json.loads((folder / "tmp/quickstart/00-quickstart.ipynb").read_text(encoding="utf-8"))
    figures = sum("ssdrnb-figure" in "".join(o.get("data", {}).get("text/html", "")) for c in nb["cells"] for o in c.get("outputs", []))
    assert figures >= 5, f"the quick start has {figures} figures"
    print(f"the kernel, the notebook extension and {figures} figures are there")


if __name__ == "__main__":
    if "--inside" not in sys.argv: # mounts of a namespace of their own end with it
        os.execvp("unshare", ["unshare", "--mount", sys.executable, __file__, "--inside", *sys.argv[1:]])
    given = [a for a in sys.argv[1:] if a != "--inside"]
    place = pathlib.Path(given[0] if given else tempfile.mkdtemp())
    try:
        main(place)
    finally:
        subprocess.run(["umount", "-R", "-l", str(place / "proc"), str(place / "dev")], stderr=subprocess.DEVNULL)
        if not given and not any(os.path.ismount(place / name) for name in ("proc", "dev")):
            shutil.rmtree(place)
