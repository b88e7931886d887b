// Package blas chooses the matrix engine: the code behind gonum's products,
// factorisations and eigen-decompositions.
//
// Importing the package registers the fastest engine that this machine has with
// gonum's blas64 and lapack64, so that all of gonum/mat speeds up:
//
//   - openblas: a shared OpenBLAS, opened at run time without cgo. It is looked
//     for at the path in the environment variable SSDRNB_OPENBLAS, in
//     $SSDRNB_HOME/lib (by default ~/.local/share/ssdrnb/lib, where install.sh
//     puts it), and among the system's libraries. SSDRNB_OPENBLAS=off skips it.
//   - avx2: kernels of our own for processors with AVX2 and FMA.
//   - gonum: gonum's code.
//
// SSDRNB_ENGINE=openblas|avx2|gonum forces one. Engines agree to rounding, not to
// the last bit; one engine gives the same bits on every run. OpenBLAS runs on as
// many threads as the machine has processors, or as OPENBLAS_NUM_THREADS says,
// whatever GOMAXPROCS is.
package blas

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// ErrNoEngine says that an engine cannot run on this machine.
var ErrNoEngine = errors.New("blas: engine not available")

// Names of the engines.
const (
	OpenBLAS = "openblas"
	AVX2     = "avx2"
	Gonum    = "gonum"
)

// engine is a registered engine.
type engine struct {
	name   string
	detail string // library path, instruction set
	blas   blas.Float64
	// eigen returns all eigenvalues, rising, and the eigenvectors as the rows of
	// the n×n row-major z, of the symmetric n×n matrix in z, which it overwrites;
	// without vectors z is destroyed.
	eigen func(n int, z, values []float64, vectors bool) error
}

var current atomic.Pointer[engine]

func init() {
	if name := os.Getenv("SSDRNB_ENGINE"); name != "" {
		err := Use(name)
		if err == nil {
			return
		}
		fmt.Fprintf(os.Stderr, "ssdrnb: SSDRNB_ENGINE: %v; choosing one\n", err)
	}
	for _, name := range []string{OpenBLAS, AVX2, Gonum} {
		if Use(name) == nil {
			return
		}
	}
}

// Name returns the name of the engine that runs: [OpenBLAS], [AVX2] or [Gonum].
func Name() string { return current.Load().name }

// Detail describes the engine: the library's path or the instruction set.
func Detail() string { return current.Load().detail }

// Info describes an engine.
type Info struct {
	Name    string // [OpenBLAS], [AVX2] or [Gonum]
	Library string // path of the shared library, empty for engines in Go
	Threads int    // threads that a large product uses
}

// Engine describes the engine that runs.
func Engine() Info {
	e := current.Load()
	info := Info{Name: e.name, Threads: runtime.GOMAXPROCS(0)}
	if e.name == OpenBLAS {
		info.Library = e.detail
		info.Threads = runtime.NumCPU()
	}
	return info
}

// Use switches to the named engine. An engine that this machine lacks gives an
// error that wraps [ErrNoEngine], and nothing changes. Call it before other
// goroutines use matrices: gonum's registration is not synchronised.
func Use(name string) error {
	var e *engine
	var err error
	switch name {
	case OpenBLAS:
		e, err = openBLAS()
	case AVX2:
		e, err = avx2()
	case Gonum:
		e = &engine{Gonum, runtime.GOARCH, blasgonum.Implementation{}, eigenQL}
	default:
		err = fmt.Errorf("%w: %q is none of openblas, avx2, gonum", ErrNoEngine, name)
	}
	if err != nil {
		return err
	}
	current.Store(e)
	blas64.Use(e.blas)
	lapack64.Use(lapackEngine{})
	return nil
}
