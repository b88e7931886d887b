package tests

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// sandbox is a separate environment for the functions of install.sh: a home, an installation folder
// in it, a Jupyter data folder and a checkout, all of them temporary.
type sandbox struct {
	t                      *testing.T
	user, home, data, root string
}

// newSandbox makes a sandbox with the name in its paths.
func newSandbox(t *testing.T, name string) *sandbox {
	t.Helper()
	for _, program := range []string{"bash", "python3", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s", program)
		}
	}
	user := filepath.Join(t.TempDir(), name)
	s := &sandbox{t, user, filepath.Join(user, "share", "ssdrnb"), filepath.Join(user, "share", "jupyter"), filepath.Join(user, "checkout")}
	s.write(filepath.Join(s.root, "notebooks", "requirements.txt"), "")
	return s
}

func (s *sandbox) write(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) link(target, path string) {
	s.t.Helper()
	if err := os.Symlink(target, path); err != nil {
		s.t.Fatal(err)
	}
}

// bash runs commands with the functions of install.sh, by default for the sandbox.
func (s *sandbox) bash(commands string, env ...string) (string, error) {
	s.t.Helper()
	script, err := filepath.Abs("../install.sh")
	if err != nil {
		s.t.Fatal(err)
	}
	// The checkout is the sandbox's, and commands that a test does not stub have no network.
	run := exec.Command("bash", "-c", `source "$1"; ROOT=$2; eval "$3"`, "install_test", script, s.root, commands)
	run.Dir = s.user
	run.Env = append(os.Environ(), append([]string{"HOME=" + s.user, "SSDRNB_HOME=" + s.home, "JUPYTER_DATA_DIR=" + s.data, "XDG_DATA_HOME=", "GOPROXY=off"}, env...)...)
	out, err := run.CombinedOutput()
	return string(out), err
}

// must runs commands and fails the test if they fail.
func (s *sandbox) must(commands string, env ...string) string {
	s.t.Helper()
	out, err := s.bash(commands, env...)
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", commands, err, out)
	}
	return out
}

// refused runs commands that must fail with this text in the message.
func (s *sandbox) refused(text, commands string, env ...string) {
	s.t.Helper()
	if out, err := s.bash(commands, env...); err == nil || !strings.Contains(out, text) {
		s.t.Errorf("%s is not refused for %q: %v\n%s", commands, text, err, out)
	}
}

