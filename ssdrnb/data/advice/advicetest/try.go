// Package advicetest tests that remedies work. A test causes every error and warning in which a
// package advises a call, and then makes this call on the input that caused the error or warning.
// The test fails for each place in the source that no case has reached.
//
// It is exported only because tests in several top-level folders share it.
package advicetest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A Case is an error or a warning, with the call that its text advises. It is an alias of a struct
// type without a name, so that go vet accepts literals without keys.
type Case = struct {
	// Cause names the input.
	Cause string
	// Err is the error that the input causes. Use [Warning] to convert a warning.
	Err error
	// Says is the part of the error text that contains the remedy.
	Says string
	// Advised applies the remedy to the same input. It returns the remaining error or warning.
	Advised func() error
}

// Warning returns the first text that contains the given part, converted to an error, or nil if
// there is none.
func Warning(texts []string, part string) error {
	if k := slices.IndexFunc(texts, func(t string) bool { return strings.Contains(t, part) }); k >= 0 {
		return errors.New(texts[k])
	}
	return nil
}

// plural matches a 1 before a plural, as in "1 samples" and "1 known values", with the word before
// the 1.
var plural = regexp.MustCompile(`(?:^|([a-z]*)[ (])1 (?:(?:known|labelled|nearest|new|true) )?([a-z]+s)\b`)

// numbered are nouns before the number of an item, as in "sample 1 contains".
var numbered = []string{"class", "coordinate", "column", "draw", "entry", "feature", "row", "sample", "slice"}

// disagreeing returns the words of a text in which a plural follows a 1, or "".
func disagreeing(text string) string {
	for _, m := range plural.FindAllStringSubmatch(text, -1) {
		if of, word := m[1], m[2]; !slices.Contains(numbered, of) && !strings.HasSuffix(word, "ss") && !slices.Contains([]string{"has", "is", "was"}, word) {
			return m[0]
		}
	}
	return ""
}

// Agree fails the test for each case whose error has a plural after a 1.
func Agree(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		if c.Err == nil {
			continue
		}
		if words := disagreeing(c.Err.Error()); words != "" {
			t.Errorf("%s: %v: %q does not agree", c.Cause, c.Err, words)
		}
	}
}

// Try fails the test for each case whose error does not contain the remedy, or whose advised call
// returns an error.
func Try(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		if c.Err == nil || !strings.Contains(c.Err.Error(), c.Says) {
			t.Errorf("%s: %v; want the remedy %q", c.Cause, c.Err, c.Says)
			continue
		}
		if err := c.Advised(); err != nil {
			t.Errorf("%s: after %q: %v", c.Cause, c.Says, err)
		}
	}
}

// Everywhere calls [Try] with the cases. It then fails the test for each [Place] in the folders
// that produces none of the error texts of the cases. exceptions lists the places that a test
// cannot reach: a key is a part of the text of [Place.String], and its value is the reason. An
// unneeded exception, whose key matches no unreached place, is an error too.
func Everywhere(t *testing.T, folders []string, exceptions map[string]string, cases []Case) {
	t.Helper()
	Try(t, cases)
	used, found := map[string]bool{}, 0
	for _, folder := range folders {
		places, err := Places(folder)
		if err != nil {
			t.Fatal(err)
		}
		found += len(places)
		for _, p := range places {
			if len(p.Texts) == 0 || slices.ContainsFunc(cases, func(c Case) bool { return c.Err != nil && p.Made(c.Err.Error()) }) {
				continue
			}
			if part := excepted(p, exceptions); part != "" {
				used[part] = true
				continue
			}
			t.Errorf("no case tries the remedy of %s/%v", folder, p)
		}
	}
	if found == 0 {
		t.Errorf("no place found in %q", folders)
	}
	for part := range exceptions {
		if !used[part] {
			t.Errorf("the exception %q is not needed: every place with this name has a case", part)
		}
	}
}

// excepted returns the key of exceptions that matches p, or "".
func excepted(p Place, exceptions map[string]string) string {
	for part := range exceptions {
		if strings.Contains(fmt.Sprint(p), part) {
			return part
		}
	}
	return ""
}
