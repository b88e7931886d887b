package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// The short page is written from the full pages, not from the measurements. All of its claims are
// therefore supported by the full pages, and the program can write it without stored tables.
const (
	shortName  = "REPRODUCTION.md"
	fullFolder = "reproduction"
)

// fullName returns the path of the file with all tables of a paper.
func fullName(folder string, of paper) string { return filepath.Join(folder, fullFolder, of.key+".md") }

// brief is the text about a paper on the short page.
type brief struct {
	claim, measured string
	// counted describes the cells that the function `judge` counts.
	counted string
	// judge writes one small table and counts the cells in which the claim holds. Its argument
	// `all` contains the tables of the full page.
	judge func(p *page, all []sheet) judgement
	// reasons explains why the claim holds only in part.
	reasons []string
}

// judgement contains the number of cells in which a claim holds (held), the number of cells that
// were counted (cells), and the text about these cells.
type judgement struct {
	held, cells int
	text        string
}

func (j judgement) String() string {
	switch j.held {
	case 0:
		return "does not hold"
	case j.cells:
		return "holds"
	}
	return "holds in part"
}

func writeShort(folder string) error {
	text, err := short(folder)
	if err != nil {
		return err
	}
	return files.WriteBytes(filepath.Join(folder, shortName), []byte(text))
}

// readPage returns the text of a full page, or "" if there is no such file. It returns an error if
// a table is incomplete.
func readPage(name string) (string, error) {
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text := string(raw)
	damaged := text != "" && (!strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "|\n")) // a text follows each table
	for _, s := range sheets(text) {
		damaged = damaged || slices.ContainsFunc(s.rows, func(r []string) bool { return len(r) != len(s.rows[0]) })
	}
	if damaged {
		return "", fmt.Errorf("%s is cut off or has an incomplete table; restore the file, or delete it to measure its tables again", name)
	}
	return text, nil
}

func short(folder string) (string, error) {
	head, rest := page{}, page{}
	head.line("# Reproduction of the papers' experiments\n")
	head.line("This page gives the claim of each of the five papers, our measurements, and whether the claim holds. “Holds in part: 2 of 6” means that we counted six cases, and the claim holds in two of them. The full pages have every table, the protocol, and further experiments. The page is written by `SSDRNB_DATA=folder go run ./notebooks/reproduce`; do not edit.\n")
	head.line("| paper | what is counted | the claim | all tables |\n|---|---|---|---|")
	for _, of := range papers {
		text, err := readPage(fullName(folder, of))
		if err != nil {
			return "", err
		}
		p := page{}
		j := of.brief.judge(&p, sheets(text))
		if j.cells == 0 {
			head.line("| %s | %s | not measured | |", of.title, of.brief.counted)
			continue
		}
		head.line("| %s | %s | %v: %d of %d | [%[6]s](%s/%[6]s.md) |", of.title, of.brief.counted, j, j.held, j.cells, of.key, fullFolder)
		rest.line("\n## %s\n", of.title)
		rest.line("**Claim.** %s\n", of.brief.claim)
		rest.line("**Measured.** %s\n", of.brief.measured)
		rest.line("%s", p.String())
		rest.line("**The claim %v.** %s\n", j, j.text)
		rest.line("**Why.**\n")
		for _, r := range of.brief.reasons {
			rest.line("- %s", r)
		}
	}
	return head.String() + rest.String(), nil
}

// sheet is a table of a full page. title consists of the headings above it, joined by commas. rows
// contains the cells; the first row is the header.
type sheet struct {
	title string
	rows  [][]string
}

// sheets parses the tables of a full page.
func sheets(text string) []sheet {
	var all []sheet
	section, part, inside := "", "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section, part = title, ""
		}
		if title, ok := strings.CutPrefix(line, "### "); ok {
			part = ", " + title
		}
		row := strings.HasPrefix(line, "|")
		switch {
		case row && !inside:
			all = append(all, sheet{title: section + part})
			fallthrough
		case row && !strings.HasPrefix(line, "|---"):
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			at := &all[len(all)-1]
			at.rows = append(at.rows, cells)
		}
		inside = row
	}
	return all
}

// sheetsTitled returns the tables below the given heading, in their order.
func sheetsTitled(all []sheet, title string) []sheet {
	return slices.DeleteFunc(slices.Clone(all), func(s sheet) bool { return s.title != title })
}

// row returns the cells of the row whose first cell is the given name, or nil if there is none.
func (s sheet) row(name string) []string {
	for _, r := range s.rows {
		if r[0] == name {
			return r
		}
	}
	return nil
}

// column returns the index of the column with the given name, or −1 if there is none.
func (s sheet) column(name string) int { return slices.Index(s.rows[0], name) }

var numeral = regexp.MustCompile(`[-+]?\d+(\.\d+)?`)

// numbers returns the numbers in a cell, or none if the method failed.
func numbers(cell string) []float64 {
	if strings.HasPrefix(cell, "fails") {
		return nil
	}
	var out []float64
	for _, text := range numeral.FindAllString(cell, -1) {
		v, err := strconv.ParseFloat(text, 64)
		if err == nil {
			out = append(out, v)
		}
	}
	return out
}

// number returns number k of a cell, counted from 0, or NaN if there is none.
func number(cell string, k int) float64 {
	if all := numbers(cell); k < len(all) {
		return all[k]
	}
	return math.NaN()
}

// columnNumbers returns the k-th number of each cell in a column, without the header.
func (s sheet) columnNumbers(column string, k int) []float64 {
	at := s.column(column)
	var out []float64
	for _, r := range s.rows[1:] {
		out = append(out, number(r[at], k))
	}
	return out
}
