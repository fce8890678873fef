package transport

// lists holds linked lists of integers. Each integer is in at most one list. For each integer, next holds the one after
// it and last the one before it, or −1 if there is none.
type lists struct{ first, next, last []int }

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

// branches lists the children of each node of a tree, so that a pivot only needs to visit the part that moves.
type branches struct {
	columns lists // the children of each row
	rows    lists // the child columns of each column
}

func (b *branches) resize(rows, cols int) {
	b.columns.resize(rows, cols)
	b.rows.resize(cols, rows)
}

// grow lists the children of a tree. The parent of row i is column up[i], and the parent of column j is row
// over[j], or −1 for the root.
func (b *branches) grow(up, over []int) {
	b.columns.clear()
	b.rows.clear()
	for j, i := range over {
		if i >= 0 {
			b.hang(j, i, up[i])
		}
	}
}

// hang makes column j a child of row i, whose parent is column k.
func (b *branches) hang(j, i, k int) {
	if b.columns.first[i] < 0 {
		b.rows.push(k, i)
	}
	b.columns.push(i, j)
}

// cut removes column j from the children of row i, whose parent is column k.
func (b *branches) cut(j, i, k int) {
	b.columns.take(i, j)
	if b.columns.first[i] < 0 {
		b.rows.take(k, i)
	}
}

// turnRow moves row i from one parent column to another.
func (b *branches) turnRow(i, from, to int) {
	if b.columns.first[i] >= 0 {
		b.rows.take(from, i)
		b.rows.push(to, i)
	}
}
