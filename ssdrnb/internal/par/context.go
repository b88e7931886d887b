package par

import "context"

// Context returns ctx, or the background context if ctx is nil. Exported functions accept nil as a
// context that never ends.
func Context(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}
