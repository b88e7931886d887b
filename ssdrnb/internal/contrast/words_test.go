package contrast

import (
	"math"
	"strings"
	"testing"
)

// c-TF-IDF of a few texts, computed by hand. The word "the" occurs in nearly all of them and is
// typical of none.
func TestWords(t *testing.T) {
	var texts []string
	var of []int
	for range 20 {
		texts, of = append(texts, "The cat, the CAT!"), append(of, 0)
		texts, of = append(texts, "the dog's bark"), append(of, 1)
		texts, of = append(texts, "the x 42"), append(of, -1)
	}
	texts, of = append(texts, "", "über"), append(of, 0, 1)
	got := Words(texts, GroupsOf(of, 2))
	// Word counts: 80 in the first cluster (2 × the, 2 × cat), 61 in the second (the, dog, bark,
	// über; the s of dog's is a single letter), and 20 in the rest.
	mean := (80.0 + 61 + 20) / 3
	want := [][]Word{
		{{"cat", 40.0 / 80 * math.Log(1+mean/40), 1, 0}},
		{{"bark", 20.0 / 61 * math.Log(1+mean/20), 20.0 / 21, 0}, {"dog", 20.0 / 61 * math.Log(1+mean/20), 20.0 / 21, 0}},
	}
	for c := range want {
		if len(got[c]) != len(want[c]) {
			t.Fatalf("cluster %d has %+v", c, got[c])
		}
		for k, w := range want[c] {
			g := got[c][k]
			if g.Text != w.Text || math.Abs(g.Weight-w.Weight) > 1e-12 || math.Abs(g.ShareIn-w.ShareIn) > 1e-12 || g.ShareOut != w.ShareOut {
				t.Errorf("cluster %d: %+v instead of %+v", c, g, w)
			}
		}
	}
	if got := Words([]string{"", ""}, GroupsOf([]int{0, 1}, 2)); got[0] != nil || got[1] != nil {
		t.Errorf("no text has the words %v", got)
	}
}

// Clusters that differ in no column are named by the words of sentences, not of identifiers.
func TestNamesByWords(t *testing.T) {
	var texts, ids []string
	var of []int
	var flat []float64
	for i := range 40 {
		c := i % 2
		texts = append(texts, []string{"a fine red wine of ", "some old dry cheese of "}[c]+strings.Repeat("z", i+2))
		ids, of, flat = append(ids, "customer"+strings.Repeat("q", i+1)), append(of, c), append(flat, float64(i/2))
	}
	features := []Feature{{Title: "flat", Numbers: flat}, {Title: "id", Texts: ids}, {Title: "comment", Texts: texts}}
	g := GroupsOf(of, 2)
	if got := Names(features, Compare(features, g), g); got[0] != "fine, red, wine" || got[1] != "cheese, dry, old" {
		t.Errorf("the names are %q", got)
	}
}
