package brush

// Memo caches the latest result of a computation, because pictures need the same result many times in a frame. A key
// identifies everything that the result depends on. The zero value is empty.
type Memo[K comparable, V any] struct {
	key   K
	value V
	kept  bool
}

// Of returns the result for a key. It calls compute only if the key differs from the previous call's key.
func (m *Memo[K, V]) Of(key K, compute func() V) V {
	if !m.kept || m.key != key {
		m.value = compute()
		m.key, m.kept = key, true
	}
	return m.value
}
