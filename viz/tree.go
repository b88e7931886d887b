package viz

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/js"
)

// Tree draws the condensed tree of density clusters as an icicle plot. The plot shows how the
// samples divide into groups as density rises, from all samples at the bottom to the densest groups
// at the top. An icicle is a group of the tree. Its width is the number of its samples, and it
// narrows where samples leave the group as noise. Groups that were chosen as clusters show the
// number of their cluster and have a class colour. A grouping by [ssdrnb.Communities] has no tree.
//
// In a page, hovering over an icicle shows its numbers, and a click selects its samples in all
// figures of the same samples. Icicles without selected samples are pale. If a sample is hovered in
// another figure, its icicle has a frame.
func Tree(found *ssdrnb.Grouping) Figure {
	fail := func(format string, args ...any) Figure { return failed("tree", fmt.Errorf(format, args...)) }
	if found == nil {
		return fail("viz: Tree: the clusters are nil; give the result of ssdrnb.Clusters().Find")
	}
	t := found.Tree()
	if t == nil {
		return fail("viz: Tree: communities have no tree; give the clusters of ssdrnb.Clusters().Find")
	}
	s := &icicles{samples: float64(len(t.Of)), found: found}
	s.grow(t)
	for _, i := range s.nodes {
		s.highest = max(s.highest, i.outline[len(i.outline)/2].Y)
	}
	if err := moderate("a density of the tree", s.highest); err != nil {
		return failed("tree", err)
	}
	parts := []string{fmt.Sprintf("%s, %s in the tree", nouns.Count(found.Count(), "cluster"), nouns.Count(len(t.Nodes), "group"))}
	for k, n := range t.Nodes {
		if n.Cluster >= 0 {
			parts = append(parts, fmt.Sprintf("cluster %d: group %d, %s, density %.4g to %.4g, stability %.4g", n.Cluster, k, nouns.Count(n.Size, "sample"), n.Birth, n.Death, n.Stability))
		}
	}
	s.text = lines(parts)
	if found.Count() == 0 {
		s.notes = []string{"No clusters were found: the samples form one group or none."}
	}
	s.arrange(layout{Count: 1, Most: 1, High: 330, Head: titleHeight, Above: captioned(), Below: 44, Left: 62, Right: 14, Ratio: []float64{1}}, 700)
	return Figure{kind: "tree", title: "Condensed tree", drawing: s}
}

// icicle is a group of the tree. Its outline runs up the left side and down the right side.
type icicle struct {
	outline []plot.Point // x in samples, y in density
	cluster int          // −1 if the group was not chosen as a cluster
	middle  float64      // x of the middle, in samples
}

// icicles contains a tree that has been checked.
type icicles struct {
	plan
	nodes            []icicle // parents before children
	samples, highest float64
	found            *ssdrnb.Grouping
}

// treeSteps bounds the number of steps by which an icicle narrows.
const treeSteps = 200

// grow computes the icicles of a tree. Children are side by side above the middle of their parent,
// in the order of their first samples.
func (s *icicles) grow(t *ssdrnb.ClusterTree) {
	leaves, children := make([][]float64, len(t.Nodes)), make([][]int, len(t.Nodes))
	for i, c := range t.Of {
		leaves[c] = append(leaves[c], t.Leaves[i])
	}
	for c, n := range t.Nodes {
		if n.Parent >= 0 {
			children[n.Parent] = append(children[n.Parent], c)
		}
	}
	middle := make([]float64, len(t.Nodes))
	middle[0] = s.samples / 2
	for c, n := range t.Nodes {
		slices.Sort(leaves[c])
		var left, right []plot.Point
		add := func(y, width float64) {
			left = append(left, plot.Point{X: middle[c] - width/2, Y: y})
			right = append(right, plot.Point{X: middle[c] + width/2, Y: y})
		}
		width := float64(n.Size)
		add(n.Birth, width)
		// Samples leave an icicle in at most treeSteps steps.
		for k, every := 0, len(leaves[c])/treeSteps+1; k < len(leaves[c]); k += every {
			add(leaves[c][k], width)
			width -= float64(min(every, len(leaves[c])-k))
			add(leaves[c][k], width)
		}
		add(n.Death, width)
		slices.Reverse(right)
		s.nodes = append(s.nodes, icicle{append(left, right...), n.Cluster, middle[c]})
		slices.SortFunc(children[c], func(a, b int) int { return cmp.Compare(t.Nodes[a].First, t.Nodes[b].First) })
		together := 0
		for _, k := range children[c] {
			together += t.Nodes[k].Size
		}
		at := middle[c] - float64(together)/2
		for _, k := range children[c] {
			size := float64(t.Nodes[k].Size)
			middle[k] = at + size/2
			at += size
		}
	}
}

