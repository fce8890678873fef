package browser

import "testing"

// TestLongReadout: a table of many runs initially has only the visible rows, and gets more when a visitor reaches the
// last one.
func TestLongReadout(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=fonseca&method=psmgd,mgda&starts=50&latest=3&k=3", size(1280, 800))
	const first, all = 40, 100 // ROWS_AT_ONCE of readout.js, and the number of runs
	rows := func() (n int) {
		t.Helper()
		p.js(&n, `() => document.querySelector('#readout tbody').rows.length`)
		return n
	}
	if n := rows(); n != first {
		t.Errorf("%d rows at first, want %d", n, first)
	}
	p.until("all rows, once the last one is in sight", `(all) => {
		const { rows } = document.querySelector('#readout tbody');
		rows[rows.length - 1].scrollIntoView();
		return rows.length === all;
	}`, all)
	p.js(nil, `() => document.querySelector('#readout tbody').rows[99].querySelector('button').click()`)
	p.until("the last row chosen, with its iteration", `() => {
		const last = document.querySelector('#readout tbody').rows[99];
		return last.classList.contains('selected') && last.cells[1].textContent === '3';
	}`)
}
