package schema

import (
	"math"

	"github.com/ssdrnb/ssdrnb/viz/bounds"
)

// Limits for the data of widgets that fit models in the page, see package widgets.
const (
	taskRows  = 100_000
	taskCells = 100_000
)

// Strings in the data of these widgets come from the user and may have any length. The page shows
// them only after the engine, the WebAssembly program of package widgets/page, has shortened them.
var (
	words  = Text{Max: bounds.Data}
	whole  = Number{-1e19, 1e19} // labels and seeds may have 64 bits
	perRow = func(of Type) Type { return Any{Null{}, list(of, taskRows)} }
	value  = Any{Number{-math.MaxFloat64, math.MaxFloat64}, Text{Max: 1000}, Flag{}}
	spec   = &Object{Name: "spec", Keys: keys("method", Text{Max: 100}, "options", Map{value, 200})}
	pair   = &Object{Keys: keys("I", rowNumber, "J", rowNumber)}
)

var taskData = &Object{Name: "data", Keys: keys("name", words, "rows", Integer{1, taskRows}, "cols", Integer{1, 50_000_000}, "x", packed, "labels", perRow(whole), "truth", perRow(whole),
	"image", &Object{Keys: keys("Height", whole, "Width", whole, "ColumnMajor", Flag{})},
	"pairs", &Object{Keys: keys("Must", Any{Null{}, list(pair, bounds.Many)}, "Cannot", Any{Null{}, list(pair, bounds.Many)})},
	"draw", &Object{Keys: keys("Keep", whole, "Share", Number{0, 1}, "Seed", whole), Optional: keys("Target", Number{0, 1})}),
	Optional: keys("classNames", list(words, bounds.Many), "targets", list(words, bounds.Many), "targetValues", packed, "featureNames", list(words, bounds.Many), "attributes", list(&Object{Keys: keys("Name", words, "Values", perRow(words)), Optional: keys("Missing", words)}, bounds.Many),
		"anchorRows", list(rowNumber, taskRows), "anchors", packed, "start", packed, "notes", list(words, taskRows), "classes", list(whole, taskRows), "scaled", list(words, taskRows), "scaling", Map{packed, 200})}

var cell = &Object{Keys: keys("scores", Any{Null{}, list(Any{Null{}, real}, taskRows)}), Optional: keys("err", words)}

var sweep = &Object{Name: "sweep", Keys: keys("spec", spec, "axes", list(&Object{Keys: keys("Name", Text{Max: 100}, "Values", list(value, taskCells), "Log", Flag{})}, 2), "splits", whole,
	"unlabelled", perRow(cell), "test", perRow(cell))}

// The types of a beat, which is one step of a lesson. Package interact checks the texts and lists
// of a beat against the same bounds.
var (
	said    = Text{Max: 4000}
	heights = list(real, 64)
	ask     = &Object{Name: "ask", Keys: keys("question", said, "kind", Choice{"choice", "number", "point", "drawing"}, "right", Integer{-1, 11}),
		Optional: keys("options", list(said, 12), "why", list(said, 12), "unit", said, "from", real, "to", real, "answer", real, "tolerance", real, "at", heights,
			"where", list(Tuple{Number{0, 1}, Number{0, 1}, Number{0, 1}}, 64))}
	beat = &Object{Name: "beat", Keys: keys("lesson", said, "name", said, "text", said), Optional: keys("reveal", said, "asks", list(ask, 20))}
)

// Widgets returns, by kind, the types of the data of widgets that fit models in the page. These
// types describe only the form of the data; the engine checks the rest.
func Widgets() map[string]Type {
	out := map[string]Type{}
	for _, kind := range []string{"explorer", "editor", "sweep", "scribble", "playground", "paint", "labeler"} {
		task := &Object{Keys: keys("kind", constant(kind), "spec", spec, "data", taskData, "controls", perRow(Text{Max: 100}), "classes", perRow(words)),
			Optional: keys("ranges", Map{&Object{Keys: keys("min", real, "max", real)}, 200}, "name", words, "base", packed, "sweep", sweep, "methods", list(spec, 200),
				"lift", &Object{Keys: keys("dims", whole, "noise", real, "seed", whole)}, "placed", Flag{})}
		out[kind] = pageWidget(kind, task)
	}
	for kind, parts := range map[string][]Key{"stage": keys("stage", stageSpec), "beat": keys("stage", stageSpec, "beat", beat), "quiz": keys("beat", beat)} {
		optional := keys("data", taskData)
		if kind == "quiz" {
			optional = nil
		}
		out[kind] = pageWidget(kind, &Object{Keys: append(keys("kind", constant(kind), "controls", Null{}, "classes", Null{}), parts...), Optional: optional})
	}
	return out
}

// pageWidget returns the type of the data of a widget that does the given task in the page.
func pageWidget(kind string, task Type) Type {
	return &Object{Keys: keys("kind", constant(kind), "kernel", Text{Max: 64, Like: `^[0-9a-f-]*$`},
		"page", &Object{Keys: keys("task", task,
			// The name is a valid file name.
			"name", Text{Max: 200, Like: `^([^./\\:\x00-\x1f][^/\\:\x00-\x1f]*)?$`},
			"notebook", Text{Max: 100, Like: `^([\w-]*-[0-9a-f]{8})?$`}, "stored", Any{Null{}, Text{Max: 16 << 20}})})}
}
