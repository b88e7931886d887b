package schema

import "github.com/ssdrnb/ssdrnb/viz/bounds"

// Names in a figure have at most 200 characters; a sentence around them may be longer.
var (
	name   = Text{Max: 600}
	real   = Number{-1e301, 1e301} // twice viz's largest number, with a margin
	packed = Text{Max: bounds.Data, Only: `A-Za-z0-9+/=`}
	index  = Integer{0, bounds.Panels - 1}
)

// Colours are hexadecimal, or stand for one of the page's theme.
var color = Text{Max: 7, Like: `^(#[0-9a-f]{3}|#[0-9a-f]{6}|@ink|@page|@faint)$`}

// A picture is a PNG or JPEG in the data themselves.
var picture = Text{Max: 16 << 20, Like: `^data:image/(png|jpeg);base64,`, Only: `A-Za-z0-9+/=:;,`}

var symbol = Choice{"circle", "triangle", "rect", "diamond"}

// The icons of lines in a legend.
var icon = Choice{"path://M0,4H30V6H0Z", "path://M0,4H7V6H0ZM11,4H19V6H11ZM23,4H30V6H23Z",
	"path://M0,4H3V6H0ZM5,4H8V6H5ZM11,4H14V6H11ZM16,4H19V6H16ZM22,4H25V6H22ZM27,4H30V6H27Z"}

type dict = map[string]any

// short has what a legend shows instead of names that were cut.
var short = list(Tuple{name, name}, bounds.Series)

func list(of Type, most int) Array { return Array{Of: of, Max: most} }

func keys(pairs ...any) []Key {
	out := make([]Key, 0, len(pairs)/2)
	for k := 0; k < len(pairs); k += 2 {
		out = append(out, Key{pairs[k].(string), pairs[k+1].(Type)})
	}
	return out
}

func one(v any) Const { return Const{v} }

// hidden is the tooltip of what has no hover card of its own.
var hidden = one(dict{"show": false})

// layout is viz's layout, in pixels.
var layout = &Object{Name: "layout", Keys: keys("count", Integer{1, bounds.Panels}, "most", Integer{1, 10}, "least", Number{0, 1000}, "high", Number{20, 2500}, "head", Number{0, 100}, "above", Number{0, 100},
	"below", Number{0, 400}, "left", Number{0, 1000}, "gap", Number{0, 1000}, "right", Number{0, 1000}, "legend", Number{0, 400}, "foot", Number{0, 1000},
	"ratio", list(Number{0, 1e308}, bounds.Panels), "kept", Flag{}), Optional: keys("spans", list(Any{list(real, 4), Null{}}, bounds.Panels))}

// edge is the line of an axis, at the edge of the panel.
var edge = one(dict{"show": true, "onZero": false})

// ticks are few enough to be places of names.
var ticks = list(real, 1000)

var axis = &Object{Name: "axis", Keys: keys("type", Choice{"value", "log"}, "gridIndex", index, "min", real, "max", real),
	Optional: keys("name", name, "nameLocation", one("middle"), "nameGap", Integer{0, 400}, "splitNumber", Integer{1, 10}, "minInterval", one(1), "axisLine", edge,
		"axisTick", &Object{Optional: keys("show", one(true), "length", one(4), "customValues", ticks)},
		"axisLabel", &Object{Optional: keys("showMinLabel", Flag{}, "showMaxLabel", Flag{}, "hideOverlap", one(true), "customValues", ticks, "width", Integer{1, 400}, "overflow", one("truncate"))},
		"splitLine", Any{hidden, one(dict{"lineStyle": dict{"opacity": 0.5}})},
		"axisPointer", one(dict{"show": true, "triggerTooltip": false, "lineStyle": dict{"color": "#999"}}),
		"position", Choice{"left", "bottom"}, "show", one(false), "inverse", Flag{}, "outer", one(true), "from", real, "span", real)}