// has reports whether a file, folder or link of this path exists.
func has(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// stay fails the test if one of the paths is missing.
func (s *sandbox) stay(paths ...string) {
	s.t.Helper()
	for _, p := range paths {
		if !has(p) {
			s.t.Errorf("%s was removed", p)
		}
	}
}

// gone fails the test if one of the paths exists.
func (s *sandbox) gone(paths ...string) {
	s.t.Helper()
	for _, p := range paths {
		if has(p) {
			s.t.Errorf("%s is still there", p)
		}
	}
}

// setUp makes an installation with the functions of install.sh, with files in place of programs.
const setUp = `
claim_home
claim_assets
cat >"$BIN/gonb" <<'EOF'
#!/bin/sh
mkdir -p "$JUPYTER_DATA_DIR/kernels/gonb"
cd "$JUPYTER_DATA_DIR/kernels/gonb"
echo '{"argv": ["gonb", "--kernel"], "display_name": "Go"}' >kernel.json
: >logo.png
EOF
chmod +x "$BIN/gonb"
echo v1 >"$BIN/.gonb-version"
printf '#!/bin/sh\necho "goimports $*"\n' >"$BIN/goimports"
chmod +x "$BIN/goimports"
echo 1 >"$WEB/.engine-version"
echo 1 >"$LIB/.version"
mkdir -p "$VENV/share/jupyter/nbconvert/templates/ssdrnb"
: >"$VENV/share/jupyter/nbconvert/templates/ssdrnb/index.html.j2"
echo '{"name": "ssdrnb-assets"}' >"$(assets)/package.json"
install_kernel
echo done >"$HOME_DIR/.state"
`

// odd is a name with all characters that are special in shells, JSON and templates.
const odd = `hö "q" \b $HOME 'x' ¥`

// The state of a checkout, by which install.sh decides whether to set up again, does not change
// when a notebook is read and saved, and changes when a script changes.
func TestInstallState(t *testing.T) {
	s := newSandbox(t, "user")
	for _, name := range []string{"install.sh", "go.mod", "go.sum", "notebooks/clean.py", "notebooks/a.ipynb"} {
		s.write(filepath.Join(s.root, name), "")
	}
	state := func() string {
		t.Helper()
		out := s.must("state")
		if len(out) < 64 {
			t.Fatal(out)
		}
		return out
	}
	before := state()
	s.write(filepath.Join(s.root, "notebooks/a.ipynb"), "saved")
	s.write(filepath.Join(s.root, "notebooks/.ipynb_checkpoints/a-checkpoint.ipynb"), "as it was")
	s.write(filepath.Join(s.root, "notebooks/ssdrnb-constraints/a/selection-mine.json"), "{}")
	if state() != before {
		t.Error("a notebook that was read and saved changes the state")
	}
	s.write(filepath.Join(s.root, "notebooks/clean.py"), "changed")
	if state() == before {
		t.Error("a script that changed does not")
	}
}

// Set-up and uninstall work in folders with any name, in the C locale: the kernel is recognised as
// ours, its programs run, and a kernel that existed before is restored.
func TestInstallOddPaths(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	s := newSandbox(t, odd)
	kernel := filepath.Join(s.data, "kernels", "gonb")
	s.write(filepath.Join(kernel, "kernel.json"), `{"argv": ["mine"]}`)
	for _, locale := range []string{"LC_ALL=C", "LC_ALL=C.UTF-8", "LC_ALL=POSIX"} {
		s.must(setUp, locale)
		s.must(`ours "$(jupyter_data)/kernels/gonb/kernel.json"`, locale)
		for _, c := range [][]string{{"go", "version", "go version"}, {"goimports", "-l", "goimports -l"}} {
			run := exec.Command(filepath.Join(s.home, "kernel", c[0]), c[1])
			run.Env = append(os.Environ(), "LC_ALL=C")
			if out, err := run.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), c[2]) {
				t.Errorf("%s: %v\n%s", c[0], err, out)
			}
		}
	}
	raw, err := os.ReadFile(filepath.Join(kernel, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec struct {
		Argv []string
		Env  map[string]string
	}
	if err := json.Unmarshal(raw, &spec); err != nil {
		t.Fatal(err)
	}
	// Jupyter reads the variables as templates, in which $$ is $.
	literal := strings.ReplaceAll(s.home, "$", "$$")
	if spec.Argv[0] != filepath.Join(s.home, "bin", "gonb") || spec.Env["SSDRNB_HOME"] != literal || !strings.HasPrefix(spec.Env["PATH"], literal+"/kernel:") || !strings.HasSuffix(spec.Env["PATH"], ":${PATH}") {
		t.Errorf("the kernel is %s", raw)
	}
	if out := s.must("uninstall", "LC_ALL=C"); !strings.Contains(out, "restored your former GoNB kernel") {
		t.Error(out)
	}
	s.gone(s.home, filepath.Join(s.data, "labextensions", "ssdrnb-assets"))
	if raw, err := os.ReadFile(filepath.Join(kernel, "kernel.json")); err != nil || string(raw) != `{"argv": ["mine"]}` {
		t.Errorf("the former kernel is %s, %v", raw, err)
	}
}

// Python programs of install.sh import no module from the working folder or from the user's variables.
func TestInstallIsolated(t *testing.T) {
	s := newSandbox(t, "user")
	ran := filepath.Join(s.user, "ran")
	for _, module := range []string{"base64", "collections", "hashlib", "json", "nbconvert", "nbformat", "pathlib", "re", "shutil", "stat", "subprocess", "traitlets", "zipfile"} {
		s.write(filepath.Join(s.user, module+".py"), fmt.Sprintf("open(%q, 'a').write(__name__)\n", ran))
	}
	for _, name := range []string{"go.mod", "go.sum", "install.sh"} {
		s.write(filepath.Join(s.root, name), "")
	}
	s.must(setUp+`ours "$(jupyter_data)/kernels/gonb/kernel.json" && write_sums && state && engine_sources && sha256 "$MANIFEST" && at_least 1.10 1.9`, "PYTHONPATH="+s.user)
	s.gone(ran)
	script, err := os.ReadFile("../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`(python3|bin/python") ("\$\{ISOLATED\[@\]\}"|["-]\S*)`)
	calls := call.FindAllStringSubmatch(string(script), -1)
	for _, c := range calls {
		if !strings.Contains(c[2], "ISOLATED") {
			t.Errorf("install.sh runs %s, which imports modules of the working folder", c[0])
		}
	}
	if len(calls) < 20 {
		t.Errorf("%d calls of Python", len(calls))
	}
}

// Settings of the user for Go change neither what set-up builds nor what cells import.
func TestInstallGoSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	s := newSandbox(t, "user")
	s.write(filepath.Join(s.root, "go.mod"), "module here\n\ngo 1.26\n")
	s.write(filepath.Join(s.root, "go.sum"), "")
	for _, name := range []string{"ssdrnb", "viz", "datasets", "widgets"} {
		s.write(filepath.Join(s.root, name, "a.go"), "package "+name+"\n")
	}
	// The working folder, which is above the checkout, belongs to another module and workspace.
	s.write(filepath.Join(s.user, "go.mod"), "module other\n\ngo 1.999\n")
	s.write(filepath.Join(s.user, "go.work"), "go 1.999\n")
	s.write(filepath.Join(s.user, "env"), "GOWORK=off\nGO111MODULE=off\nGOOS=plan9\nGOARCH=mips\nGOFLAGS=-mod=vendor\n") // go env -w
	kernel := filepath.Join(s.data, "kernels", "gonb", "kernel.json")
	const asked = "go -C / env GOOS GOARCH GO111MODULE GOWORK GOFLAGS"
	host := s.must("go -C / env GOHOSTOS GOHOSTARCH")
	for _, settings := range [][]string{
		{"GOOS=plan9", "GOARCH=mips", "GO111MODULE=off", "GOFLAGS=-mod=vendor", "GOWORK=" + filepath.Join(s.user, "go.work"), "CDPATH=" + s.user},
		{"GOENV=" + filepath.Join(s.user, "env")},
	} {
		if out := s.must(asked, settings...); out != host+"on\noff\n-mod=readonly -buildvcs=false\n" {
			t.Errorf("set-up builds with %q", out)
		}
		s.must(setUp+`check_prerequisites; engine_sources; go -C "$ROOT" list -m; warm`, settings...)
		raw, err := os.ReadFile(kernel)
		if err != nil {
			t.Fatal(err)
		}
		var spec struct{ Env map[string]string }
		if err := json.Unmarshal(raw, &spec); err != nil {
			t.Fatal(err)
		}
		work := filepath.Join(s.user, "cells", "go.work")
		s.write(work, "go 1.26\n")
		cell := exec.Command(filepath.Join(s.home, "kernel", "go"), "env", "GOOS", "GOARCH", "GO111MODULE", "GOWORK")
		cell.Dir, cell.Env = filepath.Dir(work), append(os.Environ(), settings...)
		for name, value := range spec.Env {
			if name != "PATH" {
				cell.Env = append(cell.Env, name+"="+value)
			}
		}
		if out, err := cell.Output(); err != nil || string(out) != host+"on\n"+work+"\n" {
			t.Errorf("cells are built with %q, %v", out, err)
		}
	}
	// A version of Go that the user has selected stays, and the error of an older one names the
	// setting.
	const remedy = "run GOTOOLCHAIN=local go env -u GOTOOLCHAIN, and unset GOTOOLCHAIN"
	s.refused(remedy, "go() { [ \"$GOTOOLCHAIN\" = local ] && echo go1.999 || echo go1.24; }; check_prerequisites", "GOTOOLCHAIN=go1.24")
	s.write(filepath.Join(s.user, "env"), "GOTOOLCHAIN=go1.24.0\n")
	s.refused(remedy, "check_prerequisites", "GOTOOLCHAIN=", "GOMODCACHE="+filepath.Join(s.user, "modules"), "GOENV="+filepath.Join(s.user, "env")) // it cannot be downloaded
	s.must("GOTOOLCHAIN=local go env -u GOTOOLCHAIN; unset GOTOOLCHAIN; check_prerequisites", "GOENV="+filepath.Join(s.user, "env"))
	s.refused("install Go 1.26 or later", "go() { echo go1.24; }; check_prerequisites")
	s.write(filepath.Join(s.root, "install.sh"), s.must(`cat "$1"`))
	if out := s.must(`CDPATH=$HOME; source checkout/install.sh; printf '%s' "$ROOT"`); out != s.root {
		t.Errorf("the checkout is %q", out)
	}
}

// Set-up uses the folders of the XDG specification and of Jupyter. It ignores relative paths of the
// user's folders. Without HOME it uses the home folder in the password database.
func TestInstallFolders(t *testing.T) {
	s := newSandbox(t, "user")
	const asked = `uname() { echo "$SYSTEM"; }; printf '%s\n' "$HOME_DIR" "$(jupyter_data)"`
	library := filepath.Join(s.user, "Library")
	own := filepath.Join(s.user, ".local", "share")
	for _, c := range []struct {
		env        []string
		home, data string
	}{
		{[]string{"SYSTEM=Linux"}, own, filepath.Join(own, "jupyter")},
		{[]string{"SYSTEM=Linux", "XDG_DATA_HOME=/xdg"}, "/xdg", "/xdg/jupyter"},
		{[]string{"SYSTEM=Linux", "XDG_DATA_HOME=xdg"}, own, filepath.Join(own, "jupyter")},
		{[]string{"SYSTEM=Linux", "JUPYTER_DATA_DIR=mine"}, own, filepath.Join(s.user, "mine")},
		{[]string{"SYSTEM=Darwin", "XDG_DATA_HOME=/xdg"}, "/xdg", filepath.Join(library, "Jupyter")},
		{[]string{"SYSTEM=Darwin", "JUPYTER_PLATFORM_DIRS=Off"}, own, filepath.Join(library, "Jupyter")},
		{[]string{"SYSTEM=Darwin", "JUPYTER_PLATFORM_DIRS=1"}, own, filepath.Join(library, "Application Support", "Jupyter")},
		{[]string{"SYSTEM=Darwin", "JUPYTER_PLATFORM_DIRS=1", "XDG_DATA_HOME=/xdg"}, "/xdg", "/xdg/Jupyter"},
	} {
		env := append([]string{"SSDRNB_HOME=", "JUPYTER_DATA_DIR="}, c.env...)
		if out, want := s.must(asked, env...), filepath.Join(c.home, "ssdrnb")+"\n"+c.data+"\n"; out != want {
			t.Errorf("%v: %s instead of %s", c.env, out, want)
		}
	}
	known := s.must(`unset HOME; printf '%s' ~`)
	for _, home := range []string{"HOME=", "HOME=.", "HOME=user"} {
		if out := s.must(`printf '%s' "$HOME"; usage >/dev/null`, home); out != known {
			t.Errorf("with %s the home folder is %q instead of %q", home, out, known)
		}
	}
}

// The kernel runs the go of the PATH, not its own script of this name from a former set-up, and none of
// a relative folder.
func TestInstallFindsGo(t *testing.T) {
	s := newSandbox(t, "user")
	s.must(setUp)
	script := filepath.Join(s.home, "kernel", "go")
	before, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(s.user, "kernel", "go"), "#!/bin/sh\n") // in the working folder
	s.must("PATH=$HOME_DIR/kernel:$PATH; install_kernel")
	if after, err := os.ReadFile(script); err != nil || string(after) != string(before) {
		t.Errorf("the kernel's go is %s, %v", after, err)
	}
	raw, err := os.ReadFile(filepath.Join(s.data, "kernels", "gonb", "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(raw), s.home+"/kernel:"); n != 1 {
		t.Errorf("the kernel's folder is %d times in its PATH: %s", n, raw)
	}
	s = newSandbox(t, "user")
	s.write(filepath.Join(s.user, "tools", "go"), "#!/bin/sh\n")
	s.refused("write the absolute path of Go's folder into PATH", "PATH=tools:$PATH; install_kernel")
	s.gone(filepath.Join(s.data, "kernels", "gonb"))
}

// Uninstall removes the installed files and nothing else.
func TestUninstall(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	t.Run("other files", func(t *testing.T) {
		s := newSandbox(t, "user")
		s.must(setUp)
		thesis := filepath.Join(s.home, "thesis", "chapter-1.tex")
		s.write(thesis, "x")
		elsewhere := filepath.Join(s.user, "elsewhere", "file")
		s.write(elsewhere, "x")
		s.link(filepath.Dir(elsewhere), filepath.Join(s.home, "venv", "a link"))
		s.link(filepath.Dir(elsewhere), filepath.Join(s.home, "a link"))
		// Manifest entries beyond the files of set-up are not trusted.
		s.must(`printf '%s\n' thesis ../elsewhere . / "$HOME/elsewhere" >>"$MANIFEST"`)
		if out := s.must("uninstall"); !strings.Contains(out, "left in") || !strings.Contains(out, "    thesis\n") {
			t.Error(out)
		}
		s.stay(thesis, elsewhere, filepath.Join(s.home, "a link"))
		s.gone(filepath.Join(s.home, "bin"), filepath.Join(s.home, "venv"), filepath.Join(s.home, "kernel"), filepath.Join(s.home, ".state"), filepath.Join(s.home, ".ssdrnb"),
			filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.data, "labextensions", "ssdrnb-assets"))
		s.refused("is not a set-up folder", "uninstall") // again: the thesis is not an installation
		s.stay(thesis)
	})
	t.Run("folders that became links", func(t *testing.T) {
		s := newSandbox(t, "user")
		s.must(setUp)
		kernel, assets := filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.data, "labextensions", "ssdrnb-assets")
		moved := filepath.Join(s.user, "moved")
		if err := os.Mkdir(moved, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{filepath.Join(s.home, "venv"), kernel, assets} {
			to := filepath.Join(moved, filepath.Base(path))
			if err := os.Rename(path, to); err != nil {
				t.Fatal(err)
			}
			s.link(to, path)
		}
		s.refused("is a symbolic link", "claim_home")
		s.refused("is a symbolic link", "claim_assets")
		s.must("uninstall")
		s.stay(filepath.Join(moved, "venv", "share"), filepath.Join(moved, "gonb", "kernel.json"), filepath.Join(moved, "ssdrnb-assets", "package.json"),
			filepath.Join(s.home, "venv"), kernel, assets)
		s.gone(filepath.Join(s.home, "bin"))
	})
	t.Run("a link as the folder", func(t *testing.T) {
		s := newSandbox(t, "user")
		target := filepath.Join(s.user, "large disk", "it's here")
		if err := os.MkdirAll(target, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(s.home), 0o755); err != nil {
			t.Fatal(err)
		}
		s.link(target, s.home)
		s.must(setUp)
		for _, slash := range []string{"", "/", "//"} {
			s.refused("follows none", "uninstall", "SSDRNB_HOME="+s.home+slash)
			s.stay(filepath.Join(target, "bin"), filepath.Join(s.data, "kernels", "gonb"))
		}
		// The remedy that it names.
		said, _ := s.bash("uninstall")
		remedy := regexp.MustCompile(`run (SSDRNB_HOME=.*) \./install\.sh uninstall`).FindStringSubmatch(said)
		if remedy == nil {
			t.Fatal(said)
		}
		s.must(`export ` + remedy[1] + `; source "$1"; ROOT=$2; uninstall`)
		s.gone(target, filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.data, "labextensions", "ssdrnb-assets"))
		s.refused("remove the link, and run ./install.sh uninstall again", "uninstall")
		s.must(`rm "$HOME_DIR"; uninstall`) // the remedy
	})
	t.Run("spellings of the folder", func(t *testing.T) {
		s := newSandbox(t, "user")
		for _, home := range []string{s.user + "/share//ssdrnb", s.user + "/share/../share/ssdrnb", s.user + "/./share/ssdrnb/"} {
			s.must(setUp, "SSDRNB_HOME="+home)
			s.must("uninstall")
			s.gone(s.home, filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.data, "labextensions", "ssdrnb-assets"))
		}
	})
	t.Run("the extension of a folder that was deleted", func(t *testing.T) {
		s := newSandbox(t, "user")
		s.must(setUp)
		s.must(setUp+`rm -r "$HOME_DIR"`, "SSDRNB_HOME="+filepath.Join(s.user, "second"))
		s.must("uninstall")
		s.gone(s.home, filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.data, "labextensions", "ssdrnb-assets"))
	})
	t.Run("folders that are no set-up", func(t *testing.T) {
		s := newSandbox(t, "user")
		file := filepath.Join(s.user, "thesis", "bin", "file")
		s.write(file, "x")
		for _, home := range []string{s.user, s.user + "/", "/", "//", "/usr/..", s.root} {
			s.refused("set it to a separate folder", "uninstall", "SSDRNB_HOME="+home)
			s.refused("set it to a separate folder", "claim_home", "SSDRNB_HOME="+home)
		}
		s.refused("is not a set-up folder", "uninstall", "SSDRNB_HOME="+filepath.Join(s.user, "thesis"))
		s.refused("is not a set-up folder", "uninstall", "SSDRNB_HOME=thesis") // relative to the working folder
		s.refused("not a folder", "uninstall", "SSDRNB_HOME="+file)
		s.refused("colon", "claim_home", "SSDRNB_HOME="+s.user+"/a:b")
		s.stay(file, filepath.Join(s.root, "notebooks"))
	})
	t.Run("without the folder", func(t *testing.T) {
		s := newSandbox(t, "user")
		s.must(setUp)
		if err := os.RemoveAll(s.home); err != nil {
			t.Fatal(err)
		}
		s.must("uninstall")
		s.gone(filepath.Join(s.data, "kernels", "gonb"))
	})
	t.Run("two set-ups", func(t *testing.T) {
		s := newSandbox(t, "user")
		s.must(setUp)
		second := "SSDRNB_HOME=" + filepath.Join(s.user, "second")
		s.must(setUp, second)
		if out := s.must("uninstall"); !strings.Contains(out, "left the notebook extension") {
			t.Error(out)
		}
		s.stay(filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.data, "labextensions", "ssdrnb-assets"), filepath.Join(s.user, "second", "bin"))
		s.must("uninstall", second)
		s.gone(filepath.Join(s.user, "second"), filepath.Join(s.data, "labextensions", "ssdrnb-assets"))
	})
	t.Run("two set-ups and a former kernel", func(t *testing.T) {
		for name, write := range map[string]func(s *sandbox, kernel string){
			"folder": func(s *sandbox, kernel string) { s.write(filepath.Join(kernel, "kernel.json"), "mine") },
			"link": func(s *sandbox, kernel string) {
				s.write(filepath.Join(s.user, "mine", "kernel.json"), "mine")
				if err := os.MkdirAll(filepath.Dir(kernel), 0o755); err != nil {
					s.t.Fatal(err)
				}
				s.link("../../../mine", kernel)
			},
		} {
			// Set-ups may end in any order. If the first one ends first, it is ended again.
			for _, order := range [][]string{{"first", "second", "first"}, {"second", "first"}} {
				s := newSandbox(t, "user")
				kernel := filepath.Join(s.data, "kernels", "gonb")
				write(s, kernel)
				for _, home := range []string{"first", "second"} {
					s.must(setUp, "SSDRNB_HOME="+filepath.Join(s.user, home))
				}
				s.gone(filepath.Join(s.user, "second", "kernel-before"))
				for _, home := range order {
					s.must("uninstall", "SSDRNB_HOME="+filepath.Join(s.user, home))
				}
				s.gone(filepath.Join(s.user, "first"), filepath.Join(s.user, "second"))
				if raw, err := os.ReadFile(filepath.Join(kernel, "kernel.json")); err != nil || string(raw) != "mine" {
					t.Errorf("%s, %v: the former kernel is %q, %v", name, order, raw, err)
				}
			}
		}
	})
	t.Run("kernels without their program", func(t *testing.T) {
		s := newSandbox(t, "user")
		kernel, before := filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.home, "kernel-before")
		s.write(filepath.Join(kernel, "kernel.json"), `{"argv": ["/missing/gonb"]}`)
		s.must(setUp)
		if out := s.must("uninstall"); !strings.Contains(out, "its program is missing") {
			t.Error(out)
		}
		s.stay(before)
		s.gone(kernel)
		// A set-up that was deleted by hand, whose kernel an earlier install.sh has saved.
		s = newSandbox(t, "user")
		kernel = filepath.Join(s.data, "kernels", "gonb")
		s.must(setUp, "SSDRNB_HOME="+filepath.Join(s.user, "deleted"))
		s.must(`rm -r "$HOME/deleted"; claim_home; note kernel-before; cp -R "$(jupyter_data)/kernels/gonb" "$HOME_DIR/kernel-before"; uninstall`)
		s.gone(kernel, s.home)
	})
	t.Run("a kernel of somebody else", func(t *testing.T) {
		s := newSandbox(t, "user")
		kernel := filepath.Join(s.data, "kernels", "gonb", "kernel.json")
		s.write(kernel, "first")
		s.must(setUp)
		s.write(kernel, "second")
		s.refused("a former kernel is saved in", setUp)
		if out := s.must("uninstall"); !strings.Contains(out, "    kernel-before\n") {
			t.Error(out)
		}
		s.stay(kernel, filepath.Join(s.home, "kernel-before", "kernel.json"))
	})
}

