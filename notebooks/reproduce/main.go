// Command reproduce measures the experiments of the papers again and writes a page
// that sets our figures beside the published ones:
//
//	SSDRNB_DATA=folder go run ./notebooks/reproduce [-paper p3] [-splits 20] [-keep folder] [-out notebooks/REPRODUCTION.md]
//
// Sets that are not part of the library are looked for in the folder SSDRNB_DATA; one
// that is missing is reported as missing.
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

// papers lists what can be reproduced, one file each.
var papers = []paper{p0(), p1(), p2(), p3(), p4()}

func main() {
	key := flag.String("paper", "", "only this paper")
	table := flag.String("table", "", "only tables whose title contains this")
	splits := flag.Int("splits", 20, "random splits per cell; 0 writes the page of the tables that are kept")
	draws := flag.Int("draws", 3, "random splits on which settings are chosen")
	keep := flag.String("keep", "", "folder for finished tables, which are not measured again")
	out := flag.String("out", "notebooks/REPRODUCTION.md", "file to write")
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
	head := page{}
	head.head(blas.Name())
	text := head.String()
	found := false
	for _, p := range papers {
		if key != "" && key != p.key {
			continue
		}
		found = true
		var done []measured
		tables := ""
		// finish measures a table that is wanted, or reads it from the file that keeps
		// it. What is finished is written at once: the whole takes a while.
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
			chapter := page{}
			chapter.paper(p, done, tables)
			return os.WriteFile(out, []byte(text+chapter.String()), 0o644)
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
		chapter := page{}
		chapter.paper(p, done, tables)
		text += chapter.String()
	}
	if !found {
		return fmt.Errorf("there is no paper %q", key)
	}
	return os.WriteFile(out, []byte(text), 0o644)
}
