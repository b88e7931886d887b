package stage

import "context"

// moving is the part of a stage that stores the reader's moves. An action is applied to a copy,
// which replaces the moves unless the action fails. Work runs in another goroutine on its own copy.
type moving[M interface{ Clone() M }] struct{ first, now M }

// begin sets the initial moves, to which a reset returns.
func (m *moving[M]) begin(first M) { m.first, m.now = first, first.Clone() }

// do applies an action.
func (m *moving[M]) do(a Action, apply func(*M, Action) error) error {
	next := m.now.Clone()
	if a.Kind == "reset" {
		next = m.first.Clone()
	} else if err := apply(&next, a); err != nil {
		return err
	}
	m.now = next
	return nil
}

// work returns a function that computes the state for the moves made so far.
func (m *moving[M]) work(see func(context.Context, *M) (*State, error)) func(context.Context) (*State, error) {
	now := m.now.Clone()
	return func(ctx context.Context) (*State, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return see(ctx, &now)
	}
}
