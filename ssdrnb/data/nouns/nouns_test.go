package nouns

import "testing"

func TestNumbersAgree(t *testing.T) {
	for want, got := range map[string]string{
		"1 class": Count(1, "class"), "0 classes": Count(0, "class"), "2 samples": Count(2, "sample"),
		"1 sample lies": Number(1, "sample lies", "samples lie"), "-1 samples lie": Number(-1, "sample lies", "samples lie"),
		"from 1 to 3": Range(1, 3), "1": Range(1, 1),
		"are": Form(2, "is", "are"), "is": Form(1, "is", "are"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
