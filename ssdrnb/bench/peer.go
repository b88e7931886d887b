package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"
)

//go:embed peer.py
var script []byte

// peer is a Python process that holds the arrays of a line, calls functions with them and times the
// calls.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	dir string

	processor bool // whether times are processor times
}

// clock returns the time in seconds, from the kind of clock that the peer uses.
func (p *peer) clock() float64 {
	if p.processor {
		return processorTime()
	}
	return time.Since(started).Seconds()
}

var started = time.Now()

func startPeer(python string) (*peer, error) {
	dir, err := os.MkdirTemp("", "ssdrnb-bench")
	if err != nil {
		return nil, err
	}
	p := &peer{dir: dir}
	file := filepath.Join(dir, "peer.py")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		return nil, err
	}
	p.cmd = exec.Command(python, file)
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

func (p *peer) close() {
	p.in.Close()
	p.cmd.Wait() // all answers have been read, so the exit status does not matter
	os.RemoveAll(p.dir)
}

type answer struct {
	Seconds, Check float64
	Text           string
}

func (p *peer) ask(request any) (a answer, err error) {
	b, err := json.Marshal(request)
	if err != nil {
		return a, err
	}
	if _, err = p.in.Write(append(b, '\n')); err != nil {
		return a, fmt.Errorf("the peer has ended: %w", err)
	}
	reply, err := p.out.ReadBytes('\n')
	if err != nil {
		return a, fmt.Errorf("the peer has ended: %w", err)
	}
	return a, json.Unmarshal(reply, &a)
}

// load passes the arrays of a line to the peer.
func (p *peer) load(in map[string]*mat.Dense) error {
	paths := map[string]string{}
	for name, m := range in {
		paths[name] = filepath.Join(p.dir, name+".npy")
		f, err := os.Create(paths[name])
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		if err := npyio.Write(w, m); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	_, err := p.ask(map[string]any{"load": paths})
	return err
}

// run calls a function of peer.py and returns its time and its check value.
func (p *peer) run(name string) (seconds, check float64, err error) {
	a, err := p.ask(map[string]any{"run": name, "processor": p.processor})
	return a.Seconds, a.Check, err
}

func (p *peer) text(name string) (string, error) {
	a, err := p.ask(map[string]any{"run": name, "processor": p.processor})
	return a.Text, err
}

// array calls a function of peer.py that returns a matrix.
func (p *peer) array(name string) (*mat.Dense, error) {
	_, m, err := p.timed(name)
	return m, err
}

// timed is like array, but also returns the time of the call in seconds.
func (p *peer) timed(name string) (seconds float64, m *mat.Dense, err error) {
	path := filepath.Join(p.dir, "result.npy")
	a, err := p.ask(map[string]any{"run": name, "processor": p.processor, "save": path})
	if err != nil {
		return 0, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	m = &mat.Dense{}
	return a.Seconds, m, npyio.Read(f, m)
}
