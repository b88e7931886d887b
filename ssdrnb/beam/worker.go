package beam

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// sweepFile is the sweep in its folder, and outcomeSuffix ends the names of the others.
const (
	sweepFile     = "sweep.npz"
	outcomeSuffix = ".outcomes"
)

func outcomeFile(t ssdrnb.SweepTask) string {
	return fmt.Sprintf("draw-%d-cell-%d%s", t.Draw, t.Cells[0], outcomeSuffix)
}

func init() {
	beam.RegisterType(reflect.TypeFor[ssdrnb.SweepTask]())
	register.DoFn2x2[context.Context, ssdrnb.SweepTask, int, error](&fitFn{})
	register.Function1x0(ignore)
}

// ignore ends a pipeline.
func ignore(int) {}

// parts divides a task into runs of at most row cells, whose outcomes go together.
func parts(t ssdrnb.SweepTask, row int) iter.Seq[ssdrnb.SweepTask] {
	return func(yield func(ssdrnb.SweepTask) bool) {
		for cells := range slices.Chunk(t.Cells, row) {
			if !yield(ssdrnb.SweepTask{Draw: t.Draw, Cells: cells}) {
				return
			}
		}
	}
}

// fitFn does tasks of the sweep in a folder and leaves the outcomes there, those of
// Row cells at a time.
type fitFn struct {
	Folder string
	Row    int
}

// ProcessElement does one task and returns its number of fits.
func (f *fitFn) ProcessElement(ctx context.Context, t ssdrnb.SweepTask) (int, error) {
	hush()
	s := enter(f.Folder)
	defer s.leave()
	fs, err := filesystem.New(ctx, f.Folder)
	if err != nil {
		return 0, err
	}
	defer fs.Close()
	do, err := s.open(ctx, fs)
	if err != nil {
		return 0, err
	}
	for part := range parts(t, f.Row) {
		outcomes, err := do(ctx, part)
		if ctx.Err() != nil {
			return 0, nil // the job is cancelled, nobody hears an error
		}
		if err == nil {
			err = writeFile(ctx, fs, f.Folder+"/"+outcomeFile(part), outcomes)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(t.Cells), nil
}

// sweeps are those that this process works on, by folder: Beam makes a fitFn for every
// bundle, and they shall share the data and the draws.
var sweeps struct {
	sync.Mutex
	by map[string]*sweep
}

// sweep is one of them, read by the first task.
type sweep struct {
	folder string
	busy   sync.WaitGroup

	mu sync.Mutex
	do task
}

// task does a task of a sweep, see [ssdrnb.DecodeSweep].
type task = func(ctx context.Context, t ssdrnb.SweepTask) ([]byte, error)

// enter returns the sweep in folder; leave ends the task.
func enter(folder string) *sweep {
	sweeps.Lock()
	defer sweeps.Unlock()
	s := sweeps.by[folder]
	if s == nil {
		if sweeps.by == nil {
			sweeps.by = map[string]*sweep{}
		}
		s = &sweep{folder: folder}
		sweeps.by[folder] = s
	}
	s.busy.Add(1)
	return s
}

func (s *sweep) leave() { s.busy.Done() }

// open reads the sweep. A failure is not kept: Beam tries a task again.
func (s *sweep) open(ctx context.Context, fs filesystem.Interface) (task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.do == nil {
		raw, err := readFile(ctx, fs, s.folder+"/"+sweepFile)
		if err != nil {
			return nil, err
		}
		if s.do, err = ssdrnb.DecodeSweep(raw); err != nil {
			return nil, err
		}
	}
	return s.do, nil
}

// forget lets a sweep go whose pipeline has ended, once its last task has too. Where
// the workers are other processes there is nothing to do.
func forget(folder string) {
	sweeps.Lock()
	s := sweeps.by[folder]
	delete(sweeps.by, folder)
	sweeps.Unlock()
	if s != nil {
		s.busy.Wait()
	}
}