// An installation by an earlier install.sh, which had no manifest, is recognised by files that only
// install.sh makes.
func TestUninstallEarlier(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	for _, then := range []string{"uninstall", setUp + "uninstall"} {
		s := newSandbox(t, "user")
		s.must(setUp)
		thesis, bin := filepath.Join(s.home, "thesis", "file"), filepath.Join(s.home, "bin")
		s.write(thesis, "x")
		s.must(`rm "$MANIFEST" "$(assets)/.ssdrnb"`)
		s.must(then)
		s.stay(thesis)
		s.gone(bin, filepath.Join(s.home, "venv"), filepath.Join(s.home, "web"), filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.data, "labextensions", "ssdrnb-assets"))
	}
	// A folder in it with other content is not part of it.
	s := newSandbox(t, "user")
	s.must(setUp)
	s.must(`rm -r "$MANIFEST" "$VENV"; mkdir "$VENV"; : >"$VENV/mine"`)
	s.must("uninstall")
	s.stay(filepath.Join(s.home, "venv", "mine"))
}

// While a set-up is running, others and uninstall are refused and change nothing. Afterwards they are
// not, also while a program runs that was started after the set-up.
func TestInstallAlone(t *testing.T) {
	s := newSandbox(t, "user")
	const stub = `for step in check_prerequisites build_tools install_jupyter install_kernel install_echarts install_katex install_engine \
	install_extension install_page install_openblas warm trust state; do eval "$step() { :; }"; done
SCRIPT=$1 PATIENCE=0
another() { bash -c 'source "$1"; PATIENCE=0; "$2"' another "$SCRIPT" "$1" 9>&-; }
`
	for _, command := range []string{"claim_home", "uninstall"} {
		s.refused("another set-up or uninstall of "+s.home+" is running", stub+"warm() { another "+command+"; }; setup")
		s.stay(filepath.Join(s.home, "bin"))
	}
	// A program that set-up started and that keeps running does not keep the lock.
	s.must(stub + `daemon() { sleep 60 >/dev/null 2>&1 & echo $! >"$HOME/daemon"; }; warm() { quietly daemon; }; setup; another uninstall; kill "$(cat "$HOME/daemon")"`)
	s.gone(s.home)
}