// categories is the axis of the groups of bars.
var categories = &Object{Name: "categories", Keys: keys("type", one("category"), "data", list(name, bounds.Bars), "axisTick", hidden, "axisLine", edge,
	"axisLabel", &Object{Keys: keys("interval", Integer{0, bounds.Bars}, "rotate", Integer{0, 90}, "width", Integer{1, 400}, "overflow", one("truncate"))})}

func label3D(size int) Const {
	return one(dict{"fontSize": size, "lineHeight": size + 6, "margin": 4, "color": "@ink"})
}

var axis3D = &Object{Name: "axis3D", Steps: 50, Keys: keys("type", one("value"), "name", name, "min", real, "max", real, "nameGap", one(4), "axisLabel", label3D(11), "nameTextStyle", label3D(13),
	"axisLine", one(dict{"lineStyle": dict{"color": "@ink", "width": 1.5}}), "axisTick", one(dict{"length": 4}), "splitLine", one(dict{"lineStyle": dict{"color": "@faint"}}),
	"axisPointer", one(dict{"lineStyle": dict{"color": "@ink"}, "label": dict{"textStyle": dict{"color": "@ink"}}})),
	Optional: keys("grid3DIndex", index, "splitNumber", one(4), "interval", Number{1e-300, 1e301}, "tight", one(true), "show", one(false), "from", real, "span", real)}

var grid3D = &Object{Name: "grid3D", Keys: keys("boxWidth", Number{1, 500}, "boxDepth", Number{1, 500}, "boxHeight", Number{1, 500},
	"viewControl", &Object{Keys: keys("distance", Number{10, 1000}, "autoRotate", one(false), "alpha", Integer{-90, 90}, "beta", Integer{-360, 360}, "center", list(Integer{-100, 100}, 3))})}

var title = &Object{Name: "title", Keys: keys("textStyle", &Object{Keys: keys("fontSize", Integer{8, 30}), Optional: keys("fontWeight", one("normal"))}),
	Optional: keys("text", name, "top", one("4"), "panel", index, "scale", one(true))}

var legend = &Object{Name: "legend", Optional: keys("show", Flag{}, "type", one("scroll"), "orient", one("vertical"), "right", one(4), "top", one("middle"), "align", one("left"),
	"itemWidth", Any{one(14), one(30)}, "itemGap", one(6), "itemStyle", one(dict{"opacity": 1, "borderWidth": 0}), "textStyle", &Object{Keys: keys("width", Integer{1, 400}, "overflow", one("truncate"))},
	"tooltip", one(dict{"show": true}), "selectedMode", one(false), "data", list(Any{name, &Object{Keys: keys("name", name, "icon", icon)}}, bounds.Series))}

var zoom = Any{
	&Object{Keys: keys("type", one("inside"), "xAxisIndex", list(index, bounds.Panels), "filterMode", one("none"))},
	&Object{Keys: keys("type", one("inside"), "yAxisIndex", list(index, bounds.Panels), "filterMode", one("none"))}}

var visualMap = &Object{Name: "visualMap", Keys: keys("dimension", Integer{0, 8}, "min", real, "max", real,
	"inRange", Any{&Object{Keys: keys("color", list(color, 256))}, one(dict{"symbolSize": []int{3, 18}}), one(dict{"opacity": []float64{0.1, 1}})}),
	Optional: keys("type", one("continuous"), "show", Flag{}, "seriesIndex", list(Integer{0, 2 * bounds.Bars}, bounds.Series), "calculable", Flag{}, "hoverLink", one(false), "text", list(Text{Max: 100}, 2), "textGap", one(5),
		"panel", index, "itemWidth", Integer{1, 40}, "align", one("left"), "right", one(8), "top", one("middle"), "precision", one(3))}

var (
	itemStyle = &Object{Name: "itemStyle", Keys: keys("color", color), Optional: keys("opacity", Number{0, 1}, "borderColor", color, "borderWidth", Number{0, 5})}
	lineStyle = &Object{Name: "lineStyle", Keys: keys("width", Number{0, 10}), Optional: keys("color", color, "opacity", Number{0, 1}, "type", Choice{"solid", "dashed", "dotted"})}
	// A value is "-" or null where there is none.
	row = list(Any{real, Null{}, Choice{"-"}}, 8)
)

