package stage

import "context"

// moving stores the reader's moves. Do applies an action to a copy, which replaces the moves unless
// the action fails. The function that Work returns runs in another goroutine on its own copy.
type moving[M interface{ Clone() M }] struct {
	first, current M
	apply          func(*M, Action) error
	see            func(context.Context, *M) (*State, error)
}

// begin sets the initial moves, which a reset restores. It also sets the functions apply, which
// applies an action to the moves, and see, which computes the state from the moves.
func (m *moving[M]) begin(first M, apply func(*M, Action) error, see func(context.Context, *M) (*State, error)) {
	m.first, m.current, m.apply, m.see = first, first.Clone(), apply, see
}

// Do applies an action.
func (m *moving[M]) Do(a Action) error {
	next := m.current.Clone()
	if a.Kind == "reset" {
		next = m.first.Clone()
	} else if err := m.apply(&next, a); err != nil {
		return err
	}
	m.current = next
	return nil
}

// Work returns a function that computes the state for the moves made so far.
func (m *moving[M]) Work() func(context.Context) (*State, error) {
	now := m.current.Clone()
	return func(ctx context.Context) (*State, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return m.see(ctx, &now)
	}
}