// Set-up refuses a folder with other content, and names a remedy.
func TestInstallRefuses(t *testing.T) {
	s := newSandbox(t, "user")
	mine := filepath.Join(s.home, "venv", "mine")
	s.write(mine, "x")
	s.refused("set SSDRNB_HOME to a new or empty folder", "claim_home")
	s.gone(filepath.Join(s.home, ".ssdrnb"), filepath.Join(s.home, "bin"))
	s.must("claim_home", "SSDRNB_HOME="+filepath.Join(s.user, "new")) // the remedy

	s = newSandbox(t, "user")
	s.must(`check_home; mkdir -p "$HOME_DIR"; note bin`)
	s.write(filepath.Join(s.home, "venv", "mine"), "x")
	s.refused("venv is there and was not made by set-up", "claim_home")
	s.must(`mv "$VENV" "$HOME/mine"; claim_home`) // the remedy
	s.stay(filepath.Join(s.user, "mine", "mine"))

	s.write(filepath.Join(s.data, "labextensions", "ssdrnb-assets", "package.json"), `{"name": "other"}`)
	s.refused("was not made by set-up", "claim_assets")
	s.refused("no notebook is named", "page")
	s.refused("there is no notebook nothing.ipynb", "page nothing.ipynb")
	if runtime.GOOS == "linux" {
		s.refused("such as Debian", "has_glibc() { false; }; check_prerequisites")
	}
}

