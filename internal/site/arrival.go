package site

import (
	"bytes"
	"encoding/json"
	"fmt"

	"paretoplay/internal/engine/scene"
)

// arrivalMark marks the place in index.html for the data that a visitor with a scene's link needs first. With these
// data, the page can place the scene's picture and request the program without loading another file.
const arrivalMark = "<!-- arrival -->"

// arrival holds the data at arrivalMark.
type arrival struct {
	Scenes  []beginning `json:"scenes"`            // in the order of the catalogue
	Program *siteState  `json:"program,omitempty"` // nil until the program is built
}

// beginning holds the texts of a scene that decide where its picture is placed.
type beginning struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Question string `json:"question"`
	Summary  string `json:"summary"`
	Try      string `json:"try"`
	Done     string `json:"done"`
	Next     string `json:"next"` // title of its first experiment; "" if it has none
	Runs     bool   `json:"runs"` // whether the scene has runs to play
}

// beginnings returns the beginning of every scene.
func beginnings(list scene.List) []beginning {
	all := make([]beginning, len(list))
	for i, about := range list {
		_, static := scene.AsStatic(about.New())
		all[i] = beginning{ID: about.ID, Title: about.Title, Question: about.Question, Summary: about.Summary, Try: about.Try, Done: about.Done,
			Runs: !static}
		if len(about.Presets) > 0 {
			all[i].Next = about.Presets[0].Title
		}
	}
	return all
}

// withArrival returns the page with the arrival data inserted. state describes the program.
func withArrival(page []byte, list []beginning, state siteState) ([]byte, error) {
	if bytes.Count(page, []byte(arrivalMark)) != 1 {
		return nil, fmt.Errorf("index.html must contain the mark %s once, as the place of the arrival data", arrivalMark)
	}
	data := arrival{Scenes: list}
	if state.Wasm != "" {
		data.Program = &siteState{Wasm: state.Wasm, WasmBytes: state.WasmBytes, WasmGzip: state.WasmGzip}
	}
	text, err := json.Marshal(data) // escapes "<", so the text cannot end the element
	if err != nil {
		return nil, err
	}
	block := fmt.Appendf(nil, `<script id="arrival" type="application/json">%s</script>`, text)
	return bytes.Replace(page, []byte(arrivalMark), block, 1), nil
}
