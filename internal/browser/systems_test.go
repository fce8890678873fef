package browser

import (
	"html/template"
	"os"
	"path/filepath"
	"testing"

	"paretoplay/internal/browser/chrome"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/files"
	"paretoplay/scenes"
)

// systems lists the five papers' systems as in README's first picture: each has a name, a scene, one of the scene's
// cards or "" for the scene itself, and a true line about the picture.
var systems = []struct{ Name, Scene, Card, Line string }{
	{"PSMGD", "fonseca", "period", "Keeps weights for four steps: the same front as MGDA (diamonds) for five eighths of the cost."},
	{"FORUM", "bilevel", "", "Works on two levels at once by gradients alone, and ends at the bottom of the lower one’s valley (black)."},
	{"MosT", "clusters", "each", "Carries thirty goals to five solutions: each comes to a cluster of its own."},
	{"JoGBa", "ordering", "matter", "Orders samples so that gradients balance, and ends nearer the front than random orders do (on top)."},
	{"Block-SMOO", "blocks", "", "Moves one block for one goal at a time (stairs); the weighted sum moves all at once (orange)."},
}

// systemsPage shows the systems' pictures in two rows, at README's width.
var systemsPage = template.Must(template.New("systems").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><style>
body { margin: 0; padding: 14px; background: #fff; color: #1b1b1b; font: 14px/1.35 system-ui, sans-serif; width: 802px; }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px 14px; }
img { display: block; width: 100%; }
h2 { font-size: 17px; margin: 6px 0 1px; } p { margin: 0; }
section.all { align-self: center; padding: 0 8px; } .all p { font-size: 17px; line-height: 1.4; }
</style></head><body><main>
{{range .}}<section><img src="{{.Scene}}.png" alt=""><h2>{{.Name}}</h2><p>{{.Line}}</p></section>
{{end}}<section class="all"><p>Five papers’ systems, drawn by one program:
live in the page, from the command line, and as a Go library.</p></section>
</main></body></html>
`))

// pictureOfSystems takes README's first picture.
func pictureOfSystems(t *testing.T) {
	folder := t.TempDir()
	for _, s := range systems {
		files, err := files.Thumbnails(scenes.All, s.Scene, s.Card, []*brush.Theme{brush.Light}, 320, 200, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, s.Scene+".png"), files[0], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	index, err := os.Create(filepath.Join(folder, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if err := systemsPage.Execute(index, systems); err != nil {
		t.Fatal(err)
	}
	if err := index.Close(); err != nil {
		t.Fatal(err)
	}
	p := open(t, hostFolder(t, folder, false).address, with(chrome.Resize(chrome.Screen{Width: 830, Height: 600, Dots: 2})))
	var height int64
	p.js(&height, `async () => { for (const i of document.images) await i.decode(); return document.body.offsetHeight; }`)
	p.run(chrome.Resize(chrome.Screen{Width: 830, Height: height, Dots: 2}))
	p.keep(filepath.Join(*pictures, "systems.png"))
}
