package par

import "context"

// Context returns ctx, and the background context for nil: exported functions accept nil
// as a context that never ends.
func Context(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}
