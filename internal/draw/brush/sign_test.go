package brush

import "testing"

func TestSignsAreToldApart(t *testing.T) {
	seen := map[string]string{}
	for _, m := range methods {
		s := SignOf(m.name)
		if s.Outline == "" || len(s.Light) != 7 || len(s.Dark) != 7 {
			t.Errorf("%s: sign %+v is incomplete", m.name, s)
		}
		form := s.Outline
		if s.Filled {
			form += " filled"
		}
		if other, taken := seen[s.Light+form]; taken {
			t.Errorf("%s and %s have the same hue and marker", m.name, other)
		}
		seen[s.Light+form] = m.name
	}
	if got, want := SignOf("mgda").Outline, "M0 -1.25L-1.25 0L0 1.25L1.25 0Z"; got != want {
		t.Errorf("diamond is %q, want %q", got, want)
	}
}
