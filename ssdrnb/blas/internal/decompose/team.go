package decompose

import (
	"runtime"
	"sync/atomic"
)

// team is a group of goroutines that execute many short rounds of work together. The reduction to
// tridiagonal form has two rounds per column. A round takes a few microseconds; starting goroutines
// for it would take too long. Between rounds, the members wait in a busy loop for a while before
// they sleep. The caller of [team.do] waits only for work that a member has begun, and never for a
// member that the operating system does not schedule.
type team struct {
	members []*member
	current atomic.Pointer[round]
}

type member struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// round is the work between two synchronisations.
type round struct {
	tasks      int
	run        func(task int) // nil ends the members
	next, done atomic.Int64
}

// newTeam starts the members, one fewer than GOMAXPROCS, because the goroutine that calls [team.do]
// does its share of the work.
func newTeam() *team {
	t := &team{}
	for range runtime.GOMAXPROCS(0) - 1 {
		m := &member{wake: make(chan struct{}, 1)}
		t.members = append(t.members, m)
		go t.serve(m)
	}
	return t
}

// do calls run(0) to run(tasks-1), each once, and returns when all calls have returned.
func (t *team) do(tasks int, run func(task int)) {
	if len(t.members) == 0 || tasks == 1 {
		for i := range tasks {
			run(i)
		}
		return
	}
	r := &round{tasks: tasks, run: run}
	t.begin(r)
	r.work()
	for spins := 1; r.done.Load() < int64(tasks); spins++ {
		if spins%spinsPerYield == 0 {
			runtime.Gosched()
		}
	}
}

// close ends the members.
func (t *team) close() { t.begin(new(round)) }

func (t *team) begin(r *round) {
	t.current.Store(r)
	for _, m := range t.members {
		if m.asleep.CompareAndSwap(true, false) {
			m.wake <- struct{}{}
		}
	}
}

func (r *round) work() {
	for i := int(r.next.Add(1)) - 1; i < r.tasks; i = int(r.next.Add(1)) - 1 {
		r.run(i)
		r.done.Add(1)
	}
}

// Numbers of spins before a waiting member yields its processor, and before it sleeps.
const (
	spinsPerYield = 100
	spinsPerSleep = 10000
)

func (t *team) serve(m *member) {
	var last *round
	for {
		last = t.await(m, last)
		if last.run == nil {
			return
		}
		last.work()
	}
}

// await waits until the current round is not `last`, and returns it.
func (t *team) await(m *member, last *round) *round {
	for spins := 1; ; spins++ {
		if r := t.current.Load(); r != last {
			return r
		}
		switch {
		case spins%spinsPerSleep == 0:
			m.asleep.Store(true)
			if t.current.Load() != last && m.asleep.CompareAndSwap(true, false) {
				continue // a round has begun in the meantime, and nobody will wake this member
			}
			<-m.wake
		case spins%spinsPerYield == 0:
			runtime.Gosched()
		}
	}
}
