package site

import (
	"bytes"
	"encoding/json"
	"fmt"

	"paretoplay/internal/engine/scene"
)

// arrivalMark is the place in index.html of what a visitor who comes for a scene sees first: with it the page
// needs no other file to put the scene's picture in its place, nor to ask for the program.
const arrivalMark = "<!-- arrival -->"

// arrival is the block of data at that mark.
type arrival struct {
	Scenes  []beginning `json:"scenes"`            // in the order of the catalogue
	Program *siteState  `json:"program,omitempty"` // nil while there is none
}

// beginning holds the words of a scene that decide where its picture stands.
type beginning struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Question string `json:"question"`
	Summary  string `json:"summary"`
	Try      string `json:"try"`
	Done     string `json:"done"`
	Next     string `json:"next"` // the title of its first experiment, "" for none
	Runs     bool   `json:"runs"` // there is something to play
}

// beginnings returns the words of the scenes.
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

// withArrival returns the page with the data at their mark; state says what there is of the program.
func withArrival(page []byte, list []beginning, state siteState) ([]byte, error) {
	if bytes.Count(page, []byte(arrivalMark)) != 1 {
		return nil, fmt.Errorf("index.html must have the mark %s once, where the data of arrivals go", arrivalMark)
	}
	data := arrival{Scenes: list}
	if state.Wasm != "" {
		data.Program = &siteState{Wasm: state.Wasm, WasmBytes: state.WasmBytes, WasmGzip: state.WasmGzip}
	}
	text, err := json.Marshal(data) // which escapes what would end the element
	if err != nil {
		return nil, err
	}
	block := fmt.Appendf(nil, `<script id="arrival" type="application/json">%s</script>`, text)
	return bytes.Replace(page, []byte(arrivalMark), block, 1), nil
}
