//go:build (linux || darwin) && (amd64 || arm64) && !noopenblas

package blas

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A library in the working folder is never opened, whatever the user's variables are.
func TestLibraryPaths(t *testing.T) {
	values := []string{"", ".", "folder", "/folder"}
	for _, home := range values {
		for _, data := range values {
			for _, own := range values {
				t.Setenv("HOME", home)
				t.Setenv("XDG_DATA_HOME", data)
				t.Setenv("SSDRNB_HOME", own)
				paths := libraryPaths()
				for _, path := range paths {
					if strings.Contains(path, "/") && !filepath.IsAbs(path) {
						t.Errorf("HOME %q, XDG_DATA_HOME %q, SSDRNB_HOME %q: %s is opened", home, data, own, path)
					}
				}
				first := ""
				switch {
				case own != "":
					first = filepath.Join(own, "lib")
				case data == "/folder":
					first = "/folder/ssdrnb/lib"
				case home == "/folder":
					first = "/folder/.local/share/ssdrnb/lib"
				}
				if filepath.IsAbs(first) && filepath.Dir(paths[0]) != first {
					t.Errorf("HOME %q, XDG_DATA_HOME %q, SSDRNB_HOME %q: %s is opened first", home, data, own, paths[0])
				}
			}
		}
	}
}

// TestLibraryEigen tests the eigenpairs of LAPACK, which serve processors without kernels of this
// module, on every machine that has the library.
func TestLibraryEigen(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	eachEngine(t, func(t *testing.T, e *engine) {
		if e.name != OpenBLAS {
			t.Skip("the engine has no library")
		}
		withLibrary := *e
		withLibrary.eigen = libraryEigen
		current.Store(&withLibrary)
		for name, c := range symmetricCases() {
			n := c.a.SymmetricDim()
			values, vectors, err := EigenSym(c.a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkPairs(t, name, c.a, values, vectors)
			alone, err := EigenValuesSym(c.a)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSorted(values) || !slices.IsSorted(alone) {
				t.Errorf("%s: values are not ascending", name)
			}
			checkRange(t, name, c.a, n/2, n)
		}
		// All but one eigenvalue coincide.
		for _, n := range []int{20, 59, 60, 100} {
			a := mat.NewSymDense(n, nil)
			for i := range n {
				for j := range i + 1 {
					a.SetSym(i, j, -1/float64(n+1))
				}
				a.SetSym(i, i, 1-1/float64(n+1))
			}
			for _, r := range [][2]int{{0, 1}, {0, 3}, {n - 1, n}, {n - 2, n}, {n / 2, n/2 + 3}} {
				checkRange(t, fmt.Sprintf("order %d, pairs %v", n, r), a, r[0], r[1])
			}
		}
	})
}

// checkRange tests some of the library's pairs. [EigenSymRange] would use our own code on machines
// that have the kernels.
func checkRange(t *testing.T, name string, a *mat.SymDense, il, iu int) {
	t.Helper()
	n := a.SymmetricDim()
	lower, err := lowerTriangle(a)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, n)
	rows, err := libraryEigen(n, lower, values, il, iu)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	checkPairs(t, name, a, values[il:iu], mat.DenseCopyOf(mat.NewDense(iu-il, n, rows).T()))
}
