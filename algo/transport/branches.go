package transport

// lists are lists of whole numbers, each of which is in one list at most.
type lists struct{ first, next, last []int } // last is the number before; −1 stands for none

func (l *lists) resize(lists, numbers int) {
	l.first, l.next, l.last = make([]int, lists), make([]int, numbers), make([]int, numbers)
}

func (l *lists) clear() {
	for i := range l.first {
		l.first[i] = -1
	}
}

func (l *lists) push(list, x int) {
	next := l.first[list]
	l.next[x], l.last[x] = next, -1
	if next >= 0 {
		l.last[next] = x
	}
	l.first[list] = x
}

func (l *lists) take(list, x int) {
	next, last := l.next[x], l.last[x]
	if last >= 0 {
		l.next[last] = next
	} else {
		l.first[list] = next
	}
	if next >= 0 {
		l.last[next] = last
	}
}

// branches lists what hangs from the cells of a tree, so that a pivot need only look at the part that moves.
type branches struct {
	columns lists // of each row, those that hang from it
	rows    lists // of each column, those that hang from it and from which columns hang
}

func (b *branches) resize(rows, cols int) {
	b.columns.resize(rows, cols)
	b.rows.resize(cols, rows)
}

// grow lists the tree where row i hangs from column up[i], and column j from row over[j], the root from −1.
func (b *branches) grow(up, over []int) {
	b.columns.clear()
	b.rows.clear()
	for j, i := range over {
		if i >= 0 {
			b.hang(j, i, up[i])
		}
	}
}

// hang puts column j on row i, which hangs from column k.
func (b *branches) hang(j, i, k int) {
	if b.columns.first[i] < 0 {
		b.rows.push(k, i)
	}
	b.columns.push(i, j)
}

// cut takes column j from row i, which hangs from column k.
func (b *branches) cut(j, i, k int) {
	b.columns.take(i, j)
	if b.columns.first[i] < 0 {
		b.rows.take(k, i)
	}
}

// turnRow moves row i from one column to another.
func (b *branches) turnRow(i, from, to int) {
	if b.columns.first[i] >= 0 {
		b.rows.take(from, i)
		b.rows.push(to, i)
	}
}
