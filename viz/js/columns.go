package js

import (
	"bytes"
	"strconv"
)

// Rows of numbers, such as samples, compress better if they are stored by columns. An output
// therefore contains {"~":[column, …]} instead of a list of rows. A column is the number of
// decimals, followed by the numbers without decimal points. A column of strictly ascending
// non-negative integers is −1, followed by the first integer and the differences. columns.js
// restores the rows exactly.

const (
	leastRows     = 20 // shorter lists are left unchanged
	mostColumns   = 8
	longestNumber = 12 // maximum length of a number in characters
)

// byColumns returns the JSON text with its long lists of rows of numbers stored by columns. It
// converts only lists that are the value of a key.
func byColumns(text []byte) []byte {
	var out []byte
	for {
		at := bytes.Index(text, []byte(`":[[`))
		if at < 0 {
			return append(out, text...)
		}
		// A lower-case letter before the quote shows that the quote is not escaped. The quote
		// therefore ends a string, and the colon shows that this string is a key.
		key := at > 0 && ('a' <= text[at-1] && text[at-1] <= 'z')
		out = append(out, text[:at+2]...)
		text = text[at+2:]
		if !key {
			continue
		}
		if columns, length := rowsOf(text); columns != nil && len(columns[0]) >= leastRows {
			out = appendColumns(out, columns)
			text = text[length:]
		}
	}
}

// rowsOf parses a list of rows of numbers. It returns the texts of the numbers by column, and the
// length of the list in bytes. It returns nil for any other list.
func rowsOf(text []byte) (columns [][][]byte, length int) {
	at := 1 // after the first bracket
	for width := -1; ; {
		if at >= len(text) || text[at] != '[' {
			return nil, 0
		}
		end := bytes.IndexByte(text[at:], ']')
		if end < 0 {
			return nil, 0
		}
		row := bytes.Split(text[at+1:at+end], []byte(","))
		if width < 0 {
			width = len(row)
			columns = make([][][]byte, width)
		}
		if len(row) != width || width > mostColumns {
			return nil, 0
		}
		for k, number := range row {
			if len(number) == 0 || len(number) > longestNumber || len(bytes.Trim(number, "-.0123456789")) > 0 {
				return nil, 0 // the value is a text, a list, or a number with an exponent
			}
			columns[k] = append(columns[k], number)
		}
		at += end + 1
		switch {
		case at < len(text) && text[at] == ',':
			at++
		case at < len(text) && text[at] == ']':
			return columns, at + 1
		default:
			return nil, 0
		}
	}
}

func appendColumns(out []byte, columns [][][]byte) []byte {
	out = append(out, `{"~":[`...)
	for k, numbers := range columns {
		if k > 0 {
			out = append(out, ',')
		}
		decimals, ascend, last := 0, true, int64(-1)
		for _, number := range numbers {
			if point := bytes.IndexByte(number, '.'); point >= 0 {
				decimals = max(decimals, len(number)-point-1)
			}
			v, err := strconv.ParseInt(string(number), 10, 64)
			ascend = ascend && err == nil && v > last
			last = v
		}
		out = append(out, '[')
		switch {
		case ascend:
			out = append(out, "-1"...)
			last = 0
			for _, number := range numbers {
				v, _ := strconv.ParseInt(string(number), 10, 64)
				out = strconv.AppendInt(append(out, ','), v-last, 10)
				last = v
			}
		default:
			out = strconv.AppendInt(out, int64(decimals), 10)
			for _, number := range numbers {
				out = appendWhole(append(out, ','), number, decimals)
			}
		}
		out = append(out, ']')
	}
	return append(out, "]}"...)
}

// appendWhole multiplies a number, given as decimal text, by 10^decimals, and appends the product
// to out.
func appendWhole(out, number []byte, decimals int) []byte {
	whole, part, _ := bytes.Cut(number, []byte("."))
	digits := append(bytes.Clone(whole), part...)
	for range decimals - len(part) {
		digits = append(digits, '0')
	}
	sign := bytes.HasPrefix(digits, []byte("-"))
	digits = bytes.TrimLeft(digits, "-0")
	if len(digits) == 0 {
		return append(out, '0')
	}
	if sign {
		out = append(out, '-')
	}
	return append(out, digits...)
}
