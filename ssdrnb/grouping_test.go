package ssdrnb_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// islands are well separated groups of 60 samples in 5 features; sample i belongs to group i mod
// groups.
func islands(groups int) *ssdrnb.Data {
	rng := rand.New(rand.NewPCG(11, 12))
	x, truth := mat.NewDense(60*groups, 5, nil), make([]int, 60*groups)
	for i := range truth {
		truth[i] = i % groups
		for k := range 5 {
			x.Set(i, k, rng.NormFloat64())
		}
		x.Set(i, truth[i]%5, x.At(i, truth[i]%5)+12*float64(1+truth[i]/5))
	}
	d := ssdrnb.NewData(x, truth)
	d.FeatureNames = []string{"a", "b", "c", "d", "e"}
	return d
}

// finders are the functions that find groups.
var finders = map[string]func(d *ssdrnb.Data) (*ssdrnb.Grouping, error){
	"Clusters":    func(d *ssdrnb.Data) (*ssdrnb.Grouping, error) { return ssdrnb.Clusters().Find(d) },
	"Communities": func(d *ssdrnb.Data) (*ssdrnb.Grouping, error) { return ssdrnb.Communities().Find(d) },
}

func TestGroupsOfIslands(t *testing.T) {
	d := islands(4)
	for name, find := range finders {
		found, err := find(d.HideLabels())
		if err != nil {
			t.Fatal(err)
		}
		m, err := found.Matching(d.Labels)
		if err != nil || found.Count() != 4 || m.AdjustedRand < 0.95 || m.Right < 0.95 {
			t.Errorf("%s: %v%v, %v", name, found, m, err)
		}
		if got := found.AddTo(d).Attribute("cluster"); got == nil || got[0] != "cluster 0" || d.Attribute("cluster") != nil {
			t.Errorf("%s: attribute %v", name, got)
		}
	}
}

// Texts name the groups as the search does.
func TestGroupsNamed(t *testing.T) {
	d := islands(3).HideLabels()
	for noun, find := range map[string]func(*ssdrnb.Data) (*ssdrnb.Grouping, error){"cluster": ssdrnb.Clusters().Find, "community": ssdrnb.Communities().Find} {
		g, err := find(d)
		if err != nil {
			t.Fatal(err)
		}
		m, err := g.Matching(d.Truth)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%d %s with", g.Count(), map[string]string{"cluster": "clusters", "community": "communities"}[noun])
		if g.Count() < 2 || !strings.HasPrefix(g.String(), want) || !strings.Contains(m.String(), "\n"+noun+" ") {
			t.Errorf("%s: %s%s", noun, g, m)
		}
	}
}

// Groups do not depend on the number of processors.
func TestGroupsDeterministic(t *testing.T) {
	d := datasets.Digits().Seed(3).KeepLabels(2)
	for name, find := range finders {
		want, err := find(d)
		if err != nil {
			t.Fatal(err)
		}
		before := runtime.GOMAXPROCS(1)
		got, err := find(d)
		runtime.GOMAXPROCS(before)
		if err != nil || !slices.Equal(got.Of(), want.Of()) || got.Stability(0) != want.Stability(0) || got.Satisfied() != want.Satisfied() {
			t.Errorf("%s: the groups differ, %v", name, err)
		}
	}
}

