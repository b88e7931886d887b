package schema_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sinks are constructs in a script that could execute text of the data, or turn it into HTML or
// styles.
var sinks = []*regexp.Regexp{
	regexp.MustCompile(`\b(innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|srcdoc|setHTMLUnsafe)\b`),
	regexp.MustCompile(`\bcssText\b`),
	regexp.MustCompile(`setAttribute\(\s*["'](style|on\w*|href|src)["']`),
	regexp.MustCompile(`\bdocument\.write`),
	regexp.MustCompile(`\bnew Function\b|\beval\(|set(Timeout|Interval)\(\s*["'` + "`" + `]`),
	regexp.MustCompile(`\bformatter\s*:\s*["'` + "`" + `]`),
	regexp.MustCompile(`\bstyle\.(background|backgroundImage|cursor|content|borderImage|listStyle|filter|mask|clipPath)\s*=\s*[^"']*\b(payload|setup|extra|option)\b`),
	regexp.MustCompile(`\.href\s*=\s*[^U\s]`), // except addresses made by the script itself
}

// No script of figures and widgets has a path from data to HTML, styles or code, in trusted
// notebooks as in others. Elements are made by createElement and textContent, styles by setting
// single properties.
func TestNoSinks(t *testing.T) {
	count := 0
	for _, root := range []string{filepath.Join("..", "..", "viz"), filepath.Join("..", "..", "widgets")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == "bundle") {
				return filepath.SkipDir // tools and build products
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
