package browser

import "testing"

// TestInvitation: the Fonseca scene invites visitors to let the runs end and then set R to 32. If R changes while the
// runs continue, the page says nothing. After the runs are restarted with R = 32, most points go to an end of the front.
// The page then says what to look at, below the invitation, and the picture does not move.
func TestInvitation(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=fonseca&k=0&speed=1", size(1440, 900))
	invited := func() (out struct{ Words, Done string }) {
		p.js(&out, `() => {
			const said = (selector) => {
				const of = document.querySelector('#introduction ' + selector);
				return getComputedStyle(of).visibility === 'visible' ? of.innerText : '';
			};
			return { Words: said('.words'), Done: said('.done') };
		}`)
		return out
	}
	before, first := p.box("#stage"), invited()
	p.js(nil, `async () => { await playground.step(120); await playground.set('R', 32); await playground.step(80); }`)
	if now := invited(); first.Words == "" || now.Words != first.Words || first.Done+now.Done != "" {
		t.Errorf("first %+v, after R during the runs %+v", first, now)
	}
	p.js(nil, `async () => { await playground.reset(); await playground.step(200); }`)
	p.until("it says what is to be seen", `() => getComputedStyle(document.querySelector('#introduction .done')).visibility === 'visible'`)
	if now := invited(); now.Words != first.Words || now.Done == "" {
		t.Errorf("it says %+v", now)
	}
	if after := p.box("#stage"); after != before {
		t.Errorf("the picture goes from %+v to %+v", before, after)
	}
}
