package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/viz/schema"
)

var update = flag.Bool("update", false, "write viz/extension/schema.json anew")

// The extension's schema is up to date with the description in Go.
func TestGenerated(t *testing.T) {
	path := filepath.Join("..", "extension", "schema.json")
	want := schema.JSON()
	if !json.Valid(want) {
		t.Fatal("the schema is no JSON")
	}
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("viz/extension/schema.json is not that of the types in viz/schema (%v): run go generate ./viz/schema", err)
	}
}

// No type allows a key that ECharts interprets as a function or markup, and free text occurs only
// where it is written as text.
func TestNoMarkup(t *testing.T) {
	var all any
	if err := json.Unmarshal(schema.JSON(), &all); err != nil {
		t.Fatal(err)
	}
	bad := map[string]bool{}
	for _, k := range strings.Fields("formatter rich graphic link sublink target renderItem extraCssText valueFormatter className appendTo appendToBody toolbox dataset transform html media timeline baseOption styles cssText src href url onclick __proto__ constructor") {
		bad[k] = true
	}
	free := map[string]bool{} // keys with arbitrary text
	var walk func(v any, key string)
	walk = func(v any, key string) {
		if strings.HasPrefix(key, "stage.") { // the options of a stage, which the engine reads
			before := maps.Clone(free)
			defer func() { free = before }()
			key = ""
		}
		switch v := v.(type) {
		case map[string]any:
			if v["type"] == "string" && v["pattern"] == nil && v["not"] == nil {
				free[key] = true
			}
			properties, _ := v["properties"].(map[string]any)
			for k := range properties {
				if bad[k] {
					t.Errorf("the schema has the key %q", k)
				}
				if k == "tooltip" && key == "series" {
					t.Errorf("a series has %q", k)
				}
			}
			for k, one := range v {
				switch k {
				case "items", "prefixItems", "anyOf":
					walk(one, key)
				default:
					walk(one, k)
				}
			}
		case []any:
			for _, one := range v {
				walk(one, key)
			}
		}
	}
	walk(all, "")
	for key := range free {
		switch key {
		// Of figures: "data" are the names of an axis or legend, "keys" those of small embeddings,
		// "legend" is the title of the legend or the entry of a label, "short" are its abbreviated names, "x" and "y" are
		// the values of a mesh.
		case "text", "name", "names", "legend", "short", "data", "keys", "code", "x", "y":
		// Read by the engine.
		case "method", "options", "additionalProperties", "controls", "classes", "classNames", "targets", "featureNames", "Name", "Values", "Missing", "notes", "scaled", "err", "stored":
		// Of a beat, written as text.
		case "lesson", "reveal", "question", "why", "unit":
		default:
			t.Errorf("%q is text of any characters", key)
		}
	}
}

func TestCheck(t *testing.T) {
	o := &schema.Object{Keys: []schema.Key{{"n", schema.Integer{1, 3}}, {"t", schema.Text{Max: 2, Only: "ab"}}},
		Optional: []schema.Key{{"list", schema.Array{Of: schema.Any{schema.Number{0, 1}, schema.Null{}}, Max: 2}}, {"kind", schema.Const{"k"}}}}
	kinds := map[string]schema.Type{"k": &schema.Object{Keys: []schema.Key{{"kind", schema.Const{"k"}}, {"o", o}}}}
	for text, fits := range map[string]bool{
		`{"n":1,"t":"ab"}`: true, `{"n":3,"t":"","list":[0.5,null]}`: true, `{"n":1.5,"t":""}`: false, `{"n":4,"t":""}`: false, `{"n":"1","t":""}`: false,
		`{"n":1}`: false, `{"n":1,"t":"c"}`: false, `{"n":1,"t":"aba"}`: false, `{"n":1,"t":"a","more":1}`: false, `{"n":1,"t":"a","__proto__":{}}`: false,
		`{"n":1,"t":"a","list":[1,1,1]}`: false, `{"n":1,"t":"a","list":[2]}`: false, `[]`: false, `null`: false,
	} {
		if err := schema.Check(kinds, []byte(`{"kind":"k","o":`+text+`}`)); (err == nil) != fits {
			t.Errorf("%s: %v", text, err)
		}
	}
	axis := &schema.Object{Keys: []schema.Key{{"min", schema.Number{-9, 9}}, {"max", schema.Number{-9, 9}}}, Optional: []schema.Key{{"interval", schema.Number{1e-300, 9}}}, Steps: 50}
	kinds["axis"] = &schema.Object{Keys: []schema.Key{{"kind", schema.Const{"axis"}}, {"o", axis}}}
	for text, fits := range map[string]bool{
		`{"min":0,"max":1}`: true, `{"min":0,"max":1,"interval":0.02}`: true, `{"min":0,"max":1,"interval":0.01}`: false, `{"min":0,"max":1,"interval":2}`: true,
		`{"min":1,"max":1,"interval":0.01}`: false, `{"min":1,"max":1,"interval":1e-300}`: false, `{"min":1,"max":0,"interval":1e-9}`: false, `{"min":-9,"max":9,"interval":1e-300}`: false,
	} {
		if err := schema.Check(kinds, []byte(`{"kind":"axis","o":`+text+`}`)); (err == nil) != fits {
			t.Errorf("%s: %v", text, err)
		}
	}
	if schema.Check(kinds, []byte(`{"kind":"other","o":{}}`)) == nil {
		t.Error("a kind that is none")
	}
}
