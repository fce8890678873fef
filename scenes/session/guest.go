package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"paretoplay/scenes/exchange"
	"paretoplay/scenes/scene"
)

// DataState is what a state says of a visitor's data.
type DataState struct {
	SHA256  string `json:"sha256"` // "" where none were asked for
	Held    bool   `json:"held"`   // they are here; otherwise the visitor is asked for the file
	From    string `json:"from"`   // origin of the page that sent those that are held, "" where the visitor brought them
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
}

// pasting is a file under way. All of its parts come from one sender, whose data
// they will be.
type pasting struct {
	exchange.PasteReader
	from string
}

// want makes the data of that SHA-256 those that the state is about, and shows
// them if they are still here.
func (s *Session) want(sum string) {
	g, ok := s.scene.(scene.Guest)
	if sum == "" || !ok {
		return
	}
	if bytes, err := hex.DecodeString(sum); err != nil || len(bytes) != sha256.Size {
		s.notice("data = %s is no SHA-256; it is left out.", scene.Quote(sum))
		return
	}
	s.wanted = sum
	if s.pasted != nil && s.pasted.SHA256 == sum {
		g.Paste(s.pasted)
		return
	}
	s.notice("What is shown needs a file that stays with who opened it: choose the file to see it here.")
}

func (s *Session) dataState() *DataState {
	g, ok := s.scene.(scene.Guest)
	if !ok || !g.ShowsPasted() {
		return nil
	}
	out := &DataState{SHA256: s.wanted}
	if s.pasted != nil && s.pasted.SHA256 == s.wanted {
		out.Held, out.From, out.Rows, out.Columns = true, s.sender, s.pasted.Jacobian.Rows, s.pasted.Jacobian.Cols
	}
	return out
}

// callPaste reads the next part of a file: UTF-8, cut anywhere between characters.
// The last part shows the data; an error ends the file.
func (s *Session) callPaste(a *arguments) (any, error) {
	g, ok := s.scene.(scene.Guest)
	if !ok {
		return nil, fmt.Errorf("the scene %s shows no data of visitors", s.about.ID)
	}
	if a.First {
		s.pasting = &pasting{from: a.From}
	}
	if s.pasting == nil || s.pasting.from != a.From {
		return nil, fmt.Errorf("paste: no file is being read; its first part has first = true")
	}
	if _, err := s.pasting.Write([]byte(a.Part)); err != nil {
		s.pasting = nil
		return nil, err
	}
	if !a.Last {
		return nil, nil
	}
	p, err := s.pasting.Close()
	s.pasting = nil
	if err != nil {
		return nil, err
	}
	if g.ShowsPasted() && s.wanted != "" && s.wanted != p.SHA256 && (s.pasted == nil || s.pasted.SHA256 != s.wanted) {
		s.notice("This is another file than the one that the link is about.")
	}
	if err := s.receive(g, p, a.From); err != nil {
		return nil, err
	}
	return s.dataState(), nil
}

// receive shows data that came from there.
func (s *Session) receive(g scene.Guest, p *exchange.Pasted, from string) error {
	g.Paste(p)
	s.pasted, s.sender, s.wanted = p, from, p.SHA256
	if err := g.Displayed(); err != nil {
		return err
	}
	s.changed()
	return nil
}

// ShowData reads a file as the page does when it is pasted, and shows it. The
// values are those that were asked for: one that contradicts the data, such as
// another view, is an error.
func (s *Session) ShowData(r io.Reader, values []Value) error {
	g, ok := s.scene.(scene.Guest)
	if !ok {
		var guests []string
		for _, a := range s.scenes {
			if _, ok := a.New().(scene.Guest); ok {
				guests = append(guests, a.ID)
			}
		}
		return fmt.Errorf("the scene %s takes no data; those that do: %s", s.about.ID, strings.Join(guests, " "))
	}
	var reader exchange.PasteReader
	if _, err := io.Copy(&reader, r); err != nil {
		return err
	}
	p, err := reader.Close()
	if err != nil {
		return err
	}
	params := s.scene.Params()
	before := make([]string, len(values))
	for i, v := range values {
		before[i] = params.Text(v.Name)
	}
	if err := s.receive(g, p, ""); err != nil {
		return err
	}
	for i, v := range values {
		if now := params.Text(v.Name); now != before[i] {
			return fmt.Errorf("%s = %s shows no data; leave it out, or set it to %s", v.Name, before[i], now)
		}
	}
	return nil
}
