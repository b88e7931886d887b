package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// published holds facts about a UCI table from its documentation.
type published struct {
	separator string
	header    bool
	gap       string // marker of gaps, "" for none
	// types holds the types of the columns as runs, such as "4n c": n for numbers, including
	// numeric codes, c for categories and booleans, t for texts and row names, i for row numbers, d
	// for dates and times.
	types string
}

// uci lists the best-known tables of the UCI repository in their published form.
var uci = map[string]published{
	"iris.data":                    {"comma", false, "", "4n c"},
	"processed.cleveland.data":     {"comma", false, "?", "14n"},
	"adult.data":                   {"comma", false, "?", "n c n c n 5c 3n 2c"},
	"adult.test":                   {"comma", false, "?", "n c n c n 5c 3n 2c"},
	"wine.data":                    {"comma", false, "", "14n"},
	"wdbc.data":                    {"comma", false, "", "i c 30n"},
	"winequality-red.csv":          {"semicolon", true, "", "12n"},
	"bank.csv":                     {"semicolon", true, "", "n 4c n 3c n c 4n 2c"},
	"car.data":                     {"comma", false, "", "7c"},
	"abalone.data":                 {"comma", false, "", "c 8n"},
	"student-mat.csv":              {"semicolon", true, "", "2c n 3c 2n 4c 3n 8c 10n"},
	"auto-mpg.data":                {"spaces", false, "?", "8n t"},
	"agaricus-lepiota.data":        {"comma", false, "?", "23c"},
	"glass.data":                   {"comma", false, "", "i 10n"},
	"forestfires.csv":              {"comma", true, "", "2n 2c 9n"},
	"AirQualityUCI.csv":            {"semicolon", true, "-200", "2d 13n"},
	"breast-cancer-wisconsin.data": {"comma", false, "?", "i 10n"},
	"letter-recognition.data":      {"comma", false, "", "c 16n"},
	"zoo.data":                     {"comma", false, "", "t 17n"},
	"hepatitis.data":               {"comma", false, "?", "20n"},
	"german.data":                  {"spaces", false, "", "c n 2c n 2c n 2c n c n 2c n c n 2c n"},
	"crx.data":                     {"comma", false, "?", "c 2n 4c n 2c n 2c 2n c"},
	"house-votes-84.data":          {"comma", false, "?", "17c"},
	"communities.data":             {"comma", false, "?", "3n t 124n"},
	"yeast.data":                   {"spaces", false, "", "t 8n c"},
	"ecoli.data":                   {"spaces", false, "", "t 7n c"},
	"nursery.data":                 {"comma", false, "", "9c"},
	"page-blocks.data":             {"spaces", false, "", "11n"},
	"mammographic_masses.data":     {"comma", false, "?", "6n"},
	"haberman.data":                {"comma", false, "", "4n"},
	"machine.data":                 {"comma", false, "", "c t 8n"},
	"seeds_dataset.txt":            {"tab", false, "", "8n"},
}

// columnTypes returns the type of each column.
func (p published) columnTypes() string {
	var all strings.Builder
	for _, run := range strings.Fields(p.types) {
		n, err := strconv.Atoi(run[:len(run)-1])
		if err != nil {
			n = 1
		}
		all.WriteString(strings.Repeat(run[len(run)-1:], n))
	}
	return all.String()
}

