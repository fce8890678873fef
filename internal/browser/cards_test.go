package browser

import (
	"testing"

	"paretoplay/internal/browser/chrome"
)

// TestCardsAnswer: a card plays its runs and then shows an answer, or shows the answer on request. The list of cards
// does not move under the pointer. Screen readers announce the answer. When a button requests the answer, the focus
// moves from the button to the answer.
func TestCardsAnswer(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	const lead = `() => getComputedStyle(document.querySelector('#introduction .lead')).visibility`
	const second = "#experiments li:nth-child(2) button"
	before := p.middle(second)
	height := p.box("#introduction")
	p.mouse(chrome.Move, before)
	p.mouse(chrome.Press, before)
	p.mouse(chrome.Release, before)
	p.until("the card on its way, without its answer", `() => playground.state().card !== '' && playground.state().latest > 2 &&
		getComputedStyle(document.querySelector('#introduction .lead')).visibility === 'hidden' &&
		document.querySelector('#introduction .waits').checkVisibility()`)
	if after := p.middle(second); after != before {
		t.Errorf("the card was at %v, but is now at %v", before, after)
	}
	if got := p.raw(`() => document.querySelector('#experiments li:nth-child(2) button').title`); got != `""` {
		t.Errorf("the card's tooltip is %s", got)
	}
	waiting := p.box("#introduction")
	p.until("its answer", `() => playground.state().status === 'budget' && !document.querySelector('#introduction .waits').checkVisibility() &&
		getComputedStyle(document.querySelector('#introduction .lead')).visibility === 'visible' &&
		document.getElementById('said').textContent.includes(document.querySelector('#introduction .lead').textContent)`)
	if after := p.middle(second); after != before {
		t.Errorf("with the answer, the card is at %v, before at %v", after, before)
	}
	if answered := p.box("#introduction"); answered != waiting {
		t.Errorf("the words take %+v, waiting for the answer they took %+v, and %+v at first", answered, waiting, height)
	}
	p.click("#experiments li:nth-child(3) button")
	p.until("the next card's question", `() => document.querySelector('#introduction .waits').checkVisibility()`)
	if got := p.raw(lead); got != `"hidden"` {
		t.Errorf("the next card's answer is %s", got)
	}
	p.focus("#introduction .waits button")
	p.key(chrome.Enter)
	p.until("its answer by key", `() => document.activeElement.matches('#introduction .lead') &&
		getComputedStyle(document.activeElement).visibility === 'visible'`)
}
