package brush

// Memo keeps the latest result of a computation, with the key that names all it depends on.
// Pictures ask for the same result many times in a frame. The zero value keeps nothing.
type Memo[K comparable, V any] struct {
	key   K
	value V
	kept  bool
}

// Of returns the result for a key. It calls compute only if the latest call had another key.
func (m *Memo[K, V]) Of(key K, compute func() V) V {
	if !m.kept || m.key != key {
		m.value = compute()
		m.key, m.kept = key, true
	}
	return m.value
}