// readFolder reads the tables in a folder without options. The result `lines` has a line for each
// table, which lists its differences from the published facts. known is the number of tables with
// published facts, and right is the number of tables that agree with their facts.
func readFolder(dir string) (lines string, right, known int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", 0, 0, err
	}
	var out strings.Builder
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		p, has := uci[e.Name()]
		table, err := datasets.ReadTable(path)
		if err != nil {
			fmt.Fprintf(&out, "| %s | – | – | – | – | %v |\n", e.Name(), err)
			if has {
				known++
			}
			continue
		}
		judged := "–"
		if has {
			known++
			wrong, noted, err := p.differs(path, table)
			switch {
			case err != nil:
				return "", 0, 0, err
			case len(wrong) > 0:
				judged = strings.Join(wrong, "; ")
			default:
				right++
				judged = strings.Join(append([]string{"yes"}, noted...), "; ")
			}
		}
		gaps := 0
		for i := range table.Rows() {
			for j := range table.Names() {
				if table.Gap(i, j) {
					gaps++
				}
			}
		}
		header := "none"
		if named(table) {
			header = "names"
		}
		fmt.Fprintf(&out, "| %s | %d × %d | %s | %s | %d | %s |\n", e.Name(), table.Rows(), len(table.Names()), separator(table), header, gaps, judged)
	}
	return out.String(), right, known, nil
}

// named reports whether the column names of a table come from its file. Otherwise they are 1, 2, ….
func named(t *datasets.Table) bool {
	for j, name := range t.Names() {
		if name != strconv.Itoa(j+1) {
			return true
		}
	}
	return false
}

// separator returns the printed name of a table's separator.
func separator(t *datasets.Table) string {
	first, _, _ := strings.Cut(t.String(), "\n")
	_, how, _ := strings.Cut(first, "columns (")
	word, _, _ := strings.Cut(how, ",")
	return word
}

// differs returns the differences between a table and the published facts. noted lists the
// differences for which the table's notes state the published fact. The published number of rows is
// taken to be the number of nonblank lines in the file, without the header and without lines that
// begin with |.
func (p published) differs(path string, t *datasets.Table) (wrong, noted []string, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	rows := 0
	for line := range strings.Lines(string(raw)) {
		if strings.Trim(line, "; \t\r\n") != "" && !strings.HasPrefix(line, "|") {
			rows++
		}
	}
	if p.header {
		rows--
	}
	if t.Rows() != rows {
		wrong = append(wrong, fmt.Sprintf("%d rows instead of %d", t.Rows(), rows))
	}
	if got := separator(t); got != p.separator {
		wrong = append(wrong, fmt.Sprintf("separator %s instead of %s", got, p.separator))
	}
	if named(t) != p.header {
		wrong = append(wrong, fmt.Sprintf("names: %v instead of %v", named(t), p.header))
	}
	want := p.columnTypes()
	if len(t.Names()) != len(want) {
		return append(wrong, fmt.Sprintf("%d columns instead of %d", len(t.Names()), len(want))), nil, nil
	}
	notes := t.Notes()
	marked := p.gap == "" || slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, fmt.Sprintf("Gaps(%q)", p.gap)) })
	differ, silent := 0, 0
	for j, name := range t.Names() {
		got := map[datasets.ColumnType]byte{
			datasets.Number: 'n', datasets.Integer: 'n', datasets.Boolean: 'c', datasets.Category: 'c',
			datasets.Text: 't', datasets.Identifier: 't', datasets.Date: 'd',
		}[t.Type(j)]
		switch {
		case got == want[j], want[j] == 'i' && got == 't':
		case want[j] == 'i' && slices.ContainsFunc(notes, func(n string) bool {
			return strings.HasPrefix(n, fmt.Sprintf("column %q: ", name)) && strings.Contains(n, "only name the rows")
		}):
			noted = append(noted, fmt.Sprintf("a note that column %s may name the rows", name))
		default:
			wrong = append(wrong, fmt.Sprintf("column %s is %s", name, t.Type(j)))
		}
		for i := range t.Rows() {
			text := t.Text(i, j)
			switch gap := text == "" || p.gap != "" && text == p.gap; {
			case gap == t.Gap(i, j):
			case gap && marked:
				silent++
			default:
				differ++
			}
		}
	}
	if differ > 0 {
		wrong = append(wrong, fmt.Sprintf("%d gaps differ", differ))
	}
	if silent > 0 {
		noted = append(noted, fmt.Sprintf("a note that %s may mark gaps", p.gap))
	}
	return wrong, noted, nil
}
