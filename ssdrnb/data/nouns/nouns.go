// Package nouns puts numbers before nouns in messages.
//
// It is exported only because packages in several top-level folders share it.
package nouns

import (
	"strconv"
	"strings"
)

// Count returns a number with its noun, "1 class" or "3 classes".
func Count(n int, thing string) string {
	ending := "s"
	if strings.HasSuffix(thing, "s") {
		ending = "es"
	}
	return Number(n, thing, thing+ending)
}

// Number returns n followed by the argument one if n is 1, and otherwise by many: "1 sample lies",
// "3 samples lie".
func Number(n int, one, many string) string { return strconv.Itoa(n) + " " + Form(n, one, many) }

// Form returns the argument one if n is 1, and otherwise many: "is" or "are".
func Form(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