// Draw implements [plot.Layer].
func (s *icicles) Draw(c plot.Area, p *plot.Plot) {
	edge := plot.Line{Color: color.NRGBA{0xff, 0xff, 0xff, 0xff}, Width: pixels(1)}
	var numbers []func()
	for _, i := range s.nodes {
		points := mapped(i.outline, func(v plot.Point) plot.Point { return p.Place(c, v) })
		tone := treeInk
		if i.cluster >= 0 {
			tone = classColor(i.cluster)
			foot, top := i.outline[0], i.outline[len(i.outline)/2]
			right := i.outline[len(i.outline)-1]
			at := p.Place(c, plot.Point{X: (foot.X + right.X) / 2, Y: foot.Y + (top.Y-foot.Y)/4})
			style := texts(12, plotInk, plot.Middle, plot.Halfway)
			style.Bold = true
			numbers = append(numbers, func() { haloed(c, style, at, fmt.Sprint(i.cluster)) })
		}
		c.FillPolygon(tone, points...)
		c.StrokeLines(edge, append(points, points[0])...)
	}
	for _, write := range numbers {
		write()
	}
}

// treeInk is the colour of groups that were not chosen as clusters.
var treeInk = color.NRGBA{0xbd, 0xc3, 0xcc, 0xff}

// static implements [drawing].
func (s *icicles) static(on sheet) *canvas {
	c := newCanvas(on)
	p := newPlot("", "")
	grid(p)
	p.Add(s)
	numbers(&p.X, "samples", 0, s.samples, valueTicks{})
	top := s.top()
	numbers(&p.Y, "density, 1/distance", 0, top, valueTicks{})
	c.plot(0, p)
	return c
}

func (s *icicles) top() float64 {
	_, top := extent(0, math.Max(s.highest, math.SmallestNonzeroFloat64))
	return top
}

// links implements [linker].
func (s *icicles) links(on sheet) (any, string) {
	d, nodes, of := s.found.Data(), s.found.Tree().Nodes, s.found.Tree().Of
	if len(nodes) > bounds.Series || len(of) > bounds.Many {
		return nil, ""
	}
	out := &chart.Tree{Kind: "tree", Title: on.title, Of: of, Top: s.top(),
		Samples: chart.Identity{Name: "tree", N: len(of), Data: cut(d.Name), Print: fingerprint(d)}}
	points := 0
	for k, i := range s.nodes {
		n := nodes[k]
		one := chart.Icicle{Parent: n.Parent, Cluster: n.Cluster, Size: n.Size, Stability: round(n.Stability, n.Stability), Middle: i.middle}
		if n.Cluster >= 0 {
			one.Color = css(classColor(n.Cluster))
		}
		for _, v := range i.outline[:len(i.outline)/2] {
			one.Widths = append(one.Widths, 2*(i.middle-v.X))
			one.Densities = append(one.Densities, round(v.Y, s.highest))
		}
		points += len(one.Widths)
		out.Nodes = append(out.Nodes, one)
	}
	if points > bounds.Points {
		return nil, ""
	}
	return out, js.Tree
}
