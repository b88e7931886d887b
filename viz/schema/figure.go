package schema

import (
	"reflect"

	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
)

// Names in a figure have at most 200 characters. A sentence that contains names may be longer.
var (
	name   = Text{Max: 600}
	real   = Number{-1e301, 1e301} // maxNumber of package viz is 1e300; differences and margins can be larger
	packed = Text{Max: bounds.Data, Only: `A-Za-z0-9+/=`}
	index  = Integer{0, bounds.Panels - 1}
)

// color is a hexadecimal colour or a colour of the page's theme (@ink, @page, @faint).
var color = Text{Max: 7, Like: `^(#[0-9a-f]{3}|#[0-9a-f]{6}|@ink|@page|@faint)$`}

// picture is a PNG or JPEG as a data URL.
var picture = Text{Max: 16 << 20, Like: `^data:image/(png|jpeg);base64,`, Only: `A-Za-z0-9+/=:;,`}

var symbol = Choice{"circle", "triangle", "rect", "diamond"}

var icon = Choice{"path://M0,4H30V6H0Z", "path://M0,4H7V6H0ZM11,4H19V6H11ZM23,4H30V6H23Z",
	"path://M0,4H3V6H0ZM5,4H8V6H5ZM11,4H14V6H11ZM16,4H19V6H16ZM22,4H25V6H22ZM27,4H30V6H27Z"}

// rowNumber is the index of a sample, class or group, or a number of samples; −1 means none.
var rowNumber = Integer{-1, 100 * bounds.Many}

var texts = list(name, bounds.Many)

type dict = map[string]any

func list(of Type, most int) Array { return Array{Of: of, Max: most} }

func keys(pairs ...any) []Key {
	out := make([]Key, 0, len(pairs)/2)
	for k := 0; k < len(pairs); k += 2 {
		out = append(out, Key{pairs[k].(string), pairs[k+1].(Type)})
	}
	return out
}

func constant(v any) Const { return Const{v} }

// vocabulary contains the types that a tag of package chart may name. Types of go-echarts have more
// fields than a figure may set, so each of them is described here.
var vocabulary = map[string]Type{
	"name": name, "real": real, "packed": packed, "index": index, "color": color, "picture": picture, "symbol": symbol, "row number": rowNumber,
	"number": Text{Max: 100},                     // a number, possibly with a unit
	"bits":   Text{Max: bounds.Many, Only: "01"}, // one digit per sample
	"print":  Text{Max: 16, Like: "^[0-9a-f]*$"}, // a fingerprint in hexadecimal digits
	"place":  Integer{0, 2 * bounds.Bars},        // index of a series
	"tile":   Integer{0, bounds.Tiles},           // index of an embedding in Multiples
	"side":   Integer{2, bounds.Bars},            // length of one side of a grid
	"shift":  Integer{-100, 100},                 // displacement of a camera
	"height": Any{real, Choice{"-"}},             // height of a bar
	// A row of data; null and "-" are missing values.
	"row":      list(Any{real, Null{}, Choice{"-"}}, 8),
	"pair":     Tuple{real, real},
	"short":    list(Tuple{name, name}, bounds.Series),
	"tile key": Tuple{real, real, real, name},
	"frames":   Array{Of: packed, Max: bounds.Tiles, Total: 16*bounds.Points/3 + 8*bounds.Tiles},
	"key":      Any{name, &Object{Keys: keys("name", name, "icon", icon)}},
	"fact": Any{&Object{Keys: keys("at", Integer{1, 8}, "name", name)}, &Object{Keys: keys("values", list(Any{real, Null{}}, bounds.Many), "name", name)},
		&Object{Keys: keys("of", list(rowNumber, bounds.Many), "name", name), Optional: keys("names", texts)}},
	"sheet":     &Object{Name: "sheet", Keys: keys("w", Integer{1, 16}, "h", Integer{1, 16}, "count", Integer{0, 5000}, "data", Text{Max: 1 << 20, Only: packed.Only})},
	"itemStyle": &Object{Name: "itemStyle", Keys: keys("color", color), Optional: keys("opacity", Number{0, 1}, "borderColor", color, "borderWidth", Number{0, 5})},
	"lineStyle": &Object{Name: "lineStyle", Keys: keys("width", Number{0, 10}), Optional: keys("color", color, "opacity", Number{0, 1}, "type", Choice{"solid", "dashed", "dotted"})},
	"titleText": &Object{Keys: keys("fontSize", Integer{8, 30}), Optional: keys("fontWeight", constant("normal"))},
	"splitLine": Any{constant(dict{"show": false}), constant(dict{"lineStyle": dict{"opacity": 0.5}})},
	"zoom": Any{
		&Object{Keys: keys("type", constant("inside"), "xAxisIndex", list(index, bounds.Panels), "filterMode", constant("none"))},
		&Object{Keys: keys("type", constant("inside"), "yAxisIndex", list(index, bounds.Panels), "filterMode", constant("none"))}},
}

