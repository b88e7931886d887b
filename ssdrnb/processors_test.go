package ssdrnb_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Layouts amplify differences in the last digits into other layouts, so no such difference may
// reach them. A program with fused multiply-add, which compilers use on most processors and on
// amd64 from version 3 on, must give the same layouts to the last bit. Iris has many ties among its
// distances, and the roll lies on a grid.
func TestOtherProcessors(t *testing.T) {
	const child = "SSDRNB_TEST_PICTURES"
	if path := os.Getenv(child); path != "" {
		if err := os.WriteFile(path, []byte(pictures()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if onceOnly() {
		t.Skip("compiles the package once more")
	}
	if runtime.GOARCH != "amd64" || !cpu.X86.HasFMA || !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2 {
		t.Skip("this processor does not run both programs")
	}
	path := filepath.Join(t.TempDir(), "pictures")
	fused := exec.Command("go", "test", "-count=1", "-run", "^TestOtherProcessors$", ".")
	fused.Env = append(os.Environ(), "GOAMD64=v3", child+"="+path)
	if out, err := fused.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(string(raw), "\n"), strings.Split(pictures(), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d layouts, want %d", len(got), len(want))
	}
	for k, line := range want {
		if got[k] != line {
			t.Errorf("a program with fused multiply-add gives another layout: %s, want %s", got[k], line)
		}
	}
}

// pictures has a line with a hash of the positions for each of several layouts.
func pictures() string {
	iris := datasets.Iris().KeepLabels(10).Seed(1)
	pairs := data.Pairs{Must: []data.Pair{{I: 0, J: 60}, {I: 3, J: 100}}, Cannot: []data.Pair{{I: 1, J: 2}, {I: 60, J: 120}}}
	pins := mat.NewDense(3, 2, []float64{0, 0, 3, 1, 5, 5})
	wine := datasets.Wine().Standardize()
	var out strings.Builder
	for _, p := range []struct {
		name string
		y    mat.Matrix
	}{
		{"UMAP", ssdrnb.UMAP().MustFit(iris).Embedding()},
		{"UMAP in three dimensions", ssdrnb.UMAP().MinDist(0.5).Dims(3).MustFit(iris).Embedding()},
		{"UMAP with labels", ssdrnb.UMAP().TargetWeight(0.5).Metric(ssdrnb.Cosine).MustFit(wine).Embedding()},
		{"S2NE with labels", ssdrnb.S2NE().MustFit(iris).Embedding()},
		{"S2NE with pairs", ssdrnb.S2NE().Guidance(0.7).MustFit(iris.HideLabels().WithPairs(pairs)).Embedding()},
		{"S2NE with known coordinates", ssdrnb.S2NE().MustFit(iris.WithAnchors([]int{0, 60, 120}, pins)).Embedding()},
		{"S2NE from given positions", ssdrnb.S2NE().MustFit(iris.WithStart(ssdrnb.PCA().MustFit(iris).Embedding())).Embedding()},
		{"t-SNE from given positions", ssdrnb.TSNE().MustFit(iris.WithStart(ssdrnb.PCA().MustFit(iris).Embedding())).Embedding()},
		{"t-SNE of iris", ssdrnb.TSNE().MustFit(iris).Embedding()},
		{"t-SNE of wine", ssdrnb.TSNE().MustFit(wine).Embedding()},
		{"t-SNE of 0.7 degrees", ssdrnb.TSNE().DegreesOfFreedom(0.7).MustFit(iris).Embedding()},
		{"t-SNE of 2.3 degrees on a grid", ssdrnb.TSNE().DegreesOfFreedom(2.3).EarlyIterations(50).Iterations(100).MustFit(datasets.SwissRoll(700, 1)).Embedding()},
		{"t-SNE on a grid", ssdrnb.TSNE().EarlyIterations(50).Iterations(100).MustFit(datasets.SwissRoll(3500, 1)).Embedding()},
	} {
		h := fnv.New64()
		_ = binary.Write(h, binary.LittleEndian, mat.DenseCopyOf(p.y).RawMatrix().Data)
		fmt.Fprintf(&out, "%s %x\n", p.name, h.Sum64())
	}
	return out.String()
}