func rows(most int) Array { return list(row, most) }

// placed are the axes of a series.
func placed(more ...Key) []Key {
	return append(keys("xAxisIndex", index, "yAxisIndex", index), more...)
}

// The series that viz makes.
var (
	scatter = &Object{Name: "scatter", Keys: keys("type", one("scatter"), "symbol", symbol, "data", rows(bounds.Points), "itemStyle", itemStyle),
		Optional: placed(keys("name", name, "symbolSize", Number{0, 60})...)}
	names = &Object{Name: "names", Keys: keys("type", one("scatter"), "silent", one(true), "z", Integer{0, 9}, "tooltip", hidden, "itemStyle", one(dict{"opacity": 0, "color": "@ink"}),
		"labelLayout", one(dict{"hideOverlap": true}),
		"label", &Object{Keys: keys("show", one(true), "opacity", one(1), "position", one("inside"), "fontSize", Integer{8, 30}, "fontWeight", Choice{"bold", "normal"}, "color", color,
			"textBorderColor", color, "textBorderWidth", Integer{0, 5})},
		"data", list(&Object{Keys: keys("name", name, "value", row, "symbolSize", Number{0, 60}), Optional: keys("label", &Object{Keys: keys("position", Choice{"left", "right"})})}, 1000)),
		Optional: placed()}
	segments = &Object{Name: "segments", Keys: keys("type", one("lines"), "draw", one("segments"), "coordinateSystem", one("cartesian2d"), "name", name, "data", list(real, 4*bounds.Links),
		"lineStyle", lineStyle, "itemStyle", itemStyle, "silent", one(true), "clip", one(true), "z", Integer{0, 9}, "symbol", one("none")), Optional: placed()}
	arrows = &Object{Name: "arrows", Keys: keys("type", one("lines"), "coordinateSystem", one("cartesian2d"), "symbol", one([]string{"none", "arrow"}), "symbolSize", one(9), "lineStyle", lineStyle,
		"data", list(&Object{Keys: keys("name", name, "coords", list(row, 2))}, 1000), "silent", one(true), "z", Integer{0, 9}, "tooltip", hidden), Optional: placed()}
	image = &Object{Name: "picture", Keys: keys("type", one("custom"), "draw", one("picture"), "image", picture, "data", rows(1), "encode", one(dict{"x": []int{0, 2}, "y": []int{1, 3}}),
		"clip", one(true), "silent", one(true), "z", Integer{0, 9}, "tooltip", hidden), Optional: placed()}
	thumbnails = &Object{Name: "thumbnails", Keys: keys("type", one("custom"), "draw", one("thumbnails"), "panel", index, "names", list(name, 1000), "tones", list(color, 1000), "side", Integer{1, 100},
		"data", rows(bounds.Points), "encode", one(dict{"x": 0, "y": 1}), "clip", one(true), "silent", one(true), "z", Integer{0, 9}, "progressive", one(0), "tooltip", hidden), Optional: placed()}
	spread = &Object{Name: "spread", Keys: keys("type", one("custom"), "draw", Choice{"whiskers", "band"}, "name", name, "data", rows(bounds.Points), "encode", one(dict{"x": 0, "y": []int{1, 2}}),
		"clip", one(true), "silent", one(true), "z", Integer{0, 9}, "itemStyle", itemStyle), Optional: placed(keys("beside", Integer{0, bounds.Bars})...)}
	bar = &Object{Name: "bar", Keys: keys("type", one("bar"), "name", name, "barGap", one("8%"), "barCategoryGap", one("22%"),
		"data", list(Any{real, Choice{"-"}}, bounds.Bars), "itemStyle", &Object{Keys: keys("color", color), Optional: keys("decal", Choice{"rect", "triangle", "circle"})})}
	line = &Object{Name: "line", Keys: keys("type", one("line"), "symbol", symbol, "symbolSize", Number{0, 60}, "lineStyle", lineStyle, "itemStyle", itemStyle),
		Optional: placed(keys("data", Any{rows(bounds.Points), Null{}}, "name", name, "silent", one(true), "z", Integer{0, 9})...)}
	surface = &Object{Name: "surface", Keys: keys("type", one("surface"), "dataShape", list(Integer{2, bounds.Bars}, 2), "data", rows(bounds.Cells), "name", name, "shading", one("color"),
		"wireframe", &Object{Keys: keys("show", one(true), "lineStyle", &Object{Keys: keys("color", Choice{"rgba(0,0,0,0.35)", "rgba(128,128,128,0.35)"}, "width", Integer{0, 5})})}),
		Optional: keys("grid3DIndex", index, "itemStyle", itemStyle, "silent", one(true))}
	line3D    = &Object{Name: "line3D", Keys: keys("type", one("line3D"), "name", name, "data", rows(2), "lineStyle", lineStyle, "silent", one(true))}
	scatter3D = &Object{Name: "scatter3D", Keys: keys("type", one("scatter3D"), "symbol", symbol, "data", rows(bounds.Points), "itemStyle", itemStyle), Optional: keys("name", name, "symbolSize", Number{0, 60}, "xAxisIndex", one(0), "yAxisIndex", one(0))}
)

