// Package look contains the common parts of figures and widgets: colours and symbols of classes
// (classes.go), colours of numeric targets (levels.go), abbreviated names (names.go), thumbnails,
// and the Go code of methods (literal.go). It imports neither charts nor plots.
//
// It is exported only because packages of several top-level folders share it.
package look

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// CSS returns the hexadecimal code of a colour.
func CSS(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Viridis is the colour scale of meshes and heat maps.
var Viridis = []color.NRGBA{
	{0x44, 0x01, 0x54, 0xff}, {0x41, 0x44, 0x87, 0xff}, {0x2a, 0x78, 0x8e, 0xff},
	{0x22, 0xa8, 0x84, 0xff}, {0x7a, 0xd1, 0x51, 0xff}, {0xfd, 0xe7, 0x25, 0xff},
}

// Between returns the colour at t on a scale of evenly spaced stops. t is clamped to [0, 1].
func Between(stops []color.NRGBA, t float64) color.NRGBA {
	t = min(max(t, 0), 1) * float64(len(stops)-1)
	k := min(int(t), len(stops)-2)
	f := t - float64(k)
	a, b := stops[k], stops[k+1]
	mix := func(x, y uint8) uint8 { return uint8(float64(x)*(1-f) + float64(y)*f + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// KnownClasses returns a class for each of the n samples of d: the true class where it is known,
// the label elsewhere, and [data.Unlabelled] if both are unknown.
func KnownClasses(d *data.Data, n int) []int {
	class := make([]int, n)
	for i := range n {
		class[i] = data.Unlabelled
		if i < len(d.Labels) {
			class[i] = d.Labels[i]
		}
		if i < len(d.Truth) && d.Truth[i] != data.Unlabelled {
			class[i] = d.Truth[i]
		}
		class[i] = max(class[i], data.Unlabelled)
	}
	return class
}

// Classes contains the classes of samples, with their colours and symbols.
type Classes struct {
	// Classes lists the classes that occur, ascending. Names contains their names.
	Classes []int
	Names   []string
	// Of[i] is the index of sample i into Classes. Labelled marks the samples whose labels are
	// visible to a method. It marks no samples if the labels of all samples are visible.
	Of       []int
	Labelled []bool
	// Groups are the entries of the legend.
	Groups []Group
	// Ranks determine the colours and symbols.
	Ranks Ranks
}

// Group contains the samples with the same legend entry. These are the samples of one class or,
// beyond the first MaxClasses classes, of all classes with the same colour and symbol.
type Group struct {
	Name  string
	Class int      // index into Classes.Classes of a class with this colour and symbol
	Rows  [2][]int // Rows[0] contains the samples without a visible label, and Rows[1] the samples with one
}

// MaxClasses bounds the number of classes in a legend.
const MaxClasses = 200

// MoreClasses is the legend entry of the classes beyond MaxClasses.
const MoreClasses = "more classes"

// ClassesOf returns the classes of the n samples of d: the true class where it is known, and the
// label elsewhere.
func ClassesOf(d *data.Data, n int) Classes {
	class := KnownClasses(d, n)
	return classesIn(NewRanks(d.AllClasses(), class), d, class)
}

// ClassesIn is [ClassesOf] with given ranks, which several data sets can share.
func ClassesIn(r Ranks, d *data.Data, n int) Classes { return classesIn(r, d, KnownClasses(d, n)) }

func classesIn(r Ranks, d *data.Data, class []int) Classes {
	n := len(class)
	c := Classes{Of: make([]int, n), Labelled: make([]bool, n), Ranks: r}
	for i := range min(n, len(d.Labels)) {
		c.Labelled[i] = d.Labels[i] != data.Unlabelled
	}
	if !slices.Contains(c.Labelled, false) {
		clear(c.Labelled) // rings around all samples would carry no information
	}
	c.Classes = slices.Compact(slices.Sorted(slices.Values(class)))
	for _, l := range c.Classes {
		c.Names = append(c.Names, d.ClassName(l))
	}
	c.Names = Names(c.Names)
	at := map[int]int{} // index into Classes of each class
	// Index into Groups by colour and symbol, for classes beyond MaxClasses.
	looks := map[string]int{}
	inGroup := make([]int, len(c.Classes))
	for k, l := range c.Classes {
		at[l] = k
		if k < MaxClasses {
			inGroup[k] = len(c.Groups)
			c.Groups = append(c.Groups, Group{Name: c.Names[k], Class: k})
			continue
		}
		look := CSS(c.Tone(k)) + c.Symbol(k)
		g, known := looks[look]
		if !known {
			g = len(c.Groups)
			looks[look] = g
			c.Groups = append(c.Groups, Group{Name: MoreClasses, Class: k})
		}
		inGroup[k] = g
	}
	for i, l := range class {
		c.Of[i] = at[l]
		g, labelled := &c.Groups[inGroup[at[l]]], 0
		if c.Labelled[i] {
			labelled = 1
		}
		g.Rows[labelled] = append(g.Rows[labelled], i)
	}
	return c
}

// Tone returns the colour of Classes[k].
func (c Classes) Tone(k int) color.NRGBA { return c.Ranks.Color(c.Classes[k]) }

// Symbol returns the ECharts symbol of Classes[k].
func (c Classes) Symbol(k int) string { return Symbols[c.Ranks.Shape(c.Classes[k], false)] }

// Legend contains the groups of samples for a widget.
type Legend struct {
	// Names, Colors (CSS) and Symbols (circle, triangle, rect, diamond) have one entry per group.
	Names, Colors, Symbols []string
	// Of[i] is the index of sample i into Names. Labelled marks the samples whose labels are
	// visible to a method.
	Of       []int
	Labelled []bool
}

// Legend returns the groups for a widget.
func (c Classes) Legend() Legend {
	l := Legend{Of: make([]int, len(c.Of)), Labelled: c.Labelled}
	for k, g := range c.Groups {
		l.Names, l.Colors, l.Symbols = append(l.Names, g.Name), append(l.Colors, CSS(c.Tone(g.Class))), append(l.Symbols, c.Symbol(g.Class))
		for _, rows := range g.Rows {
			for _, i := range rows {
				l.Of[i] = k
			}
		}
	}
	return l
}
