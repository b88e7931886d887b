package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// tables writes three tables about reading files without setting options: the number of survey
// files that ReadTable, DuckDB and pandas read correctly, how ReadTable reads tables of the UCI
// repository, and the times of ReadTable and DuckDB for a large table. The environment variable
// SSDRNB_SURVEY names a folder: its subfolder csv holds the published files, and its subfolder
// clean holds their standard forms under the same names. SSDRNB_UCI names the folder with the
// tables of the UCI repository.
func tables(p *peer, match *regexp.Regexp) (string, error) {
	var out strings.Builder
	if dir := os.Getenv("SSDRNB_SURVEY"); dir != "" && match.MatchString("tables, survey") {
		s, err := survey(dir)
		if err != nil {
			return "", err
		}
		peers, err := p.text("survey")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "\n| reader, no option | files of %d with ≥ 95 %% of the cells right | mean share of the cells |\n|---|---|---|\n| ReadTable | %d | %.3f |\n%s\n", s.files, s.right, s.mean, peers)
		for _, w := range s.wrong {
			fmt.Fprintf(&out, "\n%s\n", w)
		}
	}
	if dir := os.Getenv("SSDRNB_UCI"); dir != "" && match.MatchString("tables, UCI") {
		lines, right, known, err := readFolder(dir)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "\n| table, no option | rows × columns | separator | header | gaps | as published: %d of %d |\n|---|---|---|---|---|---|\n%s", right, known, lines)
	}
	if match.MatchString("tables, time") {
		path := filepath.Join(p.dir, "table.csv")
		if err := writeLarge(path, 1_000_000); err != nil {
			return "", err
		}
		ours := math.Inf(1)
		before := runtime.GOMAXPROCS(1)
		for range 3 {
			start := p.clock()
			t, err := datasets.ReadTable(path)
			if err != nil {
				return "", err
			}
			if t.Rows() != 1_000_000 {
				return "", fmt.Errorf("ReadTable returned %d rows instead of 1,000,000", t.Rows())
			}
			ours = min(ours, p.clock()-start)
		}
		runtime.GOMAXPROCS(before)
		seconds, err := p.text("large_table")
		if err != nil {
			return "", err
		}
		theirs, err := strconv.ParseFloat(seconds, 64)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "\n| 1,000,000 rows × 20 columns, one processor, best of 3 | DuckDB, s | ReadTable, s | ratio |\n|---|---|---|---|\n| numbers, categories, dates, identifiers | %.2f | %.2f | %.2f |\n", theirs, ours, ours/theirs)
	}
	fmt.Print(out.String())
	return out.String(), nil
}

// surveyed is the result of ReadTable on the files of a survey. The field `files` is the number of
// files with a standard form, and `right` is the number of these files with at least 95 % correct
// cells. mean is the mean share of correct cells.
type surveyed struct {
	files, right int
	mean         float64
	wrong        []string // a description of each file that was read incorrectly
	silent       []string // files that were read incorrectly without a note
}

// survey reads the files of a survey with ReadTable, without options.
func survey(dir string) (surveyed, error) {
	var s surveyed
	paths, err := filepath.Glob(filepath.Join(dir, "csv", "*.csv"))
	if err != nil {
		return s, err
	}
	if len(paths) == 0 {
		return s, fmt.Errorf("there are no CSV files in %s", filepath.Join(dir, "csv"))
	}
	slices.Sort(paths)
	for _, path := range paths {
		name := filepath.Base(path)
		clean, err := standardForm(filepath.Join(dir, "clean", name))
		if err != nil {
			return s, err
		}
		table, readErr := datasets.ReadTable(path)
		if len(clean) == 0 {
			if readErr == nil {
				s.silent = append(s.silent, name)
			}
			continue
		}
		s.files++
		if readErr != nil {
			s.wrong = append(s.wrong, fmt.Sprintf("%s: %v", name, readErr))
			continue
		}
		share := rightCells(table, clean)
		s.mean += share
		if share >= 0.95 {
			s.right++
			continue
		}
		s.wrong = append(s.wrong, fmt.Sprintf("%s: %.3f of the cells; %s", name, share, strings.Join(table.Notes(), "; ")))
		if len(table.Notes()) == 0 {
			s.silent = append(s.silent, name)
		}
	}
	s.mean /= float64(max(s.files, 1))
	return s, nil
}

// standardForm returns the records of a table in standard form, including the header. Standard form
// is CSV with commas and double quotes, in UTF-8 or Latin-1.
func standardForm(path string) ([][]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := string(raw)
	if !utf8.Valid(raw) { // Latin-1
		runes := make([]rune, len(raw))
		for k, b := range raw {
			runes[k] = rune(b)
		}
		text = string(runes)
	}
	in := csv.NewReader(strings.NewReader(text))
	in.FieldsPerRecord, in.LazyQuotes = -1, true
	return in.ReadAll()
}

// rightCells returns the share of cells of a table in standard form that t contains at the same
// position. The first line of the standard form may or may not be a header; of the two resulting
// shares, the larger is returned. Cells beyond the columns of t count as empty.
func rightCells(t *datasets.Table, clean [][]string) float64 {
	best := 0.0
	for _, header := range []int{0, 1} {
		all, right := 0, 0
		for i, row := range clean[min(header, len(clean)):] {
			for j, want := range row {
				all++
				if i < t.Rows() && comparison(t.Text(i, j)) == comparison(want) {
					right++
				}
			}
		}
		best = max(best, float64(right)/float64(max(all, 1)))
	}
	return best
}

// comparison returns the form in which cells are compared: numbers by value, texts without quotes
// and with single spaces, and missing-value markers as "".
func comparison(s string) string {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "nan", "none", "nat":
		return ""
	}
	if v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64); err == nil && !math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'g', 9, 64)
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(s, `"`, "")), " ")
}

// writeLarge writes a table of 20 columns: 15 of real numbers, 2 of integers, a category, a date
// and an identifier.
func writeLarge(path string, rows int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	rng := rand.New(rand.NewPCG(1, 1))
	line := make([]byte, 0, 512)
	for j := range 17 {
		line = fmt.Appendf(line, "x%d,", j)
	}
	line = append(line, "city,day,name\n"...)
	towns := []string{"Bonn", "Köln", "Ulm", "Aachen"}
	for i := range rows {
		for j := range 17 {
			switch {
			case j < 12:
				line = strconv.AppendFloat(line, rng.NormFloat64(), 'f', 4, 64)
			case j < 15:
				line = strconv.AppendFloat(line, rng.NormFloat64(), 'g', -1, 64)
			default:
				line = strconv.AppendInt(line, rng.Int64N(100000), 10)
			}
			line = append(line, ',')
		}
		line = fmt.Appendf(line, "%s,%s,s%07d\n", towns[rng.IntN(4)], time.Unix(86400*rng.Int64N(20000), 0).UTC().Format("2006-01-02"), i)
		if _, err := f.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
	return f.Close()
}
