package look

import (
	"fmt"
	"image/color"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// labelled is data with one sample for each label.
func labelled(labels ...int) *data.Data {
	return data.New(mat.NewDense(len(labels), 1, nil), labels)
}

// looksOf returns the colour and symbol of each class of d.
func looksOf(d *data.Data) map[int]string {
	c, out := ClassesOf(d, d.Len()), map[int]string{}
	for k, class := range c.Classes {
		out[class] = CSS(c.Tone(k)) + " " + c.Symbol(k)
	}
	return out
}

// Classes differ in colour, whatever their numbers, while there are enough colours, and in colour
// or symbol while there are enough combinations.
func TestColoursByRank(t *testing.T) {
	sets := [][]int{{0, 100, 200}, {1980, 1990, 2000, 2010, 2020}, {20230101, 20230111, 20230131}, {7, 8, 9, 10, 11, 12}, {0, 40}, {10115, 20095, 80331, 50667}}
	for count := 1; count <= Looks; count++ {
		for _, step := range []int{1, 10, 40, 97} {
			var labels []int
			for k := range count {
				labels = append(labels, k*step)
			}
			sets = append(sets, labels)
		}
	}
	for _, labels := range sets {
		colors, looks := map[string]bool{}, map[string]bool{}
		for _, look := range looksOf(labelled(labels...)) {
			colors[look[:7]], looks[look] = true, true
		}
		if len(colors) != min(len(labels), len(Palette)) || len(looks) != len(labels) {
			t.Errorf("%d classes %v have %d colours and %d looks", len(labels), labels[:min(len(labels), 8)], len(colors), len(looks))
		}
	}
	if got := looksOf(labelled(1990, 1980)); got[1980][:7] != CSS(Palette[0]) || got[1990][:7] != CSS(Palette[1]) {
		t.Errorf("1980 and 1990 look like %v", got)
	}
}

// A class looks the same in the whole set and in its parts, unless two remaining classes would look
// alike.
func TestColoursOfParts(t *testing.T) {
	d := labelled(3, 5, 0, 1, 2, 4, 6, 7, 8, 9)
	all := looksOf(d)
	parts := map[string]*data.Data{"Only": d.Only(3, 8), "Subset": d.Subset([]int{9}), "a part of a part": d.Only(3, 8, 9).Only(8), "hidden": d.HideLabels().Only(6, 7),
		"another file": labelled(4, 9).WithAllClasses(d.Classes())}
	for name, part := range parts {
		for class, look := range looksOf(part) {
			if look != all[class] {
				t.Errorf("%s: class %d looks like %s, and in the whole like %s", name, class, look, all[class])
			}
		}
	}
	named := labelled(1, 2)
	named.ClassNames = []string{"a", "b", "c"}
	if got := looksOf(named); got[1][:7] != CSS(Palette[1]) || got[2][:7] != CSS(Palette[2]) {
		t.Errorf("named classes without the first look like %v", got)
	}
	var thirty []int
	for k := range 30 {
		thirty = append(thirty, k)
	}
	few := looksOf(labelled(thirty...).Only(0, 10, 20))
	if few[0][:7] == few[10][:7] || few[10][:7] == few[20][:7] || few[0][:7] == few[20][:7] {
		t.Errorf("three of thirty classes look like %v", few)
	}
	if d.AllClasses()[0] != 0 || len(d.Only(3).AllClasses()) != 10 {
		t.Errorf("classes %v, of a part %v", d.AllClasses(), d.Only(3).AllClasses())
	}
}

// With a symbol for each class, neighbouring ranks differ by symbol, and all looks differ.
func TestShapes(t *testing.T) {
	for _, each := range []bool{false, true} {
		seen := map[string]bool{}
		for k := range Looks {
			seen[fmt.Sprint(Color(k), Shape(k, each))] = true
			if each && k > 0 && Shape(k, each) == Shape(k-1, each) {
				t.Errorf("classes %d and %d have the same symbol", k-1, k)
			}
		}
		if len(seen) != Looks {
			t.Errorf("each %v: %d looks of %d", each, len(seen), Looks)
		}
	}
}

// Contrasts agree with WCAG's examples, and every colour has a visible outline.
func TestEdges(t *testing.T) {
	white, black, night := color.NRGBA{255, 255, 255, 255}, color.NRGBA{0, 0, 0, 255}, color.NRGBA{0x11, 0x11, 0x11, 0xff}
	for _, c := range []struct {
		of   color.NRGBA
		want float64
	}{{black, 21}, {white, 1}, {color.NRGBA{0x77, 0x77, 0x77, 0xff}, 4.48}, {color.NRGBA{0xff, 0, 0, 0xff}, 4.00}} {
		if got := Contrast(c.of, white); got < c.want-0.01 || got > c.want+0.01 {
			t.Errorf("contrast of %v to white is %.3f, want %.2f", c.of, got, c.want)
		}
	}
	for _, ground := range []color.NRGBA{white, night} {
		for _, c := range slices.Concat(Palette, []color.NRGBA{NoClass}) {
			edge, needed := Edge(c, ground)
			if needed != (Contrast(c, ground) < 3) || Contrast(edge, ground) < 3 {
				t.Errorf("%s on %s: edge %s, needed %v", CSS(c), CSS(ground), CSS(edge), needed)
			}
		}
	}
}

// No class is grey, because grey means that the class is not known.
func TestClassesAreNotGrey(t *testing.T) {
	for k, c := range Palette {
		if chroma := int(max(c.R, c.G, c.B)) - int(min(c.R, c.G, c.B)); chroma < 40 {
			t.Errorf("class %d is %s, which resembles %s of samples of unknown class", k, CSS(c), CSS(NoClass))
		}
	}
}

// Data sets that number their classes alike have the ranks of all classes together. Otherwise
// classes have the same rank if they have the same name.
func TestSharedRanks(t *testing.T) {
	set := func(there []int, names ...string) Set {
		return Set{Data: &data.Data{ClassNames: names}, Whole: labelled(there...).AllClasses(), There: there}
	}
	for _, c := range []struct {
		sets []Set
		want []Ranks
	}{
		{[]Set{set([]int{5, data.Unlabelled}), set([]int{2, 5})}, []Ranks{{2: 0, 5: 1}, {2: 0, 5: 1}}},
		{[]Set{set([]int{0, 1}, "a", "b"), set([]int{1, 2}), set([]int{1, 2}, "", "b")}, []Ranks{{0: 0, 1: 1, 2: 2}, {0: 0, 1: 1, 2: 2}, {0: 0, 1: 1, 2: 2}}},
		{[]Set{set([]int{0, 2}, "a", "b", "c"), set([]int{0, 1, data.Unlabelled}, "c", "d")}, []Ranks{{0: 0, 2: 1}, {0: 1, 1: 2}}},
		{[]Set{set([]int{0, 1}, "a", "b"), set([]int{0, 1}, "b", "a")}, []Ranks{{0: 0, 1: 1}, {0: 1, 1: 0}}},
	} {
		if got := SharedRanks(c.sets); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("ranks %v, want %v", got, c.want)
		}
	}
}
