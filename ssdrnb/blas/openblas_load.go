//go:build (linux || darwin) && (amd64 || arm64) && !noopenblas

package blas

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/folders"
)

// lib holds the functions of the opened library: level 3 of CBLAS, which supports row-major
// matrices, and LAPACK through its Fortran interface, which every build of OpenBLAS contains.
var lib struct {
	dgemm  func(order, ta, tb, m, n, k int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32, beta float64, c unsafe.Pointer, ldc int32)
	dsyrk  func(order, ul, t, n, k int32, alpha float64, a unsafe.Pointer, lda int32, beta float64, c unsafe.Pointer, ldc int32)
	dsyr2k func(order, ul, t, n, k int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32, beta float64, c unsafe.Pointer, ldc int32)
	dsymm  func(order, side, ul, m, n int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32, beta float64, c unsafe.Pointer, ldc int32)
	dtrsm  func(order, side, ul, t, diag, m, n int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32)
	dtrmm  func(order, side, ul, t, diag, m, n int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32)

	// The last arguments are the lengths of the strings, as in Fortran calls.
	dpotrf func(uplo *byte, n *int32, a unsafe.Pointer, lda, info *int32, length uintptr)
	dsyevr func(jobz, rng, uplo *byte, n *int32, a unsafe.Pointer, lda *int32, vl, vu *float64, il, iu *int32, abstol *float64, m *int32, w, z unsafe.Pointer, ldz *int32, isuppz, work unsafe.Pointer, lwork *int32, iwork unsafe.Pointer, liwork, info *int32, l1, l2, l3 uintptr)
	dsyevd func(jobz, uplo *byte, n *int32, a unsafe.Pointer, lda *int32, w, work unsafe.Pointer, lwork *int32, iwork unsafe.Pointer, liwork, info *int32, l1, l2 uintptr)
	dgesdd func(jobz *byte, m, n *int32, a unsafe.Pointer, lda *int32, s, u unsafe.Pointer, ldu *int32, vt unsafe.Pointer, ldvt *int32, work unsafe.Pointer, lwork *int32, iwork unsafe.Pointer, info *int32, length uintptr)
}

// openBLAS returns the engine of the OpenBLAS library. The first call opens the library.
var openBLAS = sync.OnceValues(func() (*engine, error) {
	var paths []string
	switch path := os.Getenv(libraryVariable); path {
	case "off":
		return nil, fmt.Errorf("%w: OpenBLAS is switched off by %s", ErrNoEngine, libraryVariable)
	case "":
		paths = libraryPaths()
	default:
		paths = []string{path}
	}
	var tried []error
	for _, path := range paths {
		threads, err := load(path)
		if err == nil {
			e := &engine{name: OpenBLAS, library: path, threads: threads, blas: libraryFloat64{goblas.NewLevel2()}, svd: librarySVD, cholesky: libraryCholesky}
			if !kernel.Fast { // otherwise our own eigensolver is faster
				e.eigen = libraryEigen
			}
			return e, nil
		}
		tried = append(tried, err)
	}
	return nil, fmt.Errorf("%w: no usable OpenBLAS library was found; set %s to the path of one, or to off:\n%w", ErrNoEngine, libraryVariable, errors.Join(tried...))
})

// libraryPaths returns the paths where the library may be. The project's own folder comes first, if
// its path is absolute: a library in the working folder is not opened. Names without a slash are
// looked up in the system's folders.
func libraryPaths() []string {
	home := os.Getenv("SSDRNB_HOME")
	if home == "" {
		if data, err := folders.Data(); err == nil {
			home = filepath.Join(data, "ssdrnb")
		}
	}
	suffix, system := ".so", []string{"libopenblas.so.0", "libopenblasp.so.0", "libopenblas.so"}
	if runtime.GOOS == "darwin" {
		suffix, system = ".dylib", []string{
			"/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
			"/usr/local/opt/openblas/lib/libopenblas.dylib",
			"/opt/local/lib/libopenblas.dylib",
		}
	}
	if !filepath.IsAbs(home) {
		return system
	}
	lib := filepath.Join(home, "lib")
	return append([]string{filepath.Join(lib, "libscipy_openblas"+suffix), filepath.Join(lib, "libopenblas"+suffix)}, system...)
}

