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
var papers = []paper{p0(), p3()}

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
		for _, e := range p.experiments {
			if !strings.Contains(e.title, table) {
				continue
			}
			fmt.Fprintln(os.Stderr, e.title)
			file := ""
			if keep != "" {
				file = filepath.Join(keep, p.key+" "+e.title+".json")
			}
			if _, err := os.Stat(file); err != nil && b.Splits == 0 {
				p.missing = append(p.missing, e.title+": not measured yet.")
				continue
			}
			m, err := e.kept(ctx, file, b)
			if err != nil {
				return fmt.Errorf("%s: %w", e.title, err)
			}
			done = append(done, m)
			// What is finished is written at once: the whole takes a while.
			chapter := page{}
			chapter.paper(p, done)
			if err := os.WriteFile(out, []byte(text+chapter.String()), 0o644); err != nil {
				return err
			}
		}
		chapter := page{}
		chapter.paper(p, done)
		if p.write != nil {
			fmt.Fprintln(os.Stderr, p.title)
			if err := p.write(ctx, &chapter, b); err != nil {
				return fmt.Errorf("%s: %w", p.title, err)
			}
		}
		text += chapter.String()
	}
	if !found {
		return fmt.Errorf("there is no paper %q", key)
	}
	return os.WriteFile(out, []byte(text), 0o644)
}
