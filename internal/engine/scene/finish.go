package scene

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/timeline"
)

// Finish advances a scene until all its runs have ended and its other computation is complete.
func Finish(s Scene) error {
	for t := s.Timeline(); t.Running(); {
		if _, err := t.Step(); err != nil {
			return err
		}
	}
	for {
		pending, err := s.Work(func() bool { return true })
		if err != nil || !pending {
			return err
		}
	}
}

// Front returns the first of the given IDs that belongs to a panel of the scene. If there is none, it returns the first
// panel's ID, or "" if the scene has no panels.
func Front(s Scene, ids ...string) string {
	panels := s.Panels()
	for _, id := range ids {
		if slices.ContainsFunc(panels, func(p axes.Panel) bool { return p.ID() == id }) {
			return id
		}
	}
	if len(panels) == 0 {
		return ""
	}
	return panels[0].ID()
}

// Beside returns the IDs of the panels to show small beside the one in front, at most axes.FewPanels. Panels with the card's
// references come first, then the scene's hero, the panels in its Beside, and the other panels.
func Beside(s Scene, a About, card Preset, front string) []string {
	var wanted []string
	for _, r := range card.References {
		wanted = append(wanted, r.Panel)
	}
	wanted = append(append(wanted, a.Hero), a.Beside...)
	panels := s.Panels()
	for _, p := range panels {
		wanted = append(wanted, p.ID())
	}
	var ids []string
	for _, id := range wanted {
		if id != front && len(ids) < axes.FewPanels && !slices.Contains(ids, id) &&
			slices.ContainsFunc(panels, func(p axes.Panel) bool { return p.ID() == id }) {
			ids = append(ids, id)
		}
	}
	return ids
}

// OpenPlainly sets the values of About.Opens, which apply when a scene opens by its name alone.
func OpenPlainly(s Scene, a About) error {
	for _, name := range slices.Sorted(maps.Keys(a.Opens)) {
		if err := s.Params().Assign(name, a.Opens[name]); err != nil {
			return err
		}
	}
	return s.Displayed()
}

// NoPanel returns the error for a panel that the named scene does not have at present.
func NoPanel(s Scene, name, id string) error {
	var names []string
	for _, p := range s.Panels() {
		names = append(names, p.ID())
	}
	return fmt.Errorf("unknown panel %s of the scene %s; available: %s", Quote(id), name, strings.Join(names, " "))
}

// Preset returns the preset with the given ID.
func (a About) Preset(id string) (Preset, bool) {
	if i := slices.IndexFunc(a.Presets, func(p Preset) bool { return p.ID == id }); i >= 0 {
		return a.Presets[i], true
	}
	return Preset{}, false
}

// PreferredRun returns the run to show in detail by default.
func PreferredRun(s Scene) timeline.Track {
	t := s.Timeline()
	if track := t.Find(s.Extras().Preferred); track.Run != nil {
		return track
	}
	return t.Tracks()[0]
}

// SelectRun selects the named run, or the preferred one if the name is "" or unknown.
func SelectRun(s Scene, name string) {
	t := s.Timeline()
	if t.Find(name).Run == nil && len(t.Tracks()) > 0 {
		name = PreferredRun(s).Name()
	}
	t.Select(name)
}

// UnknownRun returns the error for a name that no run of the timeline has.
func UnknownRun(t *timeline.Timeline, name string) error {
	const most = 20 // maximum number of names in the message
	var names []string
	for _, track := range t.Tracks() {
		names = append(names, track.Name())
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("unknown run %s; available: %s", Quote(name), strings.Join(names, " "))
}
