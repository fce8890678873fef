package timeline

// chunkFloats is how many numbers a part of a table holds, unless a row is longer. A list that grows in one piece leaves the pieces
// that it has outgrown behind as gaps in the program's memory, which in a browser never shrinks.
const chunkFloats = 4096

// table holds rows of equal width, in parts.
type table struct {
	width  int
	each   int // rows of a part
	count  int
	chunks [][]float64
}

// newTable returns an empty table of a timeline that keeps its rows below limit bytes.
func newTable(width, limit int) table {
	const share = 8 * 64 // a part takes at most a 64th of that, at 8 bytes a number
	return table{width: width, each: max(1, min(chunkFloats, limit/share)/width)}
}

// row returns row i.
func (t *table) row(i int) []float64 {
	at := i % t.each * t.width
	return t.chunks[i/t.each][at : at+t.width : at+t.width]
}

// add adds a row and returns it, with numbers that mean nothing yet.
func (t *table) add() []float64 {
	if t.count == len(t.chunks)*t.each {
		t.chunks = append(t.chunks, make([]float64, t.each*t.width))
	}
	t.count++
	return t.row(t.count - 1)
}

// cut leaves the first count rows.
func (t *table) cut(count int) { t.count = count }

// trim gives up the parts that hold no rows.
func (t *table) trim() {
	full := (t.count + t.each - 1) / t.each
	clear(t.chunks[full:])
	t.chunks = t.chunks[:full]
}

// bytes is how much memory the rows take.
func (t *table) bytes() int { return 8 * len(t.chunks) * t.each * t.width }
