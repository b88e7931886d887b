package beam

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

func init() {
	beam.RegisterType(reflect.TypeFor[commandFn]())
	register.DoFn2x2[context.Context, int, int, error](&commandFn{})
}

// Command runs a program on the workers, once for each part of its work (parts ≥ 1). Each run
// writes a file, and Command returns the contents of these files in the order of the parts. The
// program must exist on the workers under the given name. In its arguments, {part} stands for the
// number of the part (counted from 1), {parts} for the number of parts, and {file} for the run's
// file:
//
//	files, err := runner.Command(ctx, 8, "benchmark",
//		"-shard", "{part}/{parts}", "-file", "{file}")
//
// If the runner has no Folder, the workers must run in this process, as for a sweep. If a run
// fails, all other runs are ended, and the error contains the last 2,000 bytes of the failed run's
// standard error. After a failure or the end of ctx, Command returns the error together with the
// contents from the runs that have ended. The entries of the other runs are nil.
func (r Runner) Command(ctx context.Context, parts int, program string, arguments ...string) ([][]byte, error) {
	r, err := r.check()
	if err != nil {
		return nil, ofCommand(err)
	}
	if parts < 1 {
		return nil, ofCommand(fault("parts", parts, "give 1 or more", "the work cannot have %d parts", parts))
	}
	initialize()
	box, err := openMailbox(ctx, r.Folder)
	if err != nil {
		return nil, ofCommand(fault("Folder", r.Folder, "name a folder that you can write to", "%w", err))
	}
	defer box.remove(context.WithoutCancel(ctx))
	// Workers run only while this file exists; see whileExists.
	if err := box.write(ctx, partsFile, []byte(strconv.Itoa(parts))); err != nil {
		return nil, ofCommand(fault("Folder", r.Folder, "name a folder that you can write to", "%w", err))
	}
	numbers := make([]int, parts)
	for k := range numbers {
		numbers[k] = k + 1
	}
	p, s := beam.NewPipelineWithRoot()
	elements := beam.CreateList(s.Scope("Parts"), numbers)
	runs := beam.ParDo(s.Scope("Run"), &commandFn{Folder: box.folder, Parts: parts, Program: program, Arguments: arguments}, beam.Reshuffle(s.Scope("Deal"), elements))
	beam.ParDo0(s.Scope("End"), ignore, beam.Reshuffle(s.Scope("Count"), runs))
	failure := r.submit(ctx, p)
	if ctx.Err() != nil {
		failure = &ssdrnb.Error{Method: "Command", Err: fmt.Errorf("%w: %w", ssdrnb.ErrCancelled, ctx.Err())}
	} else if failure != nil {
		failure = ofCommand(fault("Runner", nil, "", "%w", failure))
	}
	out := make([][]byte, parts)
	for k := range out {
		out[k], err = readFile(context.WithoutCancel(ctx), box.fs, partFile(box.folder, k+1))
		if err != nil {
			out[k] = nil
			if failure == nil {
				failure = ofCommand(fault("program", program, "have the program write the file {file}", "the file of part %d cannot be read: %w", k+1, err))
			}
		}
	}
	return out, failure
}

// ofCommand returns err with Command, instead of Sweep, as its method.
func ofCommand(err error) error {
	var e *ssdrnb.Error
	if errors.As(err, &e) {
		named := *e
		named.Method = "Command"
		return &named
	}
	return err
}

// partsFile is the name of a file in the folder of a run. The file exists until Command ends.
const partsFile = "parts"

func partFile(folder string, k int) string { return fmt.Sprintf("%s/part-%d", folder, k) }

// commandFn runs the program for one part. It copies the file that the program writes to Folder.
type commandFn struct {
	Folder    string
	Parts     int
	Program   string
	Arguments []string
}

// ProcessElement runs part k and returns k.
func (f *commandFn) ProcessElement(ctx context.Context, k int) (int, error) {
	hush()
	fs, err := filesystem.New(ctx, f.Folder)
	if err != nil {
		return 0, err
	}
	defer fs.Close()
	ctx, stop := whileExists(ctx, fs, f.Folder+"/"+partsFile)
	defer stop()
	if ctx.Err() != nil {
		return 0, cancelled(ctx)
	}
	own, err := os.MkdirTemp("", "ssdrnb-part-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(own)
	file := filepath.Join(own, "file")
	fill := strings.NewReplacer("{part}", strconv.Itoa(k), "{parts}", strconv.Itoa(f.Parts), "{file}", file)
	arguments := make([]string, len(f.Arguments))
	for i, a := range f.Arguments {
		arguments[i] = fill.Replace(a)
	}
	run := exec.CommandContext(ctx, f.Program, arguments...)
	var said tail
	run.Stderr = &said
	run.WaitDelay = time.Second // children of the program may keep the standard error open
	err = run.Run()
	if ctx.Err() != nil {
		return 0, cancelled(ctx)
	}
	if err != nil {
		return 0, fmt.Errorf("%s, part %d of %d: %w: %s", f.Program, k, f.Parts, err, strings.TrimSpace(string(said)))
	}
	raw, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return k, nil // Command notices the missing file and reports the remedy
	}
	if err != nil {
		return 0, err
	}
	return k, writeFile(ctx, fs, partFile(f.Folder, k), raw)
}

// tail keeps the last 2,000 bytes written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	const most = 2000
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-most):]
	return len(p), nil
}