// Labels of one class and must-links join groups that are apart in the data, and cannot-links keep
// them apart.
func TestGroupsJoined(t *testing.T) {
	d := islands(4)
	labels := slices.Repeat([]int{-1}, d.Len())
	labels[0], labels[1], labels[2] = 7, 7, 9 // in islands 0, 1 and 2
	for name, find := range finders {
		found, err := find(d.WithLabels(labels))
		if err != nil {
			t.Fatal(err)
		}
		of := found.Of()
		if found.Count() != 3 || of[0] != of[1] || of[0] == of[2] || found.Parts(of[0]) != 2 || found.Parts(of[2]) != 1 {
			t.Errorf("%s: %v with labels of two islands", name, of[:8])
		}
		if rows, pairs := found.Unsatisfied(); len(rows) > 0 || pairs.Len() > 0 {
			t.Errorf("%s: contradicts %v, %v", name, rows, pairs)
		}
		p := ssdrnb.Pairs{Must: []ssdrnb.Pair{{I: 0, J: 1}, {I: 1, J: 2}}, Cannot: []ssdrnb.Pair{{I: 4, J: 6}, {I: 3, J: 7}}}
		found, err = find(d.HideLabels().WithPairs(p))
		if err != nil {
			t.Fatal(err)
		}
		of = found.Of()
		// Samples 4 and 6 are in islands 0 and 2, samples 3 and 7 both in island 3.
		if found.Count() != 3 || of[0] != of[1] || of[2] == of[0] {
			t.Errorf("%s: %v with pairs", name, of[:8])
		}
		rows, broken := found.Unsatisfied()
		want := ssdrnb.Pairs{Must: p.Must[1:], Cannot: p.Cannot[1:]}
		if rows != nil || !reflect.DeepEqual(broken, want) {
			t.Errorf("%s: contradicts %v, want %v", name, broken, want)
		}
		if s := found.Satisfied(); !(s > 0 && s < 1) {
			t.Errorf("%s: satisfies %v", name, s)
		}
		repeated := ssdrnb.Pairs{Must: append([]ssdrnb.Pair{{I: 1, J: 0}, {I: 2, J: 1}}, p.Must...), Cannot: append([]ssdrnb.Pair{{I: 7, J: 3}}, p.Cannot...)}
		again, err := find(d.HideLabels().WithPairs(repeated))
		if err != nil || !slices.Equal(again.Of(), of) || again.Satisfied() != found.Satisfied() {
			t.Errorf("%s: duplicate pairs change the clusters, or the satisfied share from %v to %v, %v", name, found.Satisfied(), again.Satisfied(), err)
		}
		if _, twice := again.Unsatisfied(); !reflect.DeepEqual(twice, broken) {
			t.Errorf("%s: contradicts %v with duplicates, %v without", name, twice, broken)
		}
	}
}

func TestCommunitiesErrors(t *testing.T) {
	iris := datasets.Iris()
	for name, s := range map[string]ssdrnb.CommunitySearch{
		"no neighbours": ssdrnb.Communities().Neighbors(0),
		"too many":      ssdrnb.Communities().Neighbors(150),
		"resolution":    ssdrnb.Communities().Resolution(0),
		"no number":     ssdrnb.Communities().Resolution(math.NaN()),
		"infinite":      ssdrnb.Communities().Resolution(math.Inf(1)),
		"guidance":      ssdrnb.Communities().Guidance(1.5),
		"components":    ssdrnb.Communities().PCA(-1),
	} {
		var e *ssdrnb.Error
		if _, err := s.Find(iris); !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrOption) || e.Method != "Communities" || e.Param == "" || e.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ssdrnb.Communities().Find(nil); !errors.Is(err, ssdrnb.ErrData) {
		t.Error(err)
	}
	for n := 2; n < 8; n++ {
		if found, err := ssdrnb.Communities().Find(iris.Subset([]int{0, 50, 100, 1, 51, 101, 2, 52}[:n])); err != nil || found.Tree() != nil {
			t.Errorf("%d samples: %v", n, err)
		}
	}
}

