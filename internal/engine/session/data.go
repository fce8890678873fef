package session

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

// DataState describes a visitor's data in a state.
type DataState struct {
	SHA256  string `json:"sha256"` // "" if the state refers to no data
	Held    bool   `json:"held"`   // whether the data are available; if not, the page asks the visitor for the file
	From    string `json:"from"`   // origin of the page that sent the data; "" for the visitor
	Rows    int    `json:"rows"`   // number of rows of the first matrix
	Columns int    `json:"columns"`
	About   string `json:"about"` // a short description of the data; "" if they are not available
	Notes   string `json:"notes"` // how the file was read, if other readings were possible
	// Growing is true if the file has grown but the scene still shows its earlier contents.
	Growing bool `json:"growing,omitempty"`
}

// pasting is a file that is being read. All its parts must come from one sender, who owns the data.
type pasting struct {
	*data.PasteReader
	from string
}

// want ties the state to the data with the given SHA-256 hash, and shows the data if they are available.
func (s *Session) want(sum string) {
	g, ok := scene.AsDataTaker(s.scene)
	if sum == "" || !ok {
		return
	}
	if bytes, err := hex.DecodeString(sum); err != nil || len(bytes) != sha256.Size {
		s.notice("data = %s is left out: it is not a SHA-256 hash.", scene.Quote(sum))
		return
	}
	s.file.wanted = sum
	if s.file.pasted != nil && s.file.pasted.SHA256 == sum && s.file.pasted.Layout == s.about.Takes {
		if err := s.take(g, s.file.pasted); err != nil {
			s.notice("%v.", err)
		}
		return
	}
	s.notice("This link needs a file that stays on its owner’s device. Choose the file to see it here.")
}

func (s *Session) dataState() *DataState {
	g, ok := scene.AsDataTaker(s.scene)
	if !ok || !g.ShowsPasted() {
		return nil
	}
	out := &DataState{SHA256: s.file.wanted}
	if s.file.pasted != nil && s.file.pasted.SHA256 == s.file.wanted {
		out.Held, out.From, out.About = true, s.file.sender, s.file.pasted.About
		out.Rows, out.Columns = s.file.pasted.Shape()
		out.Notes = strings.Join(s.file.pasted.Notes, "; ")
	}
	out.Growing = s.scene.Extras().Growing
	return out
}

// callPaste reads the next part of a file and shows the data after the last part. A part is UTF-8 text, cut between any two
// characters, or any bytes in base64. An error discards the file.
func callPaste(s *Session, a *arguments) (any, error) {
	g, ok := scene.AsDataTaker(s.scene)
	if !ok {
		return nil, fmt.Errorf("the scene %s takes no data", s.about.ID)
	}
	p, err := s.readPart("paste", s.about.Takes, a)
	if err != nil || p == nil {
		return nil, err
	}
	if a.Grown {
		if err := s.grow(p, a.From); err != nil {
			return nil, err
		}
		return s.dataState(), nil
	}
	if g.ShowsPasted() && s.file.wanted != "" && s.file.wanted != p.SHA256 && (s.file.pasted == nil || s.file.pasted.SHA256 != s.file.wanted) {
		s.notice("The link refers to a different file.")
	}
	if err := s.changing(false, func() error { return s.receive(g, p, a.From) }); err != nil {
		return nil, err
	}
	if len(p.Notes) > 0 {
		s.notice("The file: %s.", strings.Join(p.Notes, "; "))
	}
	return s.dataState(), nil
}

// readPart reads the next part of a file. It returns nil before the last part, and the file after the last part. An
// error discards the file.
func (s *Session) readPart(verb string, form *data.Layout, a *arguments) (*data.Pasted, error) {
	if a.First {
		s.dropPasting()
		s.file.pasting = &pasting{PasteReader: data.NewChoiceReader(form, a.Choose), from: a.From}
	}
	if s.file.pasting == nil || s.file.pasting.from != a.From {
		return nil, fmt.Errorf("%s: no file is being read; send its first part with first = true", verb)
	}
	part, err := []byte(a.Part), error(nil)
	if a.Base64 {
		part, err = base64.StdEncoding.DecodeString(a.Part)
	}
	if err == nil {
		_, err = s.file.pasting.Write(part)
	}
	if err != nil || !a.Last {
		if err != nil {
			s.dropPasting()
		}
		return nil, err
	}
	p, err := s.file.pasting.Close()
	s.file.pasting = nil
	return p, err
}

// dropPasting abandons the file that is being read, if there is one.
func (s *Session) dropPasting() {
	if p := s.file.pasting; p != nil {
		p.Abandon()
		s.file.pasting = nil
	}
}

// awaits reports whether the scene has no runs until the page supplies a file.
func (s *Session) awaits() bool {
	if _, static := scene.AsStatic(s.scene); static {
		return false
	}
	of, ok := scene.AsSupplied(s.scene)
	return ok && of.Needs() != ""
}

// await keeps a job until the page has supplied the file that the runs need.
func (s *Session) await(j job) {
	to := waiting{job: j}
	if s.file.waiting != nil {
		to.selected = s.file.waiting.selected
	}
	s.file.waiting = &to
}

