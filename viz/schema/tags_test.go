package schema

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/go-echarts/go-echarts/v2/opts"
)

// Tags are interpreted as package chart documents them.
func TestTags(t *testing.T) {
	type inner struct {
		On bool `json:"on"`
	}
	type outer struct {
		inner
		Const  string      `json:"const" is:"=\"c\""`
		Choice string      `json:"choice,omitempty" is:"a|b"`
		Whole  *int        `json:"whole,omitempty" is:"0..Panels"`
		Share  float64     `json:"share" is:"0..1e3"`
		Text   string      `json:"text" is:"<=7"`
		Name   string      `json:"name" is:"name"`
		List   [][]float64 `json:"list" is:"real?*3*Tiles"`
		Maybe  []string    `json:"maybe" is:"color*2?"`
		Parts  []inner     `json:"parts" is:"*4"`
	}
	o := object(reflect.TypeFor[outer](), nil)
	keyed := map[string]Type{}
	for _, k := range append(o.Keys, o.Optional...) {
		keyed[k.Name] = k.Type
	}
	for key, want := range map[string]Type{
		"on": Flag{}, "const": Const{"c"}, "choice": Choice{"a", "b"}, "whole": Integer{0, limits["Panels"]}, "share": Number{0, 1000}, "text": Text{Max: 7}, "name": name,
		"list": list(list(Any{real, Null{}}, 3), limits["Tiles"]), "maybe": Any{list(color, 2), Null{}},
	} {
		if !reflect.DeepEqual(keyed[key], want) {
			t.Errorf("%s is %#v, want %#v", key, keyed[key], want)
		}
	}
	if parts, ok := keyed["parts"].(Array); !ok || parts.Max != 4 || parts.Of != typeOf(reflect.TypeFor[inner]()) {
		t.Errorf("parts are %#v", keyed["parts"])
	}
	if len(o.Optional) != 2 || len(o.Keys) != 8 {
		t.Errorf("%d required and %d optional keys", len(o.Keys), len(o.Optional))
	}
}

// A field of unrestricted type is a programming error: it does not get into the schema.
func TestUntaggedFields(t *testing.T) {
	for name, of := range map[string]reflect.Type{
		"a string without a length": reflect.TypeFor[struct {
			S string `json:"s"`
		}](),
		"an integer without a range": reflect.TypeFor[struct {
			I int `json:"i"`
		}](),
		"a list without a length": reflect.TypeFor[struct {
			L []bool `json:"l"`
		}](),
		"any value": reflect.TypeFor[struct {
			A any `json:"a"`
		}](),
		"a map": reflect.TypeFor[struct {
			M map[string]int `json:"m"`
		}](),
		"a word that is none": reflect.TypeFor[struct {
			W string `json:"w" is:"nonsense"`
		}](),
		"a limit that is none": reflect.TypeFor[struct {
			L []bool `json:"l" is:"*Nonsense"`
		}](),
		"a constant that is not JSON": reflect.TypeFor[struct {
			C string `json:"c" is:"=c"`
		}](),
		"a list of a value that is none": reflect.TypeFor[struct {
			F float64 `json:"f" is:"real*3"`
		}](),
		"a type of go-echarts, with formatters and links": reflect.TypeFor[struct {
			T opts.Title `json:"t"`
		}](),
	} {
		func() {
			defer func() {
				if fault := recover(); fault == nil || !strings.HasPrefix(fault.(string), "schema: ") {
					t.Errorf("%s: %v", name, fault)
				}
			}()
			var b bytes.Buffer
			object(of, nil).write(&b, map[string]*Object{})
			t.Errorf("%s is described: %s", name, b.String())
		}()
	}
}