// Warnings recommend another search if it suits the question better.
func TestGroupsWarn(t *testing.T) {
	has := func(g *ssdrnb.Grouping, err error, text string) bool {
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(g.Report().Warnings, func(w string) bool { return strings.Contains(w, text) }) && strings.Contains(g.String(), text)
	}
	wine := datasets.Wine().Standardize()
	none := wine.HideLabels()
	if found, err := ssdrnb.Communities().Find(none); !has(found, err, "found in any data") {
		t.Error("no warning that communities are always found")
	}
	if found, err := ssdrnb.Communities().Find(wine.KeepLabels(2)); has(found, err, "found in any data") || !has(found, err, "Opinions") {
		t.Errorf("labels of every class: %v", found)
	}
	if found, err := ssdrnb.Clusters().Find(wine.KeepLabels(2)); !has(found, err, "Opinions") {
		t.Errorf("labels of every class: %v", found)
	}
	m, err := ssdrnb.PCA().Dims(2).Fit(none)
	if err != nil {
		t.Fatal(err)
	}
	for name, find := range finders {
		if found, err := find(ssdrnb.NewData(m.Embedding(), nil)); !has(found, err, "only in the embedding") {
			t.Errorf("%s of an embedding: %v", name, found)
		}
		if found, err := find(none); has(found, err, "only in the embedding") {
			t.Errorf("%s of data: %v", name, found)
		}
	}
	rng := rand.New(rand.NewPCG(1, 7))
	x := mat.NewDense(400, 10, nil)
	for k := range x.RawMatrix().Data {
		x.RawMatrix().Data[k] = rng.NormFloat64()
	}
	if found, err := ssdrnb.Clusters().Find(ssdrnb.NewData(x, nil)); !has(found, err, "Communities().Find") {
		t.Errorf("no clusters: %v", found)
	}
}

func TestMatching(t *testing.T) {
	d := islands(3)
	found, err := ssdrnb.Clusters().Everyone(true).Find(d.HideLabels())
	if err != nil {
		t.Fatal(err)
	}
	// Classes 5, 2, 9 in the order of the islands; one label is wrong, some are unknown.
	classes := make([]int, d.Len())
	for i := range classes {
		classes[i] = []int{5, 2, 9}[i%3]
	}
	classes[0], classes[3], classes[4] = 2, -1, -1
	m, err := found.Matching(classes)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Classes, []int{2, 5, 9}) || !slices.Equal(m.Class, []int{5, 2, 9}) {
		t.Errorf("classes %v, matched %v", m.Classes, m.Class)
	}
	if want := [][]int{{1, 58, 0}, {59, 0, 0}, {0, 0, 60}, {0, 0, 0}}; !reflect.DeepEqual(m.Count, want) {
		t.Errorf("table %v, want %v", m.Count, want)
	}
	if math.Abs(m.Right-177.0/178) > 1e-15 {
		t.Errorf("right %v", m.Right)
	}
	var truth, of []int
	for i, c := range classes {
		if c >= 0 {
			truth, of = append(truth, c), append(of, found.Of()[i])
		}
	}
	if want, _ := metrics.AdjustedRandIndex(truth, of); m.AdjustedRand != want || !strings.Contains(m.String(), "noise") {
		t.Errorf("adjusted Rand index %v, want %v", m.AdjustedRand, want)
	}
	for _, wrong := range [][]int{nil, classes[1:], slices.Repeat([]int{-1}, d.Len())} {
		var e *ssdrnb.Error
		if _, err := found.Matching(wrong); !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrData) || e.Remedy == "" {
			t.Errorf("%d classes: %v", len(wrong), err)
		}
	}
}

// The tree has every sample, children lie within their parents, and clusters are nodes.
func TestClusterTree(t *testing.T) {
	for _, d := range []*ssdrnb.Data{islands(4).HideLabels(), datasets.Digits().HideLabels()} {
		found, err := ssdrnb.Clusters().Find(d)
		if err != nil {
			t.Fatal(err)
		}
		tree := found.Tree()
		inside := make([]int, len(tree.Nodes))
		chosen := map[int]bool{}
		for i, c := range tree.Of {
			if l := tree.Leaves[i]; l < tree.Nodes[c].Birth || l > tree.Nodes[c].Death {
				t.Fatalf("sample %d leaves node %d outside of its range", i, c)
			}
			own := -1
			for ; c >= 0; c = tree.Nodes[c].Parent {
				inside[c]++
				if k := tree.Nodes[c].Cluster; k >= 0 {
					own = k
					chosen[k] = true
				}
			}
			if own != found.Of()[i] {
				t.Fatalf("sample %d is in cluster %d of the tree, %d of all", i, own, found.Of()[i])
			}
		}
		for c, n := range tree.Nodes {
			if n.Size != inside[c] || n.Death < n.Birth || n.Parent >= c || n.Parent >= 0 && n.Birth < tree.Nodes[n.Parent].Birth {
				t.Errorf("node %d: %+v, %d samples", c, n, inside[c])
			}
		}
		if len(chosen) != found.Count() || tree.Nodes[0].Size != d.Len() {
			t.Errorf("%d clusters in the tree, want %d", len(chosen), found.Count())
		}
	}
}

