// Package files writes a scene's contents as files: runs, logs, programs, pictures, clips and films.
package files

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

// Running returns the methods of the scene's runs, each once.
func (s Source) Running() (methods []string) {
	for _, r := range s.Scene.Timeline().Runs() {
		if !slices.Contains(methods, r.Method) {
			methods = append(methods, r.Method)
		}
	}
	return methods
}

// Source is a scene, with its runs and marker, that provides the contents of files.
type Source struct {
	Scenes   scene.List // all available scenes
	About    scene.About
	Scene    scene.Scene
	Base     map[string]string    // values at k = 0 of the live parameters in the log, as texts
	Panels   func() []axes.Panel  // returns the scene's panels with their pins
	Front    string               // ID of the front panel
	Settings func() link.Settings // returns the settings that a link to the scene would contain
	Page     string               // the page's address, which links start with
	Theme    *brush.Theme
	OwnData  bool // whether the runs use a visitor's file
}

// File is a file to export, with its name and type.
type File struct {
	Name string `json:"name"` // suggested name
	Type string `json:"type"` // MIME type
	Data []byte `json:"-"`    // contents, except for the pieces that Taking.Piece received
}

// PieceSize is the approximate size, in bytes, of a piece for Taking.Piece. Writing a piece takes some milliseconds.
const PieceSize = 1 << 16

// exportWidth and exportHeight are the size of a picture of one panel, in CSS pixels. A picture of all panels is
// twice as wide and twice as high.
const (
	exportWidth  = 640
	exportHeight = 440
)

// Taking selects the part of a scene to write, and its format.
type Taking struct {
	Panel  string          // ID of the panel to draw; "" means all panels, or the front panel in a clip
	Width  axes.PrintWidth // width of svg, png and pdf when printed; 0 for the screen
	Method string          // method for go and python; "" means the selected run's method
	// Piece receives csv and json in pieces, because files of long runs take hundreds of megabytes. A piece is valid only
	// during the call. If Piece is nil, File.Data holds the whole file.
	Piece func(piece []byte)
}

// pieces adapts Taking.Piece to io.Writer.
type pieces func(piece []byte)

func (p pieces) Write(piece []byte) (int, error) {
	p(piece)
	return len(piece), nil
}

// Name returns the start of file names: the scene and, if the scene has runs, the iteration.
func (s Source) Name() string {
	if _, static := scene.AsStatic(s.Scene); static {
		return s.About.ID
	}
	return fmt.Sprintf("%s-k%d", s.About.ID, s.Scene.Timeline().Marker())
}

// Take returns a file of the given kind for the scene at the marker. png (two dots per CSS pixel), svg and pdf contain
// panels, and gif is a clip of one panel. csv and json contain the runs. go and python are programs that repeat a
// method's runs.
func (s Source) Take(kind string, how Taking) (File, error) {
	id, name := how.Panel, s.Name()
	if id != "" {
		name += "-" + id
	}
	switch kind {
	case "csv":
		return s.table(name+".csv", "text/csv", how, s.WriteCSV)
	case "json":
		return s.table(name+".json", "application/json", how, s.WriteJSON)
	case "go", "python":
		return s.Program(kind, how.Method)
	case "gif":
		return s.gif(id)
	case "png", "svg", "pdf":
	default:
		return File{}, fmt.Errorf("unknown file kind %s; available: png svg pdf gif csv json go python log", scene.Quote(kind))
	}
	figure, err := s.figure(id, how.Width)
	if err != nil {
		return File{}, err
	}
	return pictureFile(name, kind, figure)
}

// table returns a file with all iterations of the runs.
func (s Source) table(name, mime string, how Taking, write func(w io.Writer, every int) error) (File, error) {
	var whole bytes.Buffer
	var to io.Writer = &whole
	if how.Piece != nil {
		to = pieces(how.Piece)
	}
	b := bufio.NewWriterSize(to, PieceSize)
	err := write(b, 1)
	if err == nil {
		err = b.Flush()
	}
	return File{name, mime, whole.Bytes()}, err
}

// pictureFile returns a png, svg or pdf file with a picture. name is the file's name without extension.
func pictureFile(name, kind string, figure *axes.Figure) (File, error) {
	var b bytes.Buffer
	mime, err := "image/png", error(nil)
	switch kind {
	case "svg":
		mime, err = "image/svg+xml", figure.WriteSVG(&b)
	case "pdf":
		mime, err = "application/pdf", figure.WritePDF(&b)
	default:
		err = figure.WritePNG(&b)
	}
	return File{name + "." + kind, mime, b.Bytes()}, err
}

// figure returns the picture of the panel with the given ID, or of all panels for "".
func (s Source) figure(id string, width axes.PrintWidth) (*axes.Figure, error) {
	panels, size := s.Panels(), vg.Point{X: 2 * exportWidth, Y: 2 * exportHeight}
	if id != "" {
		size = vg.Point{X: exportWidth, Y: exportHeight}
		chosen := panels[:0:0]
		for _, p := range panels {
			if p.ID() == id {
				chosen = append(chosen, p)
			}
		}
		if len(chosen) == 0 {
			return nil, scene.NoPanel(s.Scene, s.About.ID, id)
		}
		panels = chosen
	}
	f := &axes.Figure{Width: size.X, Height: size.Y, Theme: s.Theme, Placed: axes.Arrange(size.X, size.Y, panels, id)}
	if width != 0 { // printed pictures use the light theme, because paper is white
		f = axes.Printed(width, brush.Light, panels)
	}
	f.Legend = func(t *brush.Theme) []axes.Entry { return kinds.MethodEntries(t, s.About.Methods, s.Scene.Timeline()) }
	f.About = s.aboutPicture(panels, id)
	return f, nil
}

// HeightOnPaper returns the printed height of the picture of all panels, in millimetres, and the panels' IDs.
func (s Source) HeightOnPaper(width axes.PrintWidth) (height float64, ids []string, err error) {
	f, err := s.figure("", width)
	if err != nil {
		return 0, nil, err
	}
	for _, p := range s.Panels() {
		ids = append(ids, p.ID())
	}
	return f.HeightOnPaper(), ids, nil
}

// aboutPicture returns the description of a picture's origin.
func (s Source) aboutPicture(panels []axes.Panel, id string) axes.About {
	about := axes.About{Title: s.About.Title}
	if id != "" {
		about.Title += " – " + brush.Plain(panels[0].Title())
	}
	now := s.Settings()
	parts := []string{"scene=" + now.Scene}
	if now.Card != "" {
		parts = append(parts, "card="+now.Card)
	}
	for _, v := range now.Values {
		parts = append(parts, v.Name+"="+v.Text)
	}
	for _, c := range now.Log {
		parts = append(parts, fmt.Sprintf("%s=%s from k=%d", c.Name, c.Text, c.K))
	}
	if now.Latest > 0 {
		parts = append(parts, fmt.Sprintf("k=%d", now.Marker))
	}
	about.Settings, about.Link = strings.Join(parts, " "), s.Page+"#"+now.Hash()
	return about
}
