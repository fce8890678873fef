package timeline

// chunkFloats is the number of floats in a chunk, unless a row is longer. A growing slice would be copied and leave
// gaps in memory; chunks avoid this. In a browser, memory never shrinks.
const chunkFloats = 4096

// table stores rows of equal width in chunks.
type table struct {
	width  int
	each   int // rows per chunk
	count  int
	chunks [][]float64
}

// newTable returns an empty table for a timeline with a memory limit in bytes.
func newTable(width, limit int) table {
	const share = 8 * 64 // a chunk takes at most a 64th of the limit, at 8 bytes a float
	return table{width: width, each: max(1, min(chunkFloats, limit/share)/width)}
}

func (t *table) row(i int) []float64 {
	at := i % t.each * t.width
	return t.chunks[i/t.each][at : at+t.width : at+t.width]
}

// add appends a row and returns it. The row's contents are undefined.
func (t *table) add() []float64 {
	if t.count == len(t.chunks)*t.each {
		t.chunks = append(t.chunks, make([]float64, t.each*t.width))
	}
	t.count++
	return t.row(t.count - 1)
}

func (t *table) cut(count int) { t.count = count }

// trim releases the chunks that contain no rows.
func (t *table) trim() {
	full := (t.count + t.each - 1) / t.each
	clear(t.chunks[full:])
	t.chunks = t.chunks[:full]
}

// bytes returns the memory of all chunks, in bytes.
func (t *table) bytes() int { return 8 * len(t.chunks) * t.each * t.width }