// callSupply reads, from the page, the next part of the file that the scene needs. It does not change the visitor's
// settings.
func callSupply(s *Session, a *arguments) (any, error) {
	g, ok := scene.AsSupplied(s.scene)
	if !ok || g.Needs() == "" {
		return nil, fmt.Errorf("the scene %s is not waiting for a file", s.about.ID)
	}
	if a.ID != g.Needs() {
		return nil, fmt.Errorf("the scene is waiting for %s, not for %s", g.Needs(), scene.Quote(a.ID))
	}
	p, err := s.readPart("supply", g.Form(), a)
	if err != nil || p == nil {
		return nil, err
	}
	begins := s.awaits()
	if err := g.Supply(p); err != nil {
		return nil, err
	}
	if begins {
		to := s.file.waiting
		s.file.waiting = nil
		if err := s.restart(s.timeline().Log()); err != nil {
			return nil, err
		}
		if to != nil {
			scene.SelectRun(s.scene, to.selected)
			s.schedule(to.job)
		}
	}
	s.changed()
	return nil, nil
}

// take passes data to the scene and records the parameter values that come from them.
func (s *Session) take(g scene.DataTaker, p *data.Pasted) error {
	if err := g.Paste(p); err != nil {
		return err
	}
	clear(s.file.brought)
	for _, name := range s.about.Brought {
		s.file.brought[name] = g.Params().Text(name)
	}
	return nil
}

// receive shows data from a sender and restarts the runs. If a link waited for these data, the runs are replayed to the
// link's iteration.
func (s *Session) receive(g scene.DataTaker, p *data.Pasted, from string) error {
	var linked []link.Value // values of a link that waited for the data
	waiting := s.file.waiting
	if s.file.waiting = nil; p.SHA256 != s.file.wanted {
		waiting = nil
	}
	if waiting != nil {
		linked = s.Settings().Values
	}
	if err := s.take(g, p); err != nil {
		return err
	}
	for _, v := range linked {
		if err := g.Params().Assign(v.Name, v.Text); err != nil {
			return err
		}
	}
	s.file.pasted, s.file.sender, s.file.wanted = p, from, p.SHA256
	if _, static := scene.AsStatic(s.scene); static {
		if err := g.Displayed(); err != nil {
			return err
		}
		s.changed()
		return nil
	}
	s.play(false)
	s.fit()
	log := s.timeline().Log()
	if waiting == nil {
		s.forget()
		log = nil
	}
	if err := s.restart(log); err != nil {
		return err
	}
	if waiting != nil {
		scene.SelectRun(s.scene, waiting.selected)
		s.schedule(waiting.job)
	}
	s.changed()
	return nil
}

// grow shows a longer version of the visitor's file. This is not a change by the visitor, so undo does not return to the shorter
// file.
func (s *Session) grow(p *data.Pasted, from string) error {
	show := s.scene.Extras().Grow
	if show == nil {
		return fmt.Errorf("the scene %s cannot show a growing file", s.about.ID)
	}
	if err := show(p); err != nil {
		return err
	}
	if before := s.file.pasted; before != nil {
		for i := range s.history.moments {
			if m := &s.history.moments[i]; m.pasted == before && m.settings.Data == before.SHA256 {
				m.pasted, m.settings.Data = p, p.SHA256
			}
		}
	}
	s.file.pasted, s.file.sender, s.file.wanted, s.file.waiting = p, from, p.SHA256, nil
	s.changed()
	return nil
}

// leave resets parameters that data had set, once the scene no longer shows the data.
func (s *Session) leave() error {
	g, ok := scene.AsDataTaker(s.scene)
	if !ok || g.ShowsPasted() {
		return nil
	}
	params := s.scene.Params()
	for name, text := range s.file.brought {
		if params.Text(name) != text {
			continue
		}
		if err := params.Reset(name); err != nil {
			return err
		}
	}
	clear(s.file.brought)
	return nil
}

// readData reads a file and shows it like a pasted one. values lists the values that were set before. A value that
// contradicts the data is an error.
func (s *Session) readData(r io.Reader, choice data.Choice, values []link.Value) error {
	g, ok := scene.AsDataTaker(s.scene)
	if !ok {
		var guests []string
		for _, a := range s.scenes {
			if a.Takes != nil {
				guests = append(guests, a.ID)
			}
		}
		return fmt.Errorf("the scene %s takes no data; scenes that do: %s", s.about.ID, strings.Join(guests, " "))
	}
	p, err := data.ReadChoice(r, s.about.Takes, choice)
	if err != nil {
		return err
	}
	params := s.scene.Params()
	before := make([]string, len(values))
	for i, v := range values {
		before[i] = params.Text(v.Name)
	}
	if err := s.take(g, p); err != nil {
		return err
	}
	for i, v := range values {
		if now := params.Text(v.Name); now != before[i] {
			advice := "leave it out"
			if now != "" {
				advice += ", or set it to " + link.Shortened(now)
			}
			return fmt.Errorf("%s = %s contradicts the data; %s", v.Name, link.Shortened(before[i]), advice)
		}
		if err := s.idle(p, values, i); err != nil {
			return err
		}
	}
	if err := params.Check(); err != nil {
		return err
	}
	return s.receive(g, p, "")
}

// idle returns an error if the data leave value i without effect. It returns nil if the data give the parameter the same value.
func (s *Session) idle(p *data.Pasted, values []link.Value, i int) error {
	params, name := s.scene.Params(), values[i].Name
	d, _ := params.Lookup(name)
	if params.Useful(name) {
		return nil
	}
	without, _ := scene.AsDataTaker(s.about.New())
	asks := without.Params().Text(d.Only.Name)
	for j, v := range values {
		if j == i {
			continue
		}
		if err := without.Params().Assign(v.Name, v.Text); err != nil {
			return err
		}
	}
	if err := without.Paste(p); err != nil {
		return err
	}
	now := params.Text(d.Only.Name)
	if now == asks || without.Params().Text(name) == params.Text(name) {
		return nil
	}
	return fmt.Errorf("%s = %s has no effect with these data, which set %s to %s; leave out one of the two",
		name, link.Shortened(params.Text(name)), d.Only.Name, now)
}
