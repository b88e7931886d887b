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

// Number returns n followed by its [Form]: "1 sample lies", "3 samples lie".
func Number(n int, singular, plural string) string {
	return strconv.Itoa(n) + " " + Form(n, singular, plural)
}

// Range returns "from 1 to 3", and "1" if both ends are 1.
func Range(low, high int) string {
	if low == high {
		return strconv.Itoa(low)
	}
	return "from " + strconv.Itoa(low) + " to " + strconv.Itoa(high)
}

// Form returns singular if n is 1, and plural otherwise: "is" or "are".
func Form(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}
