//go:build (linux || darwin) && (amd64 || arm64)

package blas

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
	"gonum.org/v1/gonum/blas"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
)

// CBLAS's and LAPACKE's numbers.
const (
	rowMajor, colMajor = 101, 102
)

// lib holds the functions of the library that was opened.
var lib struct {
	dgemm  func(order, ta, tb, m, n, k int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32, beta float64, c unsafe.Pointer, ldc int32)
	dsyrk  func(order, ul, t, n, k int32, alpha float64, a unsafe.Pointer, lda int32, beta float64, c unsafe.Pointer, ldc int32)
	dsymm  func(order, side, ul, m, n int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32, beta float64, c unsafe.Pointer, ldc int32)
	dtrsm  func(order, side, ul, t, diag, m, n int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32)
	dtrmm  func(order, side, ul, t, diag, m, n int32, alpha float64, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32)
	dsyevd func(order int32, job, ul uint8, n int32, a unsafe.Pointer, lda int32, w unsafe.Pointer) int32
}

// openBLAS returns the engine, opening the library at the first call.
var openBLAS = sync.OnceValues(func() (*engine, error) {
	var paths []string
	switch path := os.Getenv("SSDRNB_OPENBLAS"); path {
	case "off":
		return nil, fmt.Errorf("%w: OpenBLAS is switched off by SSDRNB_OPENBLAS", ErrNoEngine)
	case "":
		paths = libraryPaths()
	default:
		paths = []string{path}
	}
	var firstErr error
	for _, path := range paths {
		if err := load(path); err != nil {
			if firstErr == nil {
				firstErr = err
			}
			continue
		}
		return &engine{OpenBLAS, path, openBLASFloat64{}, eigenOpenBLAS}, nil
	}
	return nil, fmt.Errorf("%w: no OpenBLAS library: %v", ErrNoEngine, firstErr)
})

// libraryPaths lists where the library may be, the project's own place first.
func libraryPaths() []string {
	home := os.Getenv("SSDRNB_HOME")
	if home == "" {
		base := os.Getenv("XDG_DATA_HOME")
		if base == "" {
			user, _ := os.UserHomeDir()
			base = filepath.Join(user, ".local", "share")
		}
		home = filepath.Join(base, "ssdrnb")
	}
	if runtime.GOOS == "darwin" {
		return []string{filepath.Join(home, "lib", "libscipy_openblas.dylib"),
			"/opt/homebrew/opt/openblas/lib/libopenblas.dylib", "/usr/local/opt/openblas/lib/libopenblas.dylib"}
	}
	return []string{filepath.Join(home, "lib", "libscipy_openblas.so"), "libopenblas.so.0", "libopenblas.so"}
}

// load opens a library and binds its functions, with the prefix of SciPy's
// wheels or without.
func load(path string) (err error) {
	defer func() {
		if r := recover(); r != nil { // purego panics on a signature it can't call
			err = fmt.Errorf("%s: %v", path, r)
		}
	}()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return err
	}
	prefix := "scipy_"
	if _, err := purego.Dlsym(handle, prefix+"cblas_dgemm"); err != nil {
		prefix = ""
	}
	for name, f := range map[string]any{
		"cblas_dgemm": &lib.dgemm, "cblas_dsyrk": &lib.dsyrk, "cblas_dsymm": &lib.dsymm,
		"cblas_dtrsm": &lib.dtrsm, "cblas_dtrmm": &lib.dtrmm, "LAPACKE_dsyevd": &lib.dsyevd,
	} {
		if _, err := purego.Dlsym(handle, prefix+name); err != nil {
			return fmt.Errorf("%s has no %s", path, prefix+name)
		}
		purego.RegisterLibFunc(f, handle, prefix+name)
	}
	if _, err := purego.Dlsym(handle, prefix+"openblas_set_num_threads"); err == nil {
		var setThreads func(int32)
		purego.RegisterLibFunc(&setThreads, handle, prefix+"openblas_set_num_threads")
		threads := runtime.NumCPU()
		if n, err := strconv.Atoi(os.Getenv("OPENBLAS_NUM_THREADS")); err == nil && n > 0 {
			threads = n
		}
		setThreads(int32(threads))
	}
	return nil
}