// limits contains the numbers that a tag of package chart may use by name.
var limits = map[string]int{
	"Panels": bounds.Panels, "Tiles": bounds.Tiles, "Series": bounds.Series, "Many": bounds.Many, "Points": bounds.Points, "Bars": bounds.Bars, "Cells": bounds.Cells,
	"Titles": bounds.Panels + 2, "Ends": 4 * bounds.Links, "Many+1": bounds.Many + 1, "sheets": bounds.Tiles - 1, "Traced": bounds.Traced,
	"Facts": 2 * (bounds.Facts + 3), // including the facts for colour, size and opacity; a target has two facts: its values and their origin
}

// lengths contains the maximum lengths of the named list types of package chart.
var lengths = map[reflect.Type]int{reflect.TypeFor[chart.Axes](): bounds.Panels, reflect.TypeFor[chart.Axes3D](): 2}

// steps contains the maximum number of steps of an axis, see [Object].
var steps = map[reflect.Type]int{reflect.TypeFor[chart.Axis3D](): 50}

// series returns the type of a list of series of the given types. The argument most is the maximum
// number of series, and total is the maximum number of values in all series together.
func series(most, total int, of ...chart.Series) Array {
	var types Any
	for _, s := range of {
		types = append(types, typeOf(reflect.TypeOf(s)))
	}
	return Array{Of: types, Max: most, Total: total}
}

// figure returns the type of the data of one kind of figure. gl is true for charts in three
// dimensions.
func figure(kind string, gl bool, option chart.Option, extra Type, series Array) Type {
	given := map[string]Type{"series": series}
	if gl { // a chart in three dimensions has at most two boxes
		given["title"], given["visualMap"] = list(typeFor[chart.Title](), 4), list(typeFor[chart.VisualMap](), 4)
	}
	return object(reflect.TypeFor[chart.Figure](), map[string]Type{"kind": constant(kind), "gl": constant(gl), "extra": extra,
		"option": object(reflect.TypeOf(option).Elem(), given),
		"height": Any{constant(0), Integer{200, 2000}}}) // 0 if the page decides
}

// typeFor returns the type that describes the values of T.
func typeFor[T any]() Type { return typeOf(reflect.TypeFor[T]()) }

// Figures returns the types of the data of figures, keyed by kind.
func Figures() map[string]Type {
	samples, nothing := typeFor[chart.Samples](), Null{}
	panels := func(kind string, more ...chart.Series) Type {
		return figure(kind, false, &chart.Panels{}, samples, series(bounds.Series, bounds.Drawn,
			append([]chart.Series{&chart.Scatter{}, &chart.Names{}, &chart.Segments{}, &chart.Arrows{}, &chart.Picture{}, &chart.Thumbnails{}}, more...)...))
	}
	space := &chart.Space[*chart.Axis3D]{}
	return map[string]Type{
		"embedding":   Any{panels("embedding"), figure("embedding", true, space, samples, series(bounds.Series, bounds.Drawn, &chart.Scatter3D{}))},
		"graph":       panels("graph"),
		"boundaries":  panels("boundaries"),
		"field":       panels("field", &chart.Line{}),
		"adjacency":   figure("adjacency", false, &chart.Panels{}, typeFor[chart.Matrices](), series(3*bounds.Panels, bounds.Drawn, &chart.Picture{}, &chart.Segments{}, &chart.Scatter{})),
		"pictures":    figure("pictures", false, &chart.Panels{}, nothing, series(3*bounds.Panels, bounds.Drawn, &chart.Picture{}, &chart.Scatter{})),
		"bars":        figure("bars", false, &chart.Plane[*chart.Categories, *chart.Axis]{}, typeFor[chart.Spreads](), series(2*bounds.Groups, 2*bounds.Bars, &chart.Bar{}, &chart.Spread{})),
		"curves":      figure("curves", false, &chart.Panels{}, typeFor[chart.Abscissa](), series(2*bounds.Curves, 2*bounds.Points, &chart.Line{}, &chart.Spread{})),
		"convergence": figure("convergence", false, &chart.Panels{}, Any{nothing, typeFor[chart.Abridged]()}, series(2*bounds.Curves, bounds.Traced, &chart.Line{})),
		"mesh":        figure("mesh", true, &chart.Space[chart.Axes3D]{}, typeFor[chart.Grid](), series(2, 2*bounds.Cells, &chart.Surface{})),
		"cone":        figure("cone", true, space, nothing, series(bounds.Panels*3, 10_000, &chart.Surface{}, &chart.Line3D{}, &chart.Scatter3D{})),
		"multiples":   typeFor[chart.Multiples](),
		"tree":        typeFor[chart.Tree](),
	}
}