// A file of KaTeX or OpenBLAS that is missing or damaged is fetched again by the next set-up, and a
// complete one is not.
func TestInstallMends(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	s := newSandbox(t, "user")
	// Stubs that fetch packages of a few files.
	s.write(filepath.Join(s.root, "notebooks", "requirements-openblas.txt"), "")
	s.write(filepath.Join(s.home, "venv", "bin", "python"), `#!/bin/sh
for folder; do [ "$before" != -d ] || break; before=$folder; done
exec python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/a.whl", "w") as z:
    for name in ("libs/libscipy_openblas.so", "libs/libgfortran.so.5", "readme"):
        z.writestr(name, name)' "$folder"
`)
	const stub = `npm_pack() {
	mkdir -p "$2/package/dist/contrib" "$2/package/dist/fonts"
	for name in katex.min.js katex.min.css contrib/auto-render.min.js fonts/a.woff2 fonts/b.woff2; do echo "$name" >"$2/package/dist/$name"; done
	: >"$2/katex.tgz"
}
KATEX_SHA256=$(printf '' >"$HOME/empty"; sha256 "$HOME/empty")
mkdir -p "$WEB" "$LIB"
install_katex
install_openblas
`
	fetched := func(want ...string) {
		t.Helper()
		out := s.must(stub)
		for _, name := range []string{"KaTeX", "OpenBLAS"} {
			if strings.Contains(out, "fetching "+name) != slices.Contains(want, name) {
				t.Errorf("%s: %s", name, out)
			}
		}
	}
	fetched("KaTeX", "OpenBLAS")
	fetched()
	for _, names := range [][2]string{
		{"web/katex/katex.min.css", "lib/libscipy_openblas.so"},
		{"web/katex/auto-render.min.js", "lib/libgfortran.so.5"},
		{"web/katex/fonts/b.woff2", ""},
	} {
		want := []string{"KaTeX", "OpenBLAS"}
		if names[1] == "" {
			want = want[:1]
		}
		for k := range want {
			if err := os.Remove(filepath.Join(s.home, filepath.FromSlash(names[k]))); err != nil {
				t.Fatal(err)
			}
		}
		fetched(want...)
	}
	s.write(filepath.Join(s.home, "web", "katex", "katex.min.js"), "damaged")
	fetched("KaTeX")
	fetched()
}

