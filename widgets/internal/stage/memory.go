package stage

import "sync"

// maxKept bounds the number of results in a memory. A full memory is emptied.
const maxKept = 400

// memory caches results for later states. All functions that Work returns share it.
type memory[K comparable, T any] struct {
	mu   sync.Mutex
	kept map[K]T
}

func (m *memory[K, T]) get(key K, compute func() (T, error)) (T, error) {
	m.mu.Lock()
	v, ok := m.kept[key]
	m.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := compute()
	if err != nil {
		return v, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil || len(m.kept) >= maxKept {
		m.kept = map[K]T{}
	}
	m.kept[key] = v
	return v, nil
}
