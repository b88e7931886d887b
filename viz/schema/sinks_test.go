package schema_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sinks are what could run a text of the data or make HTML or a style of it, in a script.
var sinks = []*regexp.Regexp{
	regexp.MustCompile(`\b(innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|srcdoc|setHTMLUnsafe)\b`),
	regexp.MustCompile(`\bcssText\b`),
	regexp.MustCompile(`setAttribute\(\s*["'](style|on\w*|href|src)["']`),
	regexp.MustCompile(`\bdocument\.write`),
	regexp.MustCompile(`\bnew Function\b|\beval\(|set(Timeout|Interval)\(\s*["'` + "`" + `]`),
	regexp.MustCompile(`\bformatter\s*:\s*["'` + "`" + `]`),
	regexp.MustCompile(`\bstyle\.(background|backgroundImage|cursor|content|borderImage|listStyle|filter|mask|clipPath)\s*=\s*[^"']*\b(payload|setup|extra|option)\b`),
	regexp.MustCompile(`\.href\s*=\s*[^U\s]`), // but to an address of the script's own making
}

// No script of figures and widgets has a way from data to HTML, styles or code, in notebooks
// that are trusted as in others. Elements are made by createElement and textContent, styles by
// one property after another.
func TestNoSinks(t *testing.T) {
	count := 0
	for _, root := range []string{filepath.Join("..", "..", "viz"), filepath.Join("..", "..", "widgets")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == "bundle") {
				return filepath.SkipDir // tools, and what is made of the sources
			}
			if err != nil || d.IsDir() || filepath.Ext(path) != ".js" || strings.HasSuffix(path, ".test.js") {
				return err
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if filepath.Base(filepath.Dir(path)) == "viztest" {
				return nil // the attack itself
			}
			count++
			for n, line := range strings.Split(string(raw), "\n") {
				if code, _, _ := strings.Cut(line, "// "); code != "" {
					for _, sink := range sinks {
						if found := sink.FindString(code); found != "" {
							t.Errorf("%s:%d: %s: make elements by createElement and textContent, and styles by styled or a property", path, n+1, found)
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if count < 8 {
		t.Errorf("only %d scripts were read", count)
	}
	for _, bad := range []string{`e.innerHTML = x`, `e.style.cssText = "a"`, `e.setAttribute("style", v)`, `document.write(x)`, `new Function("a")`, `e.outerHTML = a`, `{formatter: "{b}"}`, `setTimeout("a()")`, `a.href = address`} {
		found := false
		for _, sink := range sinks {
			found = found || sink.MatchString(bad)
		}
		if !found {
			t.Errorf("%s would not be found", bad)
		}
	}
}