// eigenOpenBLAS is LAPACK's divide and conquer. The row-major symmetric matrix
// is its own column-major form, and the column-major eigenvectors are rows here.
func eigenOpenBLAS(n int, z, values []float64, vectors bool) error {
	if n == 0 {
		return nil
	}
	job := uint8('N')
	if vectors {
		job = 'V'
	}
	info := lib.dsyevd(colMajor, job, 'L', int32(n), pointer(z), int32(n), pointer(values))
	runtime.KeepAlive(z)
	runtime.KeepAlive(values)
	if info != 0 {
		return fmt.Errorf("%w: dsyevd returned %d", ErrNoConvergence, info)
	}
	return nil
}

func pointer(v []float64) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(v)) }

// openBLASFloat64 is gonum's BLAS with the level-3 routines of the library. Level
// 1 and 2 stay in Go: a call into the library costs half a microsecond. So do
// small products, and calls whose sizes don't fit together, which gonum answers
// with its panic instead of a fault.
type openBLASFloat64 struct{ blasgonum.Implementation }

// smallProduct is the number of multiplications below which Go is as fast.
const smallProduct = 4096

func (e openBLASFloat64) Dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if m*n*k < smallProduct || !fits(ta == blas.NoTrans, m, k, a, lda) || !fits(tb == blas.NoTrans, k, n, b, ldb) || !fits(true, m, n, c, ldc) {
		e.Implementation.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	lib.dgemm(rowMajor, trans(ta), trans(tb), int32(m), int32(n), int32(k), alpha, pointer(a), int32(lda), pointer(b), int32(ldb), beta, pointer(c), int32(ldc))
}

func (e openBLASFloat64) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if n*n*k < smallProduct || !fits(t == blas.NoTrans, n, k, a, lda) || !fits(true, n, n, c, ldc) {
		e.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	lib.dsyrk(rowMajor, uplo(ul), trans(t), int32(n), int32(k), alpha, pointer(a), int32(lda), beta, pointer(c), int32(ldc))
}

func (e openBLASFloat64) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	order := triangleOrder(s, m, n)
	if order*m*n < smallProduct || !fits(true, order, order, a, lda) || !fits(true, m, n, b, ldb) || !fits(true, m, n, c, ldc) {
		e.Implementation.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	lib.dsymm(rowMajor, side(s), uplo(ul), int32(m), int32(n), alpha, pointer(a), int32(lda), pointer(b), int32(ldb), beta, pointer(c), int32(ldc))
}

func (e openBLASFloat64) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	order := triangleOrder(s, m, n)
	if order*m*n < smallProduct || !fits(true, order, order, a, lda) || !fits(true, m, n, b, ldb) {
		e.Implementation.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	lib.dtrsm(rowMajor, side(s), uplo(ul), trans(t), unit(d), int32(m), int32(n), alpha, pointer(a), int32(lda), pointer(b), int32(ldb))
}

func (e openBLASFloat64) Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	order := triangleOrder(s, m, n)
	if order*m*n < smallProduct || !fits(true, order, order, a, lda) || !fits(true, m, n, b, ldb) {
		e.Implementation.Dtrmm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	lib.dtrmm(rowMajor, side(s), uplo(ul), trans(t), unit(d), int32(m), int32(n), alpha, pointer(a), int32(lda), pointer(b), int32(ldb))
}

func trans(t blas.Transpose) int32 {
	if t == blas.NoTrans {
		return 111
	}
	return 112
}

func uplo(ul blas.Uplo) int32 {
	if ul == blas.Upper {
		return 121
	}
	return 122
}

func unit(d blas.Diag) int32 {
	if d == blas.NonUnit {
		return 131
	}
	return 132
}

func side(s blas.Side) int32 {
	if s == blas.Left {
		return 141
	}
	return 142
}