// series are at most most series of these types with total values in all.
func series(most, total int, of ...Type) Array {
	return Array{Of: Any(of), Max: most, Total: total}
}

// chart is a figure in two dimensions.
func chart(kind string, x, y Type, extra Type, of Array) Type {
	return &Object{Keys: keys("kind", one(kind), "gl", one(false), "height", height, "layout", layout, "extra", extra,
		"option", &Object{Keys: keys("title", list(title, bounds.Panels+2), "tooltip", one(dict{"trigger": "item"}), "animation", one(false), "legend", legend, "xAxis", x, "yAxis", y, "series", of),
			Optional: keys("dataZoom", list(zoom, 2), "visualMap", list(visualMap, bounds.Panels+2))})}
}

// space is a figure in three dimensions.
func space(kind string, a Type, extra Type, of Array) Type {
	return &Object{Keys: keys("kind", one(kind), "gl", one(true), "height", height, "layout", layout, "extra", extra,
		"option", &Object{Keys: keys("title", list(title, 4), "tooltip", one(dict{"trigger": "item"}), "animation", one(false), "legend", legend, "xAxis3D", a, "yAxis3D", a, "zAxis3D", a, "grid3D", list(grid3D, 2), "series", of),
			Optional: keys("visualMap", list(visualMap, 4))})}
}

// height is 0 where the page chooses.
var height = Any{one(0), Integer{200, 2000}}

// Integers of samples count rows.
var (
	rowNumber = Integer{-1, 100 * bounds.Many}
	texts     = list(name, bounds.Many)
)

// samples is what the script shows of samples.
var samples = &Object{Name: "samples", Keys: keys("panels", list(Any{samplePanel, Null{}}, bounds.Tiles), "sheets", list(sheet, bounds.Tiles), "legend", name, "many", Flag{}),
	Optional: keys("short", short, "grades", list(&Object{Keys: keys("name", name, "names", list(Text{Max: 100}, 3), "values", list(Number{0, 100}, 3), "range", list(Number{0, 1}, 3))}, 2))}

var samplePanel = &Object{Name: "panel", Keys: keys("labelled", Text{Max: bounds.Many, Only: "01"}, "sheet", Integer{-1, bounds.Tiles - 1},
	"samples", &Object{Keys: keys("name", name, "n", Integer{0, bounds.Many}, "data", name, "print", Text{Max: 16, Like: "^[0-9a-f]*$"}), Optional: keys("code", Text{Max: 20_000})}),
	Optional: keys("of", list(rowNumber, bounds.Many), "names", texts, "facts", list(fact, 10_000),
		"many", &Object{Keys: keys("count", Integer{0, bounds.Many}, "x", packed, "y", packed, "of", packed, "from", list(real, 2), "to", list(real, 2), "above", Flag{}),
			Optional: keys("rows", packed, "values", packed, "stops", list(color, 256), "range", list(real, 2))})}

