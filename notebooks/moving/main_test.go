package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// The committed image equals the program's output up to rounding on other processors: its numbers
// are those of the fits, and it is small, complete, and without scripts.
func TestMoving(t *testing.T) {
	frames, err := film()
	if err != nil {
		t.Fatal(err)
	}
	if len(frames) != asked+1 || frames[asked].count != asked {
		t.Fatalf("%d frames", len(frames))
	}
	committed, err := os.ReadFile("../moving.svg")
	if err != nil {
		t.Fatal(err)
	}
	shares := regexp.MustCompile(`>(\d) named: (\d+) %`)
	found := shares.FindAllSubmatch(committed, -1)
	if len(found) != asked-1 {
		t.Fatalf("%d captions with a share", len(found))
	}
	for _, m := range found {
		count, _ := strconv.Atoi(string(m[1]))
		share, _ := strconv.Atoi(string(m[2]))
		if got := 100 * frames[count].right; math.Abs(got-float64(share)) > 1.5 {
			t.Errorf("with %d names the image has %d %%, the fit %.1f %%: run go run ./notebooks/moving > notebooks/moving.svg", count, share, got)
		}
	}
	if frames[asked].right < 0.9 {
		t.Errorf("the last map has only %.2f", frames[asked].right)
	}
	for what, svg := range map[string][]byte{"the committed picture": committed, "a new one": drawn(frames)} {
		if len(svg) > 1<<20 || bytes.Contains(svg, []byte("<script")) {
			t.Errorf("%s: %d bytes", what, len(svg))
		}
		for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
	}
}
