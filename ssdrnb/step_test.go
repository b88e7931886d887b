package ssdrnb

import (
	"context"
	"errors"
	"testing"
)

// slowStep waits until it is released.
type slowStep struct{ begun, release chan struct{} }

func (s slowStep) run(*work) (int, error) {
	close(s.begun)
	<-s.release
	return 7, nil
}

// A fit whose context ends while another computes a step gives up at once. It still gets results
// that are complete, so that no later step sees half of a result.
func TestSharedStepsAndContexts(t *testing.T) {
	d := clouds(3, 10, 4, 2, 1)
	c, ended := newCache(), func() context.Context {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx
	}()
	job := func(ctx context.Context) *job {
		j := newJob(ctx, SDA().Spec(), d, c)
		j.start()
		return j
	}
	step := slowStep{make(chan struct{}), make(chan struct{})}
	done := make(chan int)
	go func() {
		v, _ := shared(job(context.Background()).work, step)
		done <- v
	}()
	<-step.begun
	if _, err := shared(job(ended).work, step); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for a step: %v", err)
	}
	close(step.release)
	if v := <-done; v != 7 {
		t.Errorf("got %d", v)
	}
	for range 50 {
		if v, err := shared(job(ended).work, step); v != 7 || err != nil {
			t.Fatalf("a result that is there: %d, %v", v, err)
		}
	}
	// The scatter cannot return an error, and is never missing.
	s, err := spanOf(job(context.Background()))
	if err != nil {
		t.Fatal(err)
	}
	if sc := scatterOf(job(ended), s); sc == nil {
		t.Error("no scatter after the context has ended")
	}
}
