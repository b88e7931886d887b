package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

//go:embed peers.py
var script []byte

// peers is a Python process that runs the methods of other libraries.
type peers struct {
	python, folder string
	process        *exec.Cmd
	in             io.WriteCloser
	out            *bufio.Reader
	names          []string
	versions       string
	limit          time.Duration // processor time per fit
}

// answer is the reply of the process to one task.
type answer struct {
	Error    string
	Slow     bool // the fit exceeded the limit of processor time
	Seconds  float64
	Names    []string
	Versions string
}

// startPeers starts the process, unless python is "".
func startPeers(python string, limit time.Duration) (*peers, error) {
	p := &peers{python: python, limit: limit}
	if python == "" {
		return p, nil
	}
	var err error
	if p.folder, err = os.MkdirTemp("", "ssdrnb-benchmark-"); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(p.folder, "peers.py"), script, 0o600); err != nil {
		return nil, err
	}
	if err := p.begin(); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// begin starts the process and reads the list of available methods.
func (p *peers) begin() error {
	p.process = exec.Command(p.python, filepath.Join(p.folder, "peers.py"))
	p.process.Stderr = io.Discard
	// Each library uses one thread. On a machine with other work, several threads of a library
	// would wait for each other.
	p.process.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMBA_NUM_THREADS=1")
	var err error
	if p.in, err = p.process.StdinPipe(); err != nil {
		return err
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReader(out)
	if err := p.process.Start(); err != nil {
		return err
	}
	said, err := p.try(context.Background(), map[string]any{"method": "names"})
	p.names, p.versions = said.Names, said.Versions
	return err
}

// errEnded is the error of a task during which the process ended.
var errEnded = errors.New("the process ended without an answer")

// errLost is returned if an ended process cannot be started again. It says nothing about the
// method, so it must not become a row.
var errLost = errors.New("the process cannot be started again")

// ask sends one task to the process and returns its answer. If ctx ends first, or if the process
// ends, ask starts the process again. A process that ended may have been killed for a reason
// unrelated to the task, such as too little memory, so ask tries the task twice.
func (p *peers) ask(ctx context.Context, task map[string]any) (answer, error) {
	var said answer
	var err error
	for range 2 {
		if said, err = p.try(ctx, task); !errors.Is(err, errEnded) {
			break
		}
		if failure := p.begin(); failure != nil {
			return answer{}, fmt.Errorf("%s: %w: %w; the next run measures the missing rows", p.python, errLost, failure)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return said, err
}

// try sends one task to the process and returns its answer. If ctx ends first, it kills the process.
func (p *peers) try(ctx context.Context, task map[string]any) (answer, error) {
	raw, err := json.Marshal(task)
	if err != nil {
		return answer{}, err
	}
	type read struct {
		line []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		// If the process has ended, the write or the read fails.
		if _, err := p.in.Write(append(raw, '\n')); err != nil {
			done <- read{nil, err}
			return
		}
		line, err := p.out.ReadBytes('\n')
		done <- read{line, err}
	}()
	var got read
	select {
	case <-ctx.Done():
		_ = p.process.Process.Kill()
		<-done
		got.err = ctx.Err()
	case got = <-done:
	}
	if got.err != nil {
		p.end()
		return answer{}, fmt.Errorf("%s: %w: %w", p.python, errEnded, got.err)
	}
	var a answer
	err = json.Unmarshal(got.line, &a)
	switch {
	case err != nil:
	case a.Slow:
		err = errSlow
	case a.Error != "":
		err = errors.New(a.Error)
	}
	return a, err
}

// end ends the process.
func (p *peers) end() {
	_ = p.in.Close()
	_ = p.process.Process.Kill()
	_ = p.process.Wait()
}

func (p *peers) stop() {
	if p.process != nil && p.process.Process != nil {
		p.end()
	}
	if p.folder != "" {
		_ = os.RemoveAll(p.folder)
	}
}

func (p *peers) candidates() []candidate {
	var out []candidate
	for _, name := range p.names {
		c := candidate{name: name, tasks: []string{byLabels}}
		if name == "umap-learn" || name == "openTSNE" {
			c.blind, c.tasks = true, []string{byLabels, byPairs, byTarget}
		}
		c.fit = func(ctx context.Context, c cell, dims int) (*fitted, error) {
			return p.fit(ctx, name, c, dims)
		}
		out = append(out, c)
	}
	return out
}

// fit fits the named method of another library. Arrays are passed in both directions as files of
// little-endian float64.
func (p *peers) fit(ctx context.Context, name string, c cell, dims int) (*fitted, error) {
	began := time.Now()
	n, d := c.train.X.Dims()
	m, _ := c.test.X.Dims()
	labels := make([]float64, n)
	for i := range labels {
		labels[i] = -1
		if c.train.Labels != nil && c.train.Labels[i] != data.Unlabelled {
			labels[i] = float64(c.train.Labels[i])
		}
	}
	for file, values := range map[string][]float64{"x": c.train.X.RawMatrix().Data, "q": c.test.X.RawMatrix().Data, "l": labels} {
		if err := p.write(file, values); err != nil {
			return nil, err
		}
	}
	for _, old := range []string{"y", "yq", "p", "s"} {
		if err := os.Remove(filepath.Join(p.folder, old)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	said, err := p.ask(ctx, map[string]any{"method": name, "folder": p.folder, "n": n, "d": d, "m": m, "dims": dims, "seed": c.draw, "limit": p.limit.Seconds()})
	if err != nil {
		return nil, err
	}
	f := &fitted{took: time.Duration(said.Seconds * float64(time.Second))}
	if f.took <= 0 {
		f.took = time.Since(began)
	}
	if y := p.read("y"); y != nil {
		f.given, f.train = len(y)/n, mat.NewDense(n, len(y)/n, y)
	}
	if y := p.read("yq"); y != nil {
		f.test = mat.NewDense(m, len(y)/m, y)
	}
	for _, v := range p.read("p") {
		f.predicted = append(f.predicted, int(v))
	}
	f.sure = p.read("s")
	return f, nil
}

func (p *peers) write(name string, values []float64) error {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return os.WriteFile(filepath.Join(p.folder, name), raw, 0o600)
}

// read returns the numbers in a file, or nil if the file does not exist.
func (p *peers) read(name string) []float64 {
	raw, err := os.ReadFile(filepath.Join(p.folder, name))
	if err != nil {
		return nil
	}
	out := make([]float64, len(raw)/8)
	for k := range out {
		out[k] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*k:]))
	}
	return out
}
