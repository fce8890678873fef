package traininglog

import (
	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/data"
)

// grown is the current version of the visitor's file, which is not displayed yet.
type grown struct {
	pasted   *data.Pasted
	analysis *runlog.Analysis
}

// change holds a sentence's previous text and the number of records that the file had when the text changed.
type change struct {
	was   string
	since int
}

// grow analyses the current version of the visitor's file. Pictures and sentences stay until the methods have been
// evaluated on all records. A marker at the last record moves to the new last record. When the first file arrives, a
// marker that the visitor has not moved yet moves to the file's last record.
func (s *Scene) grow(p *data.Pasted) error {
	analysis, err := s.analyse(p.Log())
	if err != nil {
		return err
	}
	held := s.values.Source == logData && s.pasted != nil
	if held && s.report != nil {
		s.next = &grown{p, analysis}
		return nil
	}
	follows := !held && s.values.Record == defaults().Record || held && s.values.Record >= s.pasted.Log().Records()
	if err := s.Paste(p); err != nil {
		return err
	}
	if follows {
		s.values.Record = p.Log().Records()
	}
	return s.Displayed()
}

// showGrown displays the grown file after its analysis.
func (s *Scene) showGrown() {
	before := s.report
	followed := s.values.Record >= s.log.Records()
	s.pasted, s.log, s.analysis = s.next.pasted, s.next.pasted.Log(), s.next.analysis
	s.asked.log, s.report, s.next = s.log, s.analysis.Report(), nil
	if followed {
		s.values.Record = s.log.Records()
	}
	if !runlog.SameRun(before, s.report) {
		s.changes = nil
		return
	}
	for _, c := range runlog.Changes(before.Verdict(), s.report.Verdict()) {
		if s.changes == nil {
			s.changes = map[string]change{}
		}
		s.changes[c.ID] = change{c.Was, s.report.Records}
	}
}
