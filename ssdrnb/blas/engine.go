// Package blas chooses the matrix engine: the code behind gonum's products, factorisations and
// eigendecompositions.
//
// Importing the package registers the fastest available engine with gonum's blas64 and lapack64,
// which speeds up all of gonum/mat:
//
//   - openblas: a shared OpenBLAS library, opened at run time without cgo. The package searches for
//     it at the path in the environment variable SSDRNB_OPENBLAS, in $SSDRNB_HOME/lib (by default
//     ~/.local/share/ssdrnb/lib, where install.sh puts it) if this path is absolute, and among the
//     system's libraries. SSDRNB_OPENBLAS=off skips it.
//   - avx2: our own kernels for processors with AVX2 and FMA.
//   - simd128: the same kernels in WebAssembly, for programs that run in a web browser.
//   - gonum: gonum's code.
//
// SSDRNB_ENGINE=openblas|avx2|simd128|gonum selects an engine. If this machine lacks it, the
// package prints a message to standard error and uses the fastest available engine. The build tag
// noasm leaves out the assembly of this library and of gonum; the engine is then openblas or gonum.
//
// On Linux, programs that can open OpenBLAS are linked to glibc, even with CGO_ENABLED=0. The build
// tag noopenblas leaves out this engine. Use it for systems without glibc, such as Alpine, and for
// static programs.
//
// Engines agree up to rounding, not bitwise. All engines except openblas give the same bits in
// every run and at any GOMAXPROCS. OpenBLAS uses one thread per processor of the machine, or
// OPENBLAS_NUM_THREADS threads. This number is fixed when the library is opened, so the results do
// not depend on GOMAXPROCS either. The results of OpenBLAS may differ in the last bits between
// machines with different types or numbers of processors.
//
// The package also provides symmetric eigendecompositions and a thin singular value decomposition
// that are faster than those of gonum/mat.
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

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Environment variables.
const (
	libraryVariable = "SSDRNB_OPENBLAS"
	engineVariable  = "SSDRNB_ENGINE"
)

// ErrNoEngine means that the named engine does not exist or cannot run on this machine.
var ErrNoEngine = errors.New("blas: engine not available")

// Names of the engines.
const (
	OpenBLAS = "openblas"
	AVX2     = "avx2"
	SIMD128  = "simd128"
	Gonum    = "gonum"
)

type engine struct {
	name    string
	library string // path of the shared library, if any
	threads int    // threads of the library; 0 means GOMAXPROCS
	blas    blas.Float64
	// Decompositions of the library; nil selects our own. For an empty range, eigen computes only
	// eigenvalues.
	eigen    func(n int, a, values []float64, il, iu int) (rows []float64, err error)
	svd      func(m, n int, a []float64) (u, values, v []float64, err error)
	cholesky func(upper bool, n int, a []float64, lda int) bool
}

var (
	current atomic.Pointer[engine]
	// note holds the reason why OpenBLAS was not chosen at start-up.
	note atomic.Pointer[string]
)

func init() {
	if name := os.Getenv(engineVariable); name != "" {
		err := Use(name)
		if err == nil {
			return
		}
		fmt.Fprintf(os.Stderr, "ssdrnb: %s: %v\nssdrnb: choosing another engine\n", engineVariable, err)
	}
	for _, name := range []string{OpenBLAS, AVX2, SIMD128, Gonum} {
		err := Use(name)
		if err == nil {
			return
		}
		if name != OpenBLAS {
			continue
		}
		text := err.Error()
		note.Store(&text)
		if path := os.Getenv(libraryVariable); path != "" && path != "off" {
			fmt.Fprintf(os.Stderr, "ssdrnb: %v\n", err) // the user named the library
		}
	}
}

// Name returns the name of the current engine: [OpenBLAS], [AVX2], [SIMD128] or [Gonum].
func Name() string { return current.Load().name }

// Info describes an engine.
type Info struct {
	Name    string // [OpenBLAS], [AVX2], [SIMD128] or [Gonum]
	Library string // path of the shared library, empty for all engines except openblas
	Threads int    // number of threads for a large product
	Note    string // why OpenBLAS was not chosen at start-up; empty if it was chosen or not tried
}

// String returns the description as a single line.
func (i Info) String() string {
	s := fmt.Sprintf("%s, %s", i.Name, nouns.Count(i.Threads, "thread"))
	if i.Library != "" {
		s += ", " + i.Library
	}
	return s
}

// Engine describes the current engine.
func Engine() Info {
	e := current.Load()
	info := Info{Name: e.name, Library: e.library, Threads: e.threads}
	if info.Threads == 0 {
		info.Threads = runtime.GOMAXPROCS(0)
	}
	if n := note.Load(); n != nil {
		info.Note = *n
	}
	return info
}

// BLAS with our own products. parallel uses all processors; the Dgemm of local uses only the
// calling goroutine.
var parallel, local blas.Float64 = goblas.New(), goblas.NewLocal()

// Local returns a BLAS whose Dgemm runs on the calling goroutine. It is meant for loops that are
// parallel themselves and use each block of a product while it is in the cache. For the gonum
// engine, and on processors without our kernels, Local returns the BLAS of the engine.
func Local() blas.Float64 {
	e := current.Load()
	if e.name != Gonum && kernel.Fast {
		return local
	}
	return e.blas
}

// Use switches to the named engine. If this machine lacks the engine, nothing changes and the error
// wraps [ErrNoEngine]. Functions of this package may run concurrently with Use; each keeps the
// engine with which it started. gonum's registration is not synchronised, so no other goroutine may
// use gonum/mat during the call.
func Use(name string) error {
	e, err := open(name)
	if err != nil {
		return err
	}
	current.Store(e)
	blas64.Use(e.blas)
	lapack64.Use(newLapack())
	return nil
}

// open returns the named engine, or an error if this machine lacks it.
func open(name string) (*engine, error) {
	switch name {
	case OpenBLAS:
		return openBLAS()
	case AVX2, SIMD128:
		if !kernel.Fast || kernel.Instructions != name {
			return nil, fmt.Errorf("%w: this processor or this build of the program does not support %s", ErrNoEngine, name)
		}
		return &engine{name: name, blas: parallel}, nil
	case Gonum:
		return &engine{name: Gonum, blas: blasgonum.Implementation{}}, nil
	}
	return nil, fmt.Errorf("%w: %q is not one of %s, %s, %s, %s", ErrNoEngine, name, OpenBLAS, AVX2, SIMD128, Gonum)
}