// The profile of a cluster is its contrast with all others, and its regions equal those of
// Contrast.
func TestProfiles(t *testing.T) {
	d, _ := customers()
	d = d.Standardize()
	found, err := ssdrnb.Communities().Find(d)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ssdrnb.PCA().Dims(2).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	p := ssdrnb.Profiles(d, found)
	if p.Err() != nil || p.Count() != found.Count() {
		t.Fatal(p)
	}
	in := p.In(m)
	if in.Err() != nil {
		t.Fatal(in)
	}
	for c := range p.Count() {
		for what, pair := range map[string][2]*ssdrnb.ContrastTable{
			"alone":     {p.Of(c), ssdrnb.Contrast(d, found.Rows(c))},
			"in":        {in.Of(c), ssdrnb.Contrast(d, found.Rows(c)).In(m)},
			"in itself": {p.Of(c).In(m), in.Of(c)},
		} {
			if got, want := fmt.Sprintf("%+v", pair[0].Rows()), fmt.Sprintf("%+v", pair[1].Rows()); got != want {
				t.Errorf("cluster %d %s:\n%s\nwant\n%s", c, what, got, want)
			}
		}
	}
	names, err := ssdrnb.Names(d, found)
	if err != nil || !slices.Equal(names, p.Names()) {
		t.Errorf("names %q, %q, %v", p.Names(), names, err)
	}
	// The attribute with the clusters themselves is not compared.
	if with := ssdrnb.Profiles(found.AddTo(d), found); !slices.Equal(with.Names(), p.Names()) || with.String() != p.String() {
		t.Errorf("with the clusters as an attribute:\n%s", with)
	}
	if with, err := ssdrnb.Names(found.AddTo(d), found); err != nil || !slices.Equal(with, names) {
		t.Errorf("names %q with the clusters as an attribute, %v", with, err)
	}
	if text := p.String(); !strings.Contains(text, "age") || !strings.Contains(text, "pharmacy") || strings.Count(text, "\n") != p.Count()+1 {
		t.Errorf("table\n%s", text)
	}
	for name, p := range map[string]*ssdrnb.ProfileTable{
		"no data":     ssdrnb.Profiles(nil, found),
		"no clusters": ssdrnb.Profiles(d, nil),
		"other data":  ssdrnb.Profiles(datasets.Iris(), found),
		"no model":    ssdrnb.Profiles(d, found).In(nil),
		"other model": ssdrnb.Profiles(d, found).In(ssdrnb.PCA().MustFit(datasets.Iris())),
	} {
		var e *ssdrnb.Error
		if !errors.As(p.Err(), &e) || e.Method != "Profiles" || e.Param == "" || e.Remedy == "" || !strings.HasPrefix(p.String(), "Profiles: ") {
			t.Errorf("%s: %v", name, p.Err())
		}
	}
}

// An attribute's value becomes part of a name if nearly all samples of the cluster have it.
func TestNamesOfAttributes(t *testing.T) {
	d := islands(3)
	origin := make([]string, d.Len())
	for i := range origin {
		origin[i] = []string{"Japan", "Europe", ""}[i%3]
	}
	found, err := ssdrnb.Communities().Find(d.HideLabels())
	if err != nil {
		t.Fatal(err)
	}
	names, err := ssdrnb.Names(d.WithAttribute("origin", origin), found)
	if err != nil || !strings.Contains(names[0], "origin Japan") || !strings.Contains(names[1], "origin Europe") || strings.Contains(names[2], "origin") {
		t.Errorf("%q, %v", names, err)
	}
}

// Ten labels of each class join communities and name them.
func ExampleCommunities() {
	wine := datasets.Wine().Standardize().Seed(1).KeepLabels(10)
	found := ssdrnb.Communities().MustFind(wine)
	m, err := found.Matching(wine.Truth)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Count(), "clusters, matched with classes", m.Class)
	// Output: 3 clusters, matched with classes [0 1 2]
}
