package site

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"

	"paretoplay/internal/engine/scene"
)

// embedName is a page for embedding in other sites. It shows a picture of a scene and loads the scene when the visitor
// clicks the picture.
const embedName = "embed.html"

//go:embed embed.html
var embedText string

var embedPage = template.Must(template.New(embedName).Parse(embedText))

// pictured holds what the embedding page needs to know about a scene.
type pictured struct {
	ID       string            `json:"id"`
	Title    string            `json:"title"`
	Question string            `json:"question"`
	Cards    map[string]string `json:"cards"` // titles of the scene's experiments by ID; each experiment has a picture too
}

// embedHTML returns the page for the given scenes.
func embedHTML(list scene.List) ([]byte, error) {
	var all []pictured
	for _, about := range list {
		p := pictured{about.ID, about.Title, about.Question, map[string]string{}}
		for _, card := range about.Presets {
			p.Cards[card.ID] = card.Title
		}
		all = append(all, p)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = embedPage.Execute(&b, template.JS(text)) // safe: JSON with < escaped
	return b.Bytes(), err
}
