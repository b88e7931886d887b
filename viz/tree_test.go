package viz

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Icicles start with all their samples, get narrower as density rises, lie within their parent, and
// do not overlap their siblings.
func TestTree(t *testing.T) {
	digits := datasets.Digits().HideLabels()
	found, err := ssdrnb.Clusters().Find(digits)
	if err != nil {
		t.Fatal(err)
	}
	tree := found.Tree()
	s := &icicles{samples: float64(digits.Len())}
	s.grow(tree)
	type span struct{ left, right float64 }
	at := make([]span, len(s.nodes))
	for c, i := range s.nodes {
		n := len(i.outline)
		at[c] = span{i.outline[0].X, i.outline[n-1].X}
		if w := at[c].right - at[c].left; w != float64(tree.Nodes[c].Size) || i.outline[0].Y != tree.Nodes[c].Birth || i.outline[n/2].Y != tree.Nodes[c].Death {
			t.Errorf("icicle %d is %v wide for %+v", c, w, tree.Nodes[c])
		}
		for k := 1; k < n/2; k++ {
			a, b := i.outline[k-1], i.outline[k]
			if b.Y < a.Y || b.X < a.X || i.outline[n-1-k].Y != b.Y || i.outline[n-1-k].X < b.X {
				t.Fatalf("icicle %d widens, or its sides differ, at step %d", c, k)
			}
		}
		p := tree.Nodes[c].Parent
		if p < 0 {
			continue
		}
		if at[c].left < at[p].left || at[c].right > at[p].right {
			t.Errorf("icicle %d lies outside %d", c, p)
		}
		for o := range c {
			if tree.Nodes[o].Parent == p && at[o].left < at[c].right && at[c].left < at[o].right {
				t.Errorf("icicles %d and %d cover each other", o, c)
			}
		}
	}
	bundle, err := Tree(found).Bundle()
	if text := bundle["text/plain"].(string); err != nil || !strings.Contains(text, "cluster 0: group") {
		t.Errorf("%v\n%s", err, text)
	}
	rng := rand.New(rand.NewPCG(1, 7))
	x := mat.NewDense(400, 10, nil)
	for k := range x.RawMatrix().Data {
		x.RawMatrix().Data[k] = rng.NormFloat64()
	}
	cloud, err := ssdrnb.Clusters().Find(ssdrnb.NewData(x, nil))
	if err != nil {
		t.Fatal(err)
	}
	if bundle, err := Tree(cloud).Bundle(); err != nil || !strings.Contains(bundle["text/html"].(string), "one group or none") {
		t.Errorf("no note on a tree without clusters, %v", err)
	}
	parts, err := ssdrnb.Communities().Find(digits)
	if err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]Figure{"the clusters are nil": Tree(nil), "communities have no tree": Tree(parts)} {
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "ssdrnb.Clusters().Find") {
			t.Errorf("%s: %v", want, err)
		}
	}
}