var fact = Any{&Object{Keys: keys("at", Integer{1, 8}, "name", name)}, &Object{Keys: keys("values", list(Any{real, Null{}}, bounds.Many), "name", name)},
	&Object{Keys: keys("of", list(rowNumber, bounds.Many), "names", texts, "name", name)}}

// sheet has the pictures of samples, three bits for each pixel.
var sheet = &Object{Name: "sheet", Keys: keys("w", Integer{1, 16}, "h", Integer{1, 16}, "count", Integer{0, 5000}, "data", Text{Max: 1 << 20, Only: packed.Only})}

// multiples is what is drawn over a picture of small embeddings.
var multiples = func() Type {
	const tiles = bounds.Tiles
	side := &Object{Name: "tiles", Keys: keys("width", Integer{1, 5000}, "height", Integer{1, 100_000}, "tiles", list(Tuple{real, real}, tiles), "keys", list(Tuple{real, real, real, name}, 1000))}
	return &Object{Keys: keys("kind", one("multiples"), "side", Integer{1, 1000}, "wide", side, "narrow", side, "points", Array{Of: packed, Max: tiles, Total: 16*bounds.Points/3 + 8*tiles},
		"look", list(Integer{0, tiles}, tiles), "looks", list(&Object{Keys: keys("names", list(name, bounds.Series), "colors", list(color, bounds.Series), "symbols", list(symbol, bounds.Series), "of", list(rowNumber, bounds.Points))}, tiles), "extra", samples)}
}()

// Figures returns the types of the data of figures by their kinds: the one list of them.
func Figures() map[string]Type {
	flat := list(axis, bounds.Panels)
	of := func(kind string, more ...Type) Type {
		return chart(kind, flat, flat, samples, series(bounds.Series, bounds.Drawn, append([]Type{scatter, names, segments, arrows, image, thumbnails}, more...)...))
	}
	nothing := Null{}
	return map[string]Type{
		"embedding":   Any{of("embedding"), space("embedding", axis3D, samples, series(bounds.Series, bounds.Drawn, scatter3D))},
		"graph":       of("graph"),
		"boundaries":  of("boundaries"),
		"field":       of("field", line),
		"adjacency":   chart("adjacency", flat, flat, &Object{Keys: keys("middles", list(real, bounds.Many), "names", texts, "order", list(rowNumber, bounds.Many), "bounds", list(real, bounds.Many+1))}, series(3*bounds.Panels, bounds.Drawn, image, segments, scatter)),
		"pictures":    chart("pictures", flat, flat, nothing, series(3*bounds.Panels, bounds.Drawn, image, scatter)),
		"bars":        chart("bars", categories, axis, &Object{Keys: keys("spread", list(list(Any{real, Null{}}, bounds.Bars), bounds.Bars)), Optional: keys("short", short)}, series(2*bounds.Groups, 2*bounds.Bars, bar, spread)),
		"curves":      chart("curves", flat, flat, &Object{Keys: keys("x", name), Optional: keys("short", short)}, series(2*bounds.Curves, 2*bounds.Points, line, spread)),
		"convergence": chart("convergence", flat, flat, Any{nothing, &Object{Keys: keys("short", short)}}, series(2*bounds.Curves, bounds.Traced, line)),
		"mesh":        space("mesh", list(axis3D, 2), &Object{Keys: keys("x", list(name, bounds.Bars), "y", list(name, bounds.Bars), "names", list(name, 2))}, series(2, 2*bounds.Cells, surface)),
		"cone":        space("cone", axis3D, nothing, series(bounds.Panels*3, 10_000, surface, line3D, scatter3D)),
		"multiples":   multiples,
	}
}
