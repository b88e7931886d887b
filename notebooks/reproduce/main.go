// Command reproduce repeats the experiments of the papers and writes pages that compare our results
// with the published ones. REPRODUCTION.md summarises which claims hold, and reproduction/ contains
// a page per paper with all of its tables:
//
//	SSDRNB_DATA=folder go run ./notebooks/reproduce [-paper p3] [-splits 20] [-keep folder] [-out notebooks]
//
// Sets that are not part of the library are read from the folder SSDRNB_DATA, and missing sets are
// reported. The short page is written from the pages of all papers, including pages that a run does
// not change. With -splits 0 and without -keep, only the short page is written.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
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
	if keep != "" {
		if err := os.MkdirAll(keep, 0o755); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(out, fullFolder), 0o755); err != nil {
		return err
	}
	found := false
	for _, p := range papers {
		if key != "" && key != p.key {
			continue
		}
		found = true
		var done []measured
		tables := ""
		write := func() error {
			full := page{}
			full.full(p, done, tables, blas.Name())
			if err := os.WriteFile(fullName(out, p), []byte(full.String()), 0o644); err != nil {
				return err
			}
			return writeShort(out)
		}
		// finish measures a selected table, or reads it from the file that stores it. A finished
		// table is written at once, because the whole run takes long.
		finish := func(title string, measure func(file string) error) error {
			if !strings.Contains(title, table) {
				return nil
			}
			file := ""
			if keep != "" {
				file = filepath.Join(keep, p.key+" "+title+".json")
			}
			if _, err := os.Stat(file); err != nil && b.Splits == 0 {
				p.missing = append(p.missing, title+": not measured yet.")
				return nil
			}
			fmt.Fprintln(os.Stderr, title)
			if err := measure(file); err != nil {
				return fmt.Errorf("%s: %w", title, err)
			}
			return write()
		}
		for _, e := range p.experiments {
			err := finish(e.title, func(file string) error {
				r, err := kept(file, func() (results, error) { return e.run(ctx, b) })
				done = append(done, measured{e, r})
				return err
			})
			if err != nil {
				return err
			}
		}
		for _, t := range p.tables {
			err := finish(t.title, func(file string) error {
				body, err := t.fill(ctx, file, b)
				tables += body
				return err
			})
			if err != nil {
				return err
			}
		}
		// If no table is measured, an existing page is not overwritten.
		if done == nil && tables == "" {
			continue
		}
		if err := write(); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("there is no paper %q; give p0, p1, p2, p3 or p4", key)
	}
	return writeShort(out)
}
