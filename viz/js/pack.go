package js

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// Packed text is deflated and encoded in 91 characters: printable ASCII except " ' < and \. Two
// characters encode thirteen bits. Packed text needs no escapes in JSON, JavaScript strings and
// script elements, and is 8 % shorter than base64. packed.js unpacks it.

// digits contains the 91 characters in the order of their values.
var digits = func() string {
	var b strings.Builder
	for c := ' '; c <= '~'; c++ {
		if !strings.ContainsRune(`"'<\`, c) {
			b.WriteRune(c)
		}
	}
	return b.String()
}()

// pack deflates a text and encodes it in the characters of digits.
func pack(text []byte) string {
	var deflated bytes.Buffer
	w, err := flate.NewWriter(&deflated, flate.DefaultCompression)
	if err == nil {
		_, _ = w.Write(text) // writes to a buffer never fail
		err = w.Close()
	}
	if err != nil {
		panic(err) // the compression level is invalid
	}
	out := make([]byte, 0, deflated.Len()*16/13+2)
	acc, n := 0, 0
	for _, b := range deflated.Bytes() {
		acc |= int(b) << n
		if n += 8; n >= 13 {
			v := acc & (1<<13 - 1)
			out = append(out, digits[v%91], digits[v/91])
			acc >>= 13
			n -= 13
		}
	}
	if n > 0 {
		out = append(out, digits[acc%91])
	}
	if n > 6 {
		out = append(out, digits[acc/91])
	}
	return string(out)
}

// Data returns the JSON text as it is stored in an output. If packing makes the text shorter, the
// result is the packed text as a JSON string. Plain data begin with a brace, packed data with a
// quote.
func Data(text []byte) string {
	if packed := pack(byColumns(text)); len(packed)+2 < len(text) {
		return `"` + packed + `"`
	}
	return string(text)
}

// JSON is the inverse of [Data]. It returns an error if the length of the unpacked text in bytes
// exceeds the argument most. Only tests use it; the page uses start.js.
func JSON(carried string, most int64) ([]byte, error) {
	packed, ok := strings.CutPrefix(carried, `"`)
	if !ok {
		return []byte(carried), nil
	}
	text, err := unpack(strings.TrimSuffix(packed, `"`), most)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, fmt.Errorf("js: %w", err)
	}
	return json.Marshal(withRows(v))
}

// withRows restores, in decoded JSON, the rows that byColumns stored by columns.
func withRows(v any) any {
	switch v := v.(type) {
	case []any:
		for k := range v {
			v[k] = withRows(v[k])
		}
	case map[string]any:
		columns, ok := v["~"].([]any)
		if !ok {
			for k := range v {
				v[k] = withRows(v[k])
			}
			return v
		}
		rows := make([]any, len(columns[0].([]any))-1)
		for r := range rows {
			rows[r] = make([]any, len(columns))
		}
		for k, c := range columns {
			numbers, sum := c.([]any), 0.0
			decimals := numbers[0].(float64)
			for r, one := range numbers[1:] {
				x := one.(float64)
				if sum += x; decimals < 0 {
					x = sum
				} else {
					x /= math.Pow(10, decimals)
				}
				rows[r].([]any)[k] = x
			}
		}
		return rows
	}
	return v
}

// unpack is the inverse of pack. It returns an error if the length of the result in bytes exceeds
// the argument most.
func unpack(packed string, most int64) ([]byte, error) {
	var deflated []byte
	acc, n := 0, 0
	for k := 0; k < len(packed); k += 2 {
		v, bits := strings.IndexByte(digits, packed[k]), 6
		if k+1 < len(packed) {
			high := strings.IndexByte(digits, packed[k+1])
			if high < 0 {
				return nil, fmt.Errorf("js: packed text contains %q; it is damaged", packed[k+1])
			}
			v, bits = v+91*high, 13
		}
		if v < 0 || v >= 1<<bits {
			return nil, fmt.Errorf("js: packed text contains %q, which does not encode %d bits; it is damaged", packed[k:min(k+2, len(packed))], bits)
		}
		acc |= v << n
		for n += bits; n >= 8; n -= 8 {
			deflated = append(deflated, byte(acc))
			acc >>= 8
		}
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(deflated)), most+1))
	if err != nil {
		return nil, fmt.Errorf("js: %w", err)
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("js: the unpacked text is longer than %d bytes", most)
	}
	return text, nil
}
