package density

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
)

// The reference cases come from thresholds on a dense matrix and from trying every choice.

type density struct {
	Input struct {
		X          [][]float64
		K          int
		MinSamples int `json:"min_samples"`
		MinSize    int `json:"min_size"`
		Labels     []int
		Pairs      [][3]int
		Alpha      float64
	}
	Output struct {
		Core    []float64
		Bridges [][2]int32
		Floor   float64
		Tree    []struct {
			Parent, Size, First int
			Birth, Stability    float64
		}
		LeavesAt             []float64 `json:"leaves_at"`
		Clusters             []int
		Objective, Satisfied float64
	}
	Tolerance struct{ Rel, Abs float64 }
}

func pairsOf(all [][3]int) (out []Pair) {
	for _, p := range all {
		out = append(out, Pair{p[0], p[1], p[2] > 0})
	}
	return out
}

func checkDensity(t *testing.T, g *density) {
	near := func(got, want float64) bool {
		return math.Abs(got-want) <= g.Tolerance.Abs+g.Tolerance.Rel*math.Abs(want)
	}
	in, want := g.Input, g.Output
	x := mat.NewDense(len(in.X), len(in.X[0]), nil)
	for i, row := range in.X {
		x.SetRow(i, row)
	}
	nb, err := graph.Search(t.Context(), x, in.K, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	core := Core(nb.Dist, in.K, in.MinSamples)
	floor := Floor(core)
	if !slices.EqualFunc(core, want.Core, near) || !near(floor, want.Floor) {
		t.Fatalf("core distances or floor %v differ", floor)
	}
	forest := Forest(nb.Index, nb.Dist, core, in.K)
	bridges, err := Bridges(t.Context(), forest, core, func(i, j int) float64 { return floats.Distance(in.X[i], in.X[j], 2) })
	if err != nil {
		t.Fatal(err)
	}
	var ends [][2]int32
	for _, b := range bridges {
		ends = append(ends, [2]int32{b.I, b.J})
	}
	slices.SortFunc(ends, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	if !slices.Equal(ends, want.Bridges) {
		t.Errorf("bridges %v, want %v", ends, want.Bridges)
	}
	tree := Condense(append(forest, bridges...), len(in.X), in.MinSize, floor)
	if len(tree.Parent) != len(want.Tree) || !slices.EqualFunc(tree.Leaves, want.LeavesAt, near) {
		t.Fatalf("%d clusters in the tree, want %d, or samples leave elsewhere", len(tree.Parent), len(want.Tree))
	}
	// Clusters of a tree are identified by birth, size and first sample.
	for _, w := range want.Tree {
		found := false
		for c, p := range tree.Parent {
			same := tree.Size[c] == w.Size && tree.First[c] == w.First && near(tree.Birth[c], w.Birth) && near(tree.Stability[c], w.Stability)
			if same && (p < 0) == (w.Parent < 0) && (p < 0 || tree.Size[p] == want.Tree[w.Parent].Size && tree.First[p] == want.Tree[w.Parent].First) {
				found = true
			}
		}
		if !found {
			t.Errorf("no cluster %+v in %+v", w, tree)
		}
	}
	choice := tree.Choose(Knowledge{in.Labels, pairsOf(in.Pairs)}, in.Alpha)
	if !slices.Equal(choice.Of, want.Clusters) || !near(choice.Objective, want.Objective) || !near(choice.Satisfied, want.Satisfied) {
		t.Errorf("objective %v, satisfied %v, want %v, %v; clusters %v, want %v", choice.Objective, choice.Satisfied, want.Objective, want.Satisfied, choice.Of, want.Clusters)
	}
}

func TestGoldenDensity(t *testing.T) { golden.EachOfKind(t, "cluster_density", checkDensity) }

func TestGoldenJoin(t *testing.T) {
	golden.EachOfKind(t, "cluster_join", func(t *testing.T, g *struct {
		Input struct {
			Clusters, Labels []int
			Pairs            [][3]int
		}
		Output struct{ Joined []int }
	}) {
		joined, _ := Join(g.Input.Clusters, Knowledge{g.Input.Labels, pairsOf(g.Input.Pairs)})
		if !slices.Equal(joined, g.Output.Joined) {
			t.Errorf("joined %v, want %v", joined, g.Output.Joined)
		}
	})
}
