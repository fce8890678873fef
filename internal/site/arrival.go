package site

import (
	"bytes"
	"encoding/json"
	"fmt"

	"paretoplay/internal/engine/scene"
)

// arrivalMark is the place in index.html for the data that a visitor who opens a scene's link needs first. With it the page can place
// the scene's picture and request the program without any other file.
const arrivalMark = "<!-- arrival -->"

// arrival is the data at arrivalMark.
type arrival struct {
	Scenes  []beginning `json:"scenes"`            // in the order of the catalogue
	Program *siteState  `json:"program,omitempty"` // nil if it is not built yet
}

// beginning holds those texts of a scene that decide where its picture is placed.
type beginning struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Question string `json:"question"`
	Summary  string `json:"summary"`
	Try      string `json:"try"`
	Done     string `json:"done"`
	Next     string `json:"next"` // title of its first experiment; "" if it has none
	Runs     bool   `json:"runs"` // has runs to play
}

// beginnings returns these texts for all scenes.
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
		return nil, fmt.Errorf("index.html must have the mark %s once, where the data of arrivals go", arrivalMark)
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