// A notebook is executed in its folder whatever its name is, also if the name is a pattern that
// another notebook matches. A place for the result is refused before the work.
func TestInstallPage(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	s := newSandbox(t, "user")
	modules := filepath.Join(s.user, "modules")
	s.write(filepath.Join(modules, "nbformat.py"), "def read(path, version):\n    return open(path).read()\n\ndef writes(notebook):\n    return notebook + ran\n")
	s.write(filepath.Join(modules, "nbconvert", "preprocessors.py"), `import nbformat
class ExecutePreprocessor:
    def __init__(self, timeout): pass
    def preprocess(self, notebook, resources): nbformat.ran = " in " + resources["metadata"]["path"]
`)
	s.write(filepath.Join(s.home, "venv", "bin", "python"), `#!/bin/sh
shift 3
[ "$1" = - ] || exec python3 "$@"
shift
exec python3 -c 'import sys; sys.path.insert(0, "`+modules+`"); exec(sys.stdin.read())' "$@"
`)
	s.write(filepath.Join(s.root, "notebooks", "export.py"), "import shutil, sys\nshutil.copy(sys.argv[1], sys.argv[3])\n")
	const stub = `setup() { : >"$HOME/set up"; }; `
	folder := filepath.Join(s.user, "my [notebooks]")
	for _, name := range []string{"homework1", "homework[1]", "sets {1,2}", "100 %d*", odd} {
		path, out := filepath.Join(folder, name+".ipynb"), filepath.Join(s.user, "out.html")
		s.write(path, name)
		s.must(stub+`page "$NOTEBOOK" out.html`, "NOTEBOOK="+path)
		if raw, err := os.ReadFile(out); err != nil || string(raw) != name+" in "+folder+"\n" {
			t.Errorf("%s: the page is %q, %v", name, raw, err)
		}
		if raw, err := os.ReadFile(path); err != nil || string(raw) != name {
			t.Errorf("%s: the notebook is %q, %v", name, raw, err)
		}
		s.must(`cd "$(dirname "$NOTEBOOK")"; execute "$(basename "$NOTEBOOK")" .`, "NOTEBOOK="+path) // in place
		if raw, err := os.ReadFile(path); err != nil || string(raw) != name+" in "+folder+"\n" {
			t.Errorf("%s: the notebook is %q, %v", name, raw, err)
		}
	}
	if err := os.Remove(filepath.Join(s.user, "set up")); err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(s.user, "a.ipynb"), "a")
	s.refused("name a file, such as checkout/a.html", stub+"page a.ipynb checkout/")
	s.refused("there is no folder missing", stub+"page a.ipynb missing/a.html")
	for _, command := range []string{"site", "lessons", "run --headless"} {
		s.refused("name a folder that you can write to", "prepared() { false; }; "+stub+command+" a.ipynb")
	}
	s.gone(filepath.Join(s.user, "set up"))
}

