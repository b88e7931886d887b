package beam

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// sweepFile is the name of the file that holds the sweep, in the folder of a run. The names of
// files with outcomes end in outcomeSuffix.
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

// ignore consumes the output of a pipeline.
func ignore(int) {}

// parts divides a task into groups of at most `row` cells. The outcomes of a group share a file.
func parts(t ssdrnb.SweepTask, row int) iter.Seq[ssdrnb.SweepTask] {
	return func(yield func(ssdrnb.SweepTask) bool) {
		for cells := range slices.Chunk(t.Cells, row) {
			if !yield(ssdrnb.SweepTask{Draw: t.Draw, Cells: cells}) {
				return
			}
		}
	}
}

// fitFn runs tasks of the sweep in Folder. It writes their outcomes there, one file for each group
// of Row cells.
type fitFn struct {
	Folder string
	Row    int
}

// ProcessElement runs a task and returns its number of fits.
func (f *fitFn) ProcessElement(ctx context.Context, t ssdrnb.SweepTask) (int, error) {
	hush()
	s := enter(f.Folder)
	defer s.leave()
	fs, err := filesystem.New(ctx, f.Folder)
	if err != nil {
		return 0, err
	}
	defer fs.Close()
	ctx, stop := whileExists(ctx, fs, f.Folder+"/"+sweepFile)
	defer stop()
	if ctx.Err() != nil {
		return 0, cancelled(ctx)
	}
	do, err := s.open(ctx, fs)
	if err != nil {
		return 0, err
	}
	for part := range parts(t, f.Row) {
		outcomes, err := do(ctx, part)
		if ctx.Err() != nil {
			return 0, cancelled(ctx)
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

// errRemoved is the cause with which whileExists cancels a context.
var errRemoved = errors.New("the folder of the run does not exist on the worker: the run has ended, or the folder is not shared")

// whileExists returns a context that ends within a few seconds after the file is removed, or at
// once if the file does not exist. A run removes its files at its end. The job service of Flink
// lets the tasks of a cancelled job continue; this context ends them.
func whileExists(ctx context.Context, fs filesystem.Interface, path string) (context.Context, func()) {
	ctx, end := context.WithCancelCause(ctx)
	check := func() {
		// An error from List may be temporary and does not end the context.
		if found, err := fs.List(ctx, path); err == nil && len(found) == 0 {
			end(errRemoved)
		}
	}
	if check(); ctx.Err() == nil {
		go func() {
			tick := time.NewTicker(2 * time.Second)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
					check()
				}
			}
		}()
	}
	return ctx, func() { end(nil) }
}

// cancelled returns the error of a task whose context has ended. If whileExists ended the context,
// the error is errRemoved, which fails the job and so ends its other tasks. If the job was
// cancelled, the error is nil, because nobody would read it.
func cancelled(ctx context.Context) error {
	if err := context.Cause(ctx); errors.Is(err, errRemoved) {
		return err
	}
	return nil
}

// sweeps holds the sweeps of this process by folder. Beam creates one fitFn per bundle of tasks;
// these fitFns share the data and the draws through sweeps.
var sweeps struct {
	sync.Mutex
	by map[string]*sweep
}

// sweep is an entry of sweeps. The first task of a sweep reads the sweep from its file.
type sweep struct {
	folder string
	busy   sync.WaitGroup

	mu sync.Mutex
	do task
}

// task runs a task of a sweep, see [ssdrnb.DecodeSweep].
type task = func(ctx context.Context, t ssdrnb.SweepTask) ([]byte, error)

// enter returns the sweep in folder for a new task; leave marks the end of the task.
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

// open reads the sweep. It does not cache a failure, because Beam retries tasks.
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

// forget releases the sweep of a pipeline that has ended, and waits until its last task has ended.
// If the workers are other processes, it does nothing.
func forget(folder string) {
	sweeps.Lock()
	s := sweeps.by[folder]
	delete(sweeps.by, folder)
	sweeps.Unlock()
	if s != nil {
		s.busy.Wait()
	}
}
