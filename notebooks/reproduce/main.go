// Command reproduce repeats the experiments of the papers and writes pages that compare our results
// with the published ones. REPRODUCTION.md summarises which claims hold, and reproduction/ contains
// a page per paper with all of its tables:
//
//	SSDRNB_DATA=folder go run ./notebooks/reproduce [-paper p3] [-splits 20] [-keep folder] [-out notebooks]
//
// Sets that are not part of the library are read from the folder SSDRNB_DATA, and missing sets are
// reported. A run replaces a table only if it measures everything that the table contains; the
// other tables of a page stay unchanged. The short page is written from the pages of all papers.
// With -splits 0 and without -keep, only the short page is written.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// papers lists the papers that can be reproduced, one file each.
var papers = []paper{p0(), p1(), p2(), p3(), p4()}

func main() {
	key := flag.String("paper", "", "only this paper")
	table := flag.String("table", "", "only tables whose title contains this")
	splits := flag.Int("splits", 20, "number of random splits per cell; 0 measures nothing and only writes the pages from the tables in -keep")
	draws := flag.Int("draws", 3, "number of random splits on which settings are chosen")
	keep := flag.String("keep", "", "folder that stores finished tables, so that they are not measured again")
	out := flag.String("out", "notebooks", "folder of the pages")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := reproduce(ctx, *key, *table, budget{*splits, *draws}, *keep, *out); err != nil {
		fmt.Fprintln(os.Stderr, "reproduce:", err)
		os.Exit(1)
	}
}

func reproduce(ctx context.Context, key, table string, b budget, keep, out string) error {
	if b.Splits < 0 || b.Splits > 0 && b.Draws < 1 {
		return fmt.Errorf("-splits %d -draws %d: give at least 0 splits and 1 draw", b.Splits, b.Draws)
	}
	if keep != "" {
		if err := os.MkdirAll(keep, 0o755); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(out, fullFolder), 0o755); err != nil {
		return err
	}
	var titles []string // of the selected papers
	known, found := false, false
	for _, p := range papers {
		if key != "" && key != p.key {
			continue
		}
		known, titles = true, append(titles, p.titles()...)
		found = found || slices.ContainsFunc(p.titles(), func(title string) bool { return strings.Contains(title, table) })
		if err := p.write(ctx, table, b, keep, out); err != nil {
			return err
		}
	}
	if !known {
		return fmt.Errorf("there is no paper %q; give p0, p1, p2, p3 or p4", key)
	}
	if !found {
		return fmt.Errorf("no table has %q in its title; give a part of a title, such as %q", table, titles[0])
	}
	return writeShort(out)
}

// write measures the selected tables of a paper and writes its page and the short page after each
// table, because the whole run takes long. If a table is not measured, or lacks data that the page
// has, its section of that page stays unchanged.
func (of paper) write(ctx context.Context, table string, b budget, keep, out string) error {
	name := fullName(out, of)
	old, err := readPage(name)
	if err != nil {
		return err
	}
	sections, fresh := sectionsOf(old), map[string]bool{}
	var done []measured
	// finish measures a table, or reads it from the file that stores it.
	finish := func(title string, measure func(file string) (string, error)) error {
		if !strings.Contains(title, table) {
			return nil
		}
		file := ""
		if keep != "" {
			file = filepath.Join(keep, of.key+" "+title+".json")
		}
		if _, err := os.Stat(file); err != nil && b.Splits == 0 {
			return nil
		}
		fmt.Fprintln(os.Stderr, title)
		text, err := measure(file)
		if err != nil && !errors.Is(err, errMissing) {
			return fmt.Errorf("%s: %w", title, err)
		}
		if old := sections[title]; err != nil && old != "" && !lacksNoMore(text, old) {
			fmt.Fprintf(os.Stderr, "  %v: the page keeps its table\n", err)
			return nil
		}
		sections[title], fresh[title] = text, true
		// The conclusions are rewritten only if this run has written all tables of the page.
		// Otherwise they stay as they are.
		engine := blas.Name()
		if !slices.ContainsFunc(of.titles(), func(t string) bool { return sections[t] != "" && !fresh[t] }) {
			sections[conclusions] = of.conclude(done)
		} else if before := engineOf(old); !strings.Contains(before, engine) {
			engine = before + " and " + engine
		}
		full := page{}
		full.full(of, sections, engine)
		if err := files.WriteBytes(name, []byte(full.String())); err != nil {
			return err
		}
		return writeShort(out)
	}
	for _, e := range of.experiments {
		err := finish(e.title, func(file string) (string, error) {
			r, err := kept(file, b, func() (results, error) { return e.run(ctx, b) })
			if err != nil && !errors.Is(err, errMissing) {
				return "", err
			}
			m := measured{e, r}
			done = append(done, m)
			text := page{}
			text.experiment(m)
			return text.String(), err
		})
		if err != nil {
			return err
		}
	}
	for _, t := range of.tables {
		if err := finish(t.title, func(file string) (string, error) { return t.fill(ctx, file, b) }); err != nil {
			return err
		}
	}
	return nil
}
