package js

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The data of an output decode to the same JSON.
func TestData(t *testing.T) {
	t.Parallel()
	rows := func(n int, row func(r int) []any) string {
		var all [][]any
		for r := range n {
			all = append(all, row(r))
		}
		raw, err := json.Marshal(map[string]any{"kind": "<&é€\u2028", "data": all})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for name, text := range map[string]string{
		"empty":     `{}`,
		"samples":   rows(500, func(r int) []any { return []any{float64(r*r%977)/100 - 3, float64(r%7) / 1000, 3*r + r%2} }),
		"negative":  rows(500, func(r int) []any { return []any{-r, -0.5, 0.25, 1e-7 * float64(r)} }),
		"constant":  rows(100, func(int) []any { return []any{0, 7} }),
		"unknown":   rows(100, func(r int) []any { return []any{r, nil} }),
		"ragged":    rows(100, func(r int) []any { return make([]any, 1+r%3) }),
		"texts":     rows(100, func(r int) []any { return []any{"],[", r} }),
		"nested":    `{"a":[[[1,2],[3,4]]],"b":"c:[[1,2],[3,4]]"}`,
		"in a text": fmt.Sprintf(`{"a":%q,"b":%q}`, ":[["+strings.Repeat("1,2],[", 50)+"1,2]]", `x":[[`+strings.Repeat("1,2],[", 50)+"1,2]]"),
		"unordered": rows(100, func(r int) []any { return []any{r % 10, 1 << 40} }),
	} {
		carried := Data([]byte(text))
		got, err := JSON(carried, 1<<20)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var a, b any
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(got, &b); err != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %.200s is %.200s when it is unpacked: %v", name, text, got, err)
		}
		if !json.Valid([]byte(carried)) || strings.ContainsAny(carried[1:len(carried)-1], "<") && carried[0] == '"' || len(carried) > len(text) {
			t.Errorf("%s: %.200s cannot stand in a script", name, carried)
		}
	}
	if _, err := JSON(Data([]byte(fmt.Sprintf(`{"a":%q}`, strings.Repeat("a", 1<<20)))), 1<<19); err == nil {
		t.Error("a text that is too long is unpacked")
	}
	for _, bad := range []string{`"`, `"<<<<"`, `"~~~~~~~~"`, `"abc`} {
		if _, err := JSON(bad, 1<<20); err == nil {
			t.Errorf("%q is unpacked", bad)
		}
	}
}

// An output has at most 16 kB of script, and only once per cell.
func TestScripts(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"plain": Plain, "samples": Samples, "many": Many, "deep": Deep, "multiples": Multiples, "tree": Tree} {
		out := Inline(script, "ssdrnb-0a1b2c3d4e5f")
		if t.Logf("%s: %d bytes", name, len(out)); len(out) > 16_000 {
			t.Errorf("%s: an output carries %d bytes of script", name, len(out))
		}
		code, err := unpack(script, 1<<20)
		if err != nil || !strings.HasPrefix(string(code), `"use strict";(()=>{`) {
			t.Errorf("%s: %.50s: %v", name, code, err)
		}
		if strings.Contains(out, `"@id"`) || strings.Count(out, "</script>") != 1 || strings.Contains(out, "<!--") {
			t.Errorf("%s: the element is %.200s", name, out)
		}
		if first, second := InCell(script, "a"), InCell(script, "b"); first != Inline(script, "a") || len(second) > 500 || !strings.Contains(second, `"b"`) {
			t.Errorf("%s: the second output of a cell has %d bytes of script", name, len(second))
		}
	}
}