// load opens a library, binds its functions, sets its number of threads and tests it.
func load(path string) (threads int, err error) {
	defer func() {
		if r := recover(); r != nil { // purego panics on a signature it can't call
			err = fmt.Errorf("%s: %v", path, r)
		}
	}()
	calmThreads()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, fmt.Errorf("%s cannot be opened: %w", path, err)
	}
	// SciPy's wheels prefix the names of all functions.
	prefix := "scipy_"
	if _, err := purego.Dlsym(handle, prefix+"cblas_dgemm"); err != nil {
		prefix = ""
	}
	bind := func(f any, name string) error {
		address, err := purego.Dlsym(handle, prefix+name)
		if err != nil {
			return fmt.Errorf("%s lacks %s; is it OpenBLAS with LAPACK?", path, name)
		}
		purego.RegisterFunc(f, address)
		return nil
	}
	var config func() string
	var setThreads func(int32)
	var getThreads func() int32
	for _, b := range []struct {
		f    any
		name string
	}{
		{&config, "openblas_get_config"}, {&setThreads, "openblas_set_num_threads"}, {&getThreads, "openblas_get_num_threads"},
		{&lib.dgemm, "cblas_dgemm"}, {&lib.dsyrk, "cblas_dsyrk"}, {&lib.dsyr2k, "cblas_dsyr2k"}, {&lib.dsymm, "cblas_dsymm"},
		{&lib.dtrsm, "cblas_dtrsm"}, {&lib.dtrmm, "cblas_dtrmm"},
		{&lib.dpotrf, "dpotrf_"}, {&lib.dsyevr, "dsyevr_"}, {&lib.dsyevd, "dsyevd_"}, {&lib.dgesdd, "dgesdd_"},
	} {
		if err := bind(b.f, b.name); err != nil {
			return 0, err
		}
	}
	if c := config(); strings.Contains(c, "USE64BITINT") {
		return 0, fmt.Errorf("%s has 64-bit integers (%s); a build with 32-bit integers is needed", path, c)
	}
	want := runtime.NumCPU()
	if n, err := strconv.Atoi(os.Getenv("OPENBLAS_NUM_THREADS")); err == nil && n > 0 {
		want = n
	}
	setThreads(int32(want))
	if err := probe(); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return int(getThreads()), nil
}

// calmThreads makes the library's threads go to sleep about 30 µs after a call. By default they
// wait for another call in a busy loop for about 10 ms, and occupy processors that goroutines need.
// When the library is opened, it reads this setting from C's environment, which os.Setenv does not
// change. A failure costs only speed.
func calmThreads() {
	name := "libc.so.6"
	if runtime.GOOS == "darwin" {
		name = "/usr/lib/libSystem.B.dylib"
	}
	handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return
	}
	address, err := purego.Dlsym(handle, "setenv")
	if err != nil {
		return
	}
	var setenv func(name, value string, overwrite int32) int32
	purego.RegisterFunc(&setenv, address)
	setenv("OPENBLAS_THREAD_TIMEOUT", "17", 0) // 2¹⁷ cycles; a value set by the user stays
}

// probe computes a product and a factorisation with known results to detect a library with a
// different calling convention.
func probe() error {
	a, c := []float64{1, 2, 3, 4}, []float64{1, 1, 1, 1}
	lib.dgemm(rowMajor, cblasNoTrans, cblasTrans, 2, 2, 2, 1, pointer(a), 2, pointer(a), 2, 1, pointer(c), 2)
	if want := [4]float64{6, 12, 12, 26}; [4]float64(c) != want {
		return fmt.Errorf("the test product is %v instead of %v", c, want)
	}
	spd := []float64{4, 2, 2, 5}
	if !libraryCholesky(false, 2, spd, 2) || math.Abs(spd[0]-2) > 1e-15 || math.Abs(spd[2]-1) > 1e-15 || math.Abs(spd[3]-2) > 1e-15 {
		return fmt.Errorf("the test Cholesky factorisation gave the wrong factor %v", spd)
	}
	return nil
}

func pointer[T float64 | int32](v []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(v)) }