// Only the user can access the files of set-up, with any umask and in a folder that others could use.
func TestInstallIsPrivate(t *testing.T) {
	s := newSandbox(t, "user")
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	for range 2 {
		s.must("umask 0;" + setUp)
		for _, folder := range []string{s.home, filepath.Join(s.data, "kernels", "gonb"), filepath.Join(s.data, "labextensions", "ssdrnb-assets")} {
			if m := mode(folder); m != 0o700 {
				t.Errorf("%s has the mode %o", folder, m)
			}
			if err := os.Chmod(folder, 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.write(filepath.Join(s.user, "thesis", "file"), "x")
	before := mode(filepath.Join(s.user, "thesis"))
	s.refused("has other files", "claim_home", "SSDRNB_HOME="+filepath.Join(s.user, "thesis"))
	if mode(filepath.Join(s.user, "thesis")) != before {
		t.Error("a folder that is refused has another mode")
	}
}

// JupyterLab's log has the access token: nobody else can read it.
func TestLogIsPrivate(t *testing.T) {
	s := newSandbox(t, "user")
	s.write(filepath.Join(s.home, "venv", "bin", "python"), "#!/bin/sh\necho 'http://localhost:1/lab?token=secret'\nsleep 0.5\n")
	s.write(filepath.Join(s.home, "jupyterlab.log"), "of a former run, which all can read")
	out := s.must("umask 022; open_lab")
	if info, err := os.Stat(filepath.Join(s.home, "jupyterlab.log")); err != nil || info.Mode().Perm() != 0o600 || !strings.Contains(out, "token=secret") {
		t.Errorf("%v, %v\n%s", info, err, out)
	}
}

// The Python package index does not have every package for every machine. Set-up gives this reason,
// and the tests run without a program that only they need.
func TestMissingWheels(t *testing.T) {
	s := newSandbox(t, "user")
	const stub = "pip_install() { echo no matching distribution for $1; return 1; }; "
	s.refused("If a package has no matching distribution, use Python", stub+"python3() { :; }; install_jupyter")
	if out := s.must(stub + "command() { return 1; }; check_shell"); !strings.Contains(out, "the shell scripts are not checked") {
		t.Error(out)
	}
	s.write(filepath.Join(s.user, "shellcheck"), "#!/bin/sh\necho checks $*\n")
	if out := s.must(stub + `command() { echo "$HOME/shellcheck"; }; check_shell`); !strings.HasSuffix(out, "checks install.sh .ci/run\n") {
		t.Error(out)
	}
}

// apt-get is retried while another process holds its locks, and not otherwise.
func TestAptWaits(t *testing.T) {
	s := newSandbox(t, "user")
	const stub = `sleep() { :; }
fake() { echo x >>"$HOME/calls"; [ "$(wc -l <"$HOME/calls")" -gt 2 ] || { echo "$1" >&2; return 100; }; }
`
	s.must(stub + `waiting fake "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1"`)
	s.must(stub + `rm "$HOME/calls"; waiting fake "E: Unable to acquire the dpkg frontend lock, is another process using it?"`)
	s.refused("no such package", stub+`rm "$HOME/calls"; waiting fake "E: no such package"`)
	if raw, err := os.ReadFile(filepath.Join(s.user, "calls")); err != nil || string(raw) != "x\n" {
		t.Errorf("called %q, %v", raw, err)
	}
}

// The notebooks of the release are trusted by name and content, and no others.
func TestTrust(t *testing.T) {
	bin, _ := jupyter(t)
	s := newSandbox(t, "user")
	folder := filepath.Join(s.root, "notebooks")
	for _, name := range []string{"same", "changed", "foreign"} {
		writeNotebook(t, filepath.Join(folder, name+".ipynb"), "// "+name)
	}
	s.must(`write_sums`)
	s.must(`sed -i.bak '/foreign/d' "$ROOT/notebooks/SHA256SUMS"`)
	writeNotebook(t, filepath.Join(folder, "changed.ipynb"), "// another cell")
	s.link(filepath.Join(folder, "same.ipynb"), filepath.Join(folder, "linked.ipynb"))
	stub := fmt.Sprintf("VENV=$(dirname %q)\n", bin)
	if out := s.must(stub + "trust"); !strings.Contains(out, "not those of the release: changed.ipynb, foreign.ipynb\n") {
		t.Error(out)
	}
	out := s.must(stub + `"$VENV/bin/python" -c '
import nbformat, sys
from nbformat.sign import NotebookNotary
for name in sys.argv[1:]:
    print(name, NotebookNotary().check_signature(nbformat.read("checkout/notebooks/" + name + ".ipynb", 4)))
' same changed foreign`)
	if out != "same True\nchanged False\nforeign False\n" {
		t.Error(out)
	}
}

// SHA256SUMS is up to date with the notebooks. The command ./install.sh notebooks writes it.
func TestSums(t *testing.T) {
	names, err := filepath.Glob("*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := filepath.Glob(filepath.Join("lessons", "*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, lessons...)
	slices.Sort(names)
	var want strings.Builder
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%x  %s\n", sha256.Sum256(raw), name)
	}
	got, err := os.ReadFile("SHA256SUMS")
	if err != nil || string(got) != want.String() {
		t.Errorf("notebooks/SHA256SUMS is not that of the notebooks, so that set-up would not mark them as trusted (%v).\n"+
			"Write it anew by ./install.sh notebooks, which executes them, or (cd notebooks && sha256sum *.ipynb lessons/*.ipynb >SHA256SUMS)", err)
	}
}

// Packages from the Python package index are pinned with checksums, and so are all requirements in
// requirements.in.
func TestRequirements(t *testing.T) {
	pin, sum := regexp.MustCompile(`^([a-z0-9.-]+)==([0-9][0-9a-z.]*)( ; [^\\]*)? \\$`), regexp.MustCompile(`^    --hash=sha256:[0-9a-f]{64}( \\)?$`)
	pinned := map[string]bool{}
	for _, file := range []string{"requirements.txt", "requirements-node.txt", "requirements-openblas.txt", "requirements-shellcheck.txt"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sums := 1
		for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
			m := pin.FindStringSubmatch(line)
			switch {
			case m != nil && sums > 0:
				pinned[m[1]+"=="+m[2]] = true
				sums = 0
			case sum.MatchString(line):
				sums++
			default:
				t.Errorf("%s: %s", file, line)
			}
		}
		if sums == 0 {
			t.Errorf("%s: the last line has no checksum", file)
		}
	}
	raw, err := os.ReadFile("requirements.in")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(raw), "\n") {
		if name := strings.TrimSpace(strings.Split(line, "#")[0]); name != "" && !pinned[name] {
			t.Errorf("%s is not in requirements.txt: regenerate it as described in requirements.in", name)
		}
	}
	if len(pinned) < 60 {
		t.Errorf("%d packages", len(pinned))
	}
	script, err := os.ReadFile("../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(script), "\n") {
		if strings.Contains(line, "-m pip ") && !strings.Contains(line, "--require-hashes") {
			t.Errorf("install.sh takes packages without checksums: %s", line)
		}
	}
}

// Clones have the line ends of the repository with any settings of git. bash runs no script with CRLF.
func TestLineEnds(t *testing.T) {
	out, err := exec.Command("git", "check-attr", "eol", "text", "--", "../install.sh").Output()
	if err != nil {
		t.Skip("no repository")
	}
	if want := "../install.sh: eol: lf\n../install.sh: text: auto\n"; string(out) != want {
		t.Errorf("git has %q instead of %q", out, want)
	}
}
