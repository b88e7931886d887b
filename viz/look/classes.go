package look

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Palette contains the colours of classes. It is the palette of Okabe and Ito, which readers with
// common colour-vision deficiencies can distinguish, with three changes. Black is omitted, because
// it is invisible in the dark theme. Yellow is darker. Three colours are added. From the eleventh
// class on, colours repeat with another symbol. No class is grey: grey marks samples of unknown
// class.
var Palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0x56, 0xb4, 0xe9, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0xb5, 0xa6, 0x00, 0xff}, {0x7a, 0x5c, 0x99, 0xff},
	{0xa8, 0x38, 0x50, 0xff}, {0x6b, 0x8e, 0x5a, 0xff},
}

// NoClass is the colour of samples of unknown class.
var NoClass = color.NRGBA{0x9a, 0x9a, 0x9a, 0xff}

// Symbols are the ECharts symbols of classes.
var Symbols = []string{"circle", "triangle", "rect", "diamond"}

// Looks is the number of combinations of colour and symbol.
var Looks = len(Palette) * len(Symbols)

// Color returns the colour of the class with rank k.
func Color(k int) color.NRGBA { return Palette[k%len(Palette)] }

// Shade is Color for samples that are drawn without symbols. From the eleventh class on, it returns
// lighter and darker variants of the colours, so that it distinguishes as many classes as colours
// and symbols do together.
func Shade(k int) color.NRGBA {
	c := Color(k)
	white, black := color.NRGBA{0xff, 0xff, 0xff, 0xff}, color.NRGBA{0, 0, 0, 0xff}
	switch k / len(Palette) % len(Symbols) {
	case 1:
		return Between([]color.NRGBA{c, white}, 0.5)
	case 2:
		return Between([]color.NRGBA{c, black}, 0.45)
	case 3:
		return Between([]color.NRGBA{c, white}, 0.75)
	}
	return c
}

// Shape returns the index into Symbols for the class with rank k. By default the symbol changes
// only where the colours repeat. If the argument each is true, successive ranks also have different
// symbols.
func Shape(k int, each bool) int {
	if each {
		return (k + k/(2*len(Palette))) % len(Symbols)
	}
	return k / len(Palette) % len(Symbols)
}

// Symbol returns the ECharts symbol of the class with rank k.
func Symbol(k int) string { return Symbols[Shape(k, false)] }

// Ranks maps classes to ranks, which are counted from 0. The rank determines the colour and the
// symbol. The class itself would be a poor index, because it may be a year or a postcode.
type Ranks map[int]int

// NewRanks ranks the classes of two lists together, in ascending order. The list whole contains the
// classes of whole data sets, and the list there contains the drawn classes. If drawn classes would
// share a colour, or both colour and symbol, while others are unused, the drawn classes get the
// first ranks instead. Both lists may be unsorted and may contain repetitions and
// [data.Unlabelled], which gets no rank.
func NewRanks(whole, there []int) Ranks {
	r := ranked(slices.Concat(there, whole))
	colors, looks, count := map[int]bool{}, map[int]bool{}, 0
	few := ranked(there)
	for class := range few {
		k := r[class]
		colors[k%len(Palette)], looks[k%Looks] = true, true
		count++
	}
	if len(colors) == min(count, len(Palette)) && len(looks) == min(count, Looks) {
		return r
	}
	next := len(few) // the other classes get the next ranks
	for _, class := range slices.Sorted(slices.Values(whole)) {
		if _, known := few[class]; !known && class != data.Unlabelled {
			few[class] = next
			next++
		}
	}
	return few
}

// Set contains the classes of a data set: all of them, and those that are drawn. Data contains their
// names.
type Set struct {
	Data         *data.Data
	Whole, There []int
}

// SharedRanks returns the ranks of the classes of several data sets, one for each set. Classes with
// the same name have the same rank. If the data sets number their classes differently, the names
// are ranked in order of appearance; otherwise the ranks are those of [NewRanks].
func SharedRanks(sets []Set) []Ranks {
	numbers := numbersByName(sets)
	common := func(s Set, classes []int) []int {
		if numbers == nil {
			return classes
		}
		out := make([]int, len(classes))
		for k, class := range classes {
			if out[k] = class; class != data.Unlabelled {
				out[k] = numbers[s.Data.ClassName(class)]
			}
		}
		return out
	}
	var whole, there []int
	for _, s := range sets {
		whole, there = append(whole, common(s, s.Whole)...), append(there, common(s, s.There)...)
	}
	shared, out := NewRanks(whole, there), make([]Ranks, len(sets))
	for k, s := range sets {
		if out[k] = shared; numbers == nil {
			continue
		}
		out[k] = Ranks{}
		classes := slices.Concat(s.Whole, s.There)
		for c, number := range common(s, classes) {
			if classes[c] != data.Unlabelled {
				out[k][classes[c]] = shared[number]
			}
		}
	}
	return out
}

// numbersByName numbers the names of the classes of several data sets in order of appearance. It
// returns nil if the sets agree: each name belongs to one class, and each class has at most one name.
func numbersByName(sets []Set) map[string]int {
	numbers, classes, names, agree := map[string]int{}, map[string]int{}, map[int]string{}, true
	for _, s := range sets {
		for _, class := range slices.Concat(s.Whole, s.There) {
			if class == data.Unlabelled {
				continue
			}
			name := s.Data.ClassName(class)
			if _, met := numbers[name]; !met {
				numbers[name], classes[name] = len(numbers), class
			}
			agree = agree && classes[name] == class
			if name == strconv.Itoa(class) {
				continue // the class has no name of its own
			}
			if other, met := names[class]; !met {
				names[class] = name
			} else {
				agree = agree && other == name
			}
		}
	}
	if agree {
		return nil
	}
	return numbers
}

func ranked(classes []int) Ranks {
	r := Ranks{}
	for _, class := range slices.Compact(slices.Sorted(slices.Values(classes))) {
		if class != data.Unlabelled {
			r[class] = len(r)
		}
	}
	return r
}

// Color returns the colour of a class. Classes without a rank are grey.
func (r Ranks) Color(class int) color.NRGBA {
	if k, known := r[class]; known {
		return Color(k)
	}
	return NoClass
}

// Shape returns the index into Symbols for a class, see the function Shape. Classes without a rank
// have the first symbol.
func (r Ranks) Shape(class int, each bool) int { return Shape(r[class], each) }

// Contrast returns the WCAG 2 contrast ratio of two colours, from 1 to 21.
func Contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.NRGBA) float64 {
	part := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

// leastContrast is the minimum contrast that WCAG 2, 1.4.11, requires for graphics.
const leastContrast = 3

// Edge returns an outline colour for marks of colour c on a background of colour ground: a darker
// or lighter variant of c with a contrast of at least 3 to the background. If c itself has this
// contrast, Edge returns c and false.
func Edge(c, ground color.NRGBA) (color.NRGBA, bool) {
	if Contrast(c, ground) >= leastContrast {
		return c, false
	}
	to := color.NRGBA{0, 0, 0, 0xff}
	if luminance(ground) < 0.18 {
		to = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	}
	for k := 1; k < 20; k++ {
		if e := Between([]color.NRGBA{c, to}, float64(k)/20); Contrast(e, ground) >= leastContrast {
			return e, true
		}
	}
	return to, true
}
