package blas

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// eachEngine runs f as a subtest with every engine in turn, and restores the engine that was in use
// before. A missing engine is skipped with the reason; a missing OpenBLAS is a failure if
// SSDRNB_REQUIRE_OPENBLAS is set.
func eachEngine(t *testing.T, f func(t *testing.T, e *engine)) {
	t.Helper()
	was := Name()
	defer func() {
		if err := Use(was); err != nil {
			t.Error(err)
		}
	}()
	for _, name := range []string{OpenBLAS, AVX2, Gonum} {
		t.Run(name, func(t *testing.T) {
			if err := Use(name); err != nil {
				if name == OpenBLAS && os.Getenv("SSDRNB_REQUIRE_OPENBLAS") != "" {
					t.Fatalf("SSDRNB_REQUIRE_OPENBLAS is set, but: %v", err)
				}
				t.Skipf("engine not tested: %v", err)
			}
			f(t, current.Load())
		})
	}
}

func filled(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = rng.NormFloat64()
	}
	return out
}

// With beta = 0 a NaN in the result's former content must not survive.
func TestBetaZeroDropsNaN(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *engine) {
		n := 40
		a, c := filled(rand.New(rand.NewPCG(3, 3)), n*n), slices.Repeat([]float64{math.NaN()}, n*n)
		e.blas.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, c, n)
		if slices.ContainsFunc(c, math.IsNaN) {
			t.Error("NaN survived")
		}
	})
}

// Invalid sizes and options must end in gonum's panic, not in a crash.
func TestInvalidCallsPanic(t *testing.T) {
	const n = 50
	a := make([]float64, n*n)
	short := a[:100]
	for name, call := range map[string]func(b blas.Float64){
		"short a":      func(b blas.Float64) { b.Dgemm('N', 'N', n, n, n, 1, short, n, a, n, 0, a, n) },
		"short c":      func(b blas.Float64) { b.Dgemm('N', 'N', n, n, n, 1, a, n, a, n, 0, short, n) },
		"small stride": func(b blas.Float64) { b.Dgemm('N', 'T', n, n, n, 1, a, n-1, a, n, 0, a, n) },
		"transpose":    func(b blas.Float64) { b.Dgemm('X', 'N', n, n, n, 1, a, n, a, n, 0, a, n) },
		"triangle":     func(b blas.Float64) { b.Dsyrk('X', 'N', n, n, 1, a, n, 0, a, n) },
		"syr2k":        func(b blas.Float64) { b.Dsyr2k('U', 'T', n, n, 1, a, n, short, n, 0, a, n) },
		"side":         func(b blas.Float64) { b.Dsymm('X', 'U', n, n, 1, a, n, a, n, 0, a, n) },
		"diagonal":     func(b blas.Float64) { b.Dtrsm('L', 'U', 'N', 'X', n, n, 1, a, n, a, n) },
		"trmm":         func(b blas.Float64) { b.Dtrmm('R', 'U', 'N', 'N', n, n, 1, short, n, a, n) },
		"gemv":         func(b blas.Float64) { b.Dgemv('N', n, n, 1, a, n, a[:n-1], 1, 0, a, 1) },
		"ger":          func(b blas.Float64) { b.Dger(n, n, 1, a, 1, a[:3], 1, a, n) },
		"dot":          func(b blas.Float64) { b.Ddot(n, a, 1, a[:3], 1) },
	} {
		eachEngine(t, func(t *testing.T, e *engine) {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call(e.blas)
		})
	}
}

func TestUse(t *testing.T) {
	was := Engine()
	if err := Use("mystery"); !errors.Is(err, ErrNoEngine) {
		t.Errorf("got %v", err)
	}
	if Engine() != was {
		t.Errorf("a failed Use changed the engine from %v to %v", was, Engine())
	}
	if was.Name != Name() || was.Threads < 1 || (was.Library != "") != (was.Name == OpenBLAS) {
		t.Errorf("Engine() is %+v", was)
	}
	if s := was.String(); !strings.HasPrefix(s, was.Name+", ") {
		t.Errorf("String() is %q", s)
	}
}

// TestChoice runs this test program again in other environments, as the engine is chosen at
// start-up.
func TestChoice(t *testing.T) {
	if os.Getenv("SSDRNB_TEST_CHOICE") != "" {
		e := Engine()
		os.Stdout.WriteString("engine=" + e.Name + "\n" + e.Note + "\n")
		return
	}
	dir := t.TempDir()
	text := filepath.Join(dir, "libopenblas.so")
	if err := os.WriteFile(text, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	wrong := otherLibrary(t)
	_, err := openBLAS()
	supported := err == nil || !strings.Contains(err.Error(), "supported only on")
	for _, c := range []struct {
		name     string
		env      []string
		not      string // an engine that must not run
		contains string
	}{
		{"off", []string{"SSDRNB_OPENBLAS=off"}, OpenBLAS, "switched off"},
		{"missing", []string{"SSDRNB_OPENBLAS=" + filepath.Join(dir, "none.so")}, OpenBLAS, "none.so"},
		{"not a library", []string{"SSDRNB_OPENBLAS=" + text}, OpenBLAS, text},
		{"another library", []string{"SSDRNB_OPENBLAS=" + wrong}, OpenBLAS, "lacks"},
		{"unknown engine", []string{"SSDRNB_ENGINE=mystery"}, "mystery", `"mystery" is not one of`},
		{"forced", []string{"SSDRNB_ENGINE=gonum"}, AVX2, "engine=gonum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.HasSuffix(c.env[0], "=") {
				t.Skip("this system has no other library to open")
			}
			if c.not == OpenBLAS && !supported {
				t.Skip(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestChoice$")
			cmd.Env = append(os.Environ(), append(c.env, "SSDRNB_TEST_CHOICE=1")...)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), c.contains) || strings.Contains(string(out), "engine="+c.not+"\n") {
				t.Errorf("the output lacks %q or names %s:\n%s", c.contains, c.not, out)
			}
		})
	}
}

// otherLibrary returns the path of a shared library that is not OpenBLAS, if a
// common one is found.
func otherLibrary(t *testing.T) string {
	t.Helper()
	for _, pattern := range []string{"/lib/*/libm.so.6", "/lib64/libm.so.6", "/usr/lib/libm.so.6", "/usr/lib/libSystem.B.dylib"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// The description agrees with a single thread.
func TestInfoOfOneThread(t *testing.T) {
	if got := (Info{Name: Gonum, Threads: 1}).String(); got != "gonum, 1 thread" {
		t.Errorf("%q", got)
	}
}
