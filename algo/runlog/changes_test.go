package runlog

import "testing"

// TestChanges checks that a sentence counts as changed if its words change, but not if only its numbers do.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		before, now string
		changed     bool
	}{
		{"Conflict: 44 % of all pairs, under 1 % averaged.", "Conflict: 5 % of all pairs, 0 % averaged.", false},
		{"harm under .001; over 99 %", "harm .003; 12 %", false},
		{"length 1.2e-05 at the first record and 3 at the last", "length 1.31 at the first record and 2.5e+03 at the last", false},
		{"length 1.2e−5 at the first record and 3 at the last", "length 1.31 at the first record and 50,000 at the last", false},
		{"The conflict remains, mostly between 1 and 2 (31 %).", "The conflict remains, mostly between 1 and 2 (35 %).", false},
		{"The conflict remains, mostly between 1 and 2 (31 %).", "The conflict remains, mostly between 1 and 3 (31 %).", true},
		{"The conflict remains, mostly between “task 1” and “task 2” (31 %).",
			"The conflict remains, mostly between “task 1” and “task 3” (31 %).", true},
		{"By harm: R = 4 (1.25 backpropagations a step for 8).", "By harm: R = 4 (1.5 backpropagations a step for 8).", false},
		{"By harm: R = 4 (1.25 backpropagations a step for 8).", "By harm: R = 16 (1.5 backpropagations a step for 8).", true},
		{"By harm: not even two records.", "By harm: R = 16 (1.5 backpropagations a step for 8).", true},
		{"Their harm is .105. The harm of new weights is 0. Records", "Their harm is 0. The harm of new weights is 2.5. Records", false},
		{"In 4 % of the records. There is nothing to improve.", "In 6 % of the records. There is something to improve.", true},
	} {
		changes := Changes([]Sentence{{ID: SentenceEnd, Text: "The end."}, {ID: SentencePairs, Text: c.before}},
			[]Sentence{{ID: SentencePairs, Text: c.now}, {ID: SentenceEnd, Text: "The end."}})
		if (len(changes) == 1) != c.changed || c.changed && (changes[0].Was != c.before || changes[0].Text != c.now) {
			t.Errorf("%q to %q: %v", c.before, c.now, changes)
		}
	}
	if all := Changes(nil, []Sentence{{ID: SentenceEnd, Text: "The end."}}); len(all) != 1 || all[0].Was != "" {
		t.Errorf("after no verdict: %v", all)
	}
}

// TestSameRun checks that a report may be about the same run if the number of records has not fallen.
func TestSameRun(t *testing.T) {
	before := &Report{Names: []string{"a", "b"}, Records: 5}
	for _, c := range []struct {
		now  Report
		same bool
	}{
		{Report{Names: []string{"a", "b"}, Records: 5}, true}, {Report{Names: []string{"a", "b"}, Records: 9}, true},
		{Report{Names: []string{"a", "b"}, Records: 4}, false}, {Report{Names: []string{"a", "c"}, Records: 9}, false},
	} {
		if SameRun(before, &c.now) != c.same {
			t.Errorf("%v with %d records is the same run: %t", c.now.Names, c.now.Records, !c.same)
		}
	}
}
