package axes

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/brush"
)

// sampleFigure returns a figure with Greek letters, subscripts and minus signs.
func sampleFigure() *Figure {
	return &Figure{Width: 800, Height: 300, Theme: brush.Light, Placed: Arrange(800, 300, samplePanels(brush.Light, 2, 50), ""),
		About: About{Title: "Weights λ: <a & b>", Settings: "scene=fonseca R=4", Link: "index.html#v=1&scene=fonseca&R=4"}}
}

// labelled returns a plane with Greek labels, subscripts, and negative numbers on the axes.
func labelled() *Plane {
	return &Plane{Name: "labelled", Heading: "Share of λ_{12}", Axes: func() (Axis, Axis) {
		return Axis{Label: "f₁ − μ", Min: -1, Max: 1}, Axis{Label: "ω", Min: -0.5, Max: 0.5}
	}}
}

func TestFigureSVG(t *testing.T) {
	f := sampleFigure()
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`width="800px"`, `viewBox="0 0 800 `, ">d\u00a0=\u00a0λ</text>", "sans-serif", "Gradients at the marker</text>",
		"<title>Weights λ: &lt;a &amp; b&gt;</title>", ">scene=fonseca R=4</text>", ">index.html#v=1&amp;scene=fonseca&amp;R=4</text>",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	var read struct {
		Title string `xml:"title"`
		Desc  string `xml:"desc"`
	}
	if err := xml.Unmarshal(b.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if read.Title != f.About.Title || read.Desc != f.About.Settings+"\n"+f.About.Link {
		t.Errorf("read %+v", read)
	}
	if err := (&Figure{Height: 300, Theme: brush.Light}).WriteSVG(io.Discard); err == nil {
		t.Error("no error for an empty picture")
	}
}

func TestCaptionFits(t *testing.T) {
	f := &Figure{Width: 331, Height: 200, Theme: brush.Light, About: About{Title: "Title", Settings: strings.Repeat("name=0.123456 ", 200),
		Link: strings.Repeat("x", 60000)}}
	lines := f.caption()
	if len(lines) != 1+captionLines+1 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if w := captionFace().Width(line); w > f.Width {
			t.Errorf("%q is %v wide", line, w)
		}
	}
	for _, last := range lines[captionLines:] {
		if !strings.HasSuffix(last, "…") {
			t.Errorf("%q does not say that it was cut", last)
		}
	}
}

// chunks verifies the checksums of a PNG file's chunks and returns the chunks as pairs of kind and data.
func chunks(t *testing.T, data []byte) (out [][2]string) {
	t.Helper()
	for data = data[8:]; len(data) > 0; {
		n := int(binary.BigEndian.Uint32(data))
		if crc32.ChecksumIEEE(data[4:8+n]) != binary.BigEndian.Uint32(data[8+n:]) {
			t.Fatalf("wrong sum of %q", data[4:8])
		}
		out = append(out, [2]string{string(data[4:8]), string(data[8 : 8+n])})
		data = data[12+n:]
	}
	return out
}

func TestFigurePNG(t *testing.T) {
	f := sampleFigure()
	var b bytes.Buffer
	if err := f.WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, c := range chunks(t, b.Bytes()) {
		found[c[1]] = c[0] == "iTXt"
	}
	for keyword, text := range map[string]string{"Title": f.About.Title, "Description": f.About.Settings, "Source": f.About.Link} {
		if !found[keyword+"\x00\x00\x00\x00\x00"+text] {
			t.Errorf("no chunk with the %s", keyword)
		}
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != 1600 || size.Y != 600 {
		t.Errorf("size %v", size)
	}
	if r, g, b, _ := img.At(0, 0).RGBA(); r&g&b != 0xffff {
		t.Errorf("the ground is %v", img.At(0, 0))
	}
}

// inflated returns a PDF file with its streams decompressed.
func inflated(t *testing.T, file []byte) string {
	t.Helper()
	var out bytes.Buffer
	for {
		before, after, found := bytes.Cut(file, []byte("\nstream\n"))
		out.Write(before)
		if !found {
			return out.String()
		}
		data, rest, _ := bytes.Cut(after, []byte("\nendstream"))
		if r, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
			plain, err := io.ReadAll(r)
			if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) { // the data contain "\nendstream"
				t.Fatal(err)
			}
			data = plain
		}
		out.Write(data)
		file = rest
	}
}

// pdfTexts returns the pieces of text in a PDF file. Their codes are UTF-16, according to the file's ToUnicode table.
func pdfTexts(t *testing.T, file []byte) (out []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?s) Td \((.*?)\) Tj`).FindAllStringSubmatch(inflated(t, file), -1) {
		text := strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r").Replace(m[1])
		var units []uint16
		for i := 0; i+1 < len(text); i += 2 {
			units = append(units, uint16(text[i])<<8|uint16(text[i+1]))
		}
		out = append(out, string(utf16.Decode(units)))
	}
	return out
}

// checkFonts checks that each font's name is in three objects of a PDF file, and that the file's table points to every
// object.
func checkFonts(t *testing.T, file []byte) {
	t.Helper()
	tags := map[string]string{}
	for _, name := range []string{"LiberationSans", "LiberationSans-Bold"} {
		found := regexp.MustCompile(`/(BaseFont|FontName) /([A-Z]{6})\+`+name+`[ \n]`).FindAllSubmatch(file, -1)
		if len(found) != 3 {
			t.Errorf("%d objects name %s", len(found), name)
		}
		for _, m := range found {
			if tag := string(m[2]); tags[tag] == "" || tags[tag] == name {
				tags[tag] = name
			} else {
				t.Errorf("%s and %s have one tag", name, tags[tag])
			}
		}
	}
	if len(tags) != 2 || bytes.Contains(file, []byte("utf8")) {
		t.Errorf("tags %v", tags)
	}
	at := bytes.LastIndex(file, []byte("\nxref\n")) + 1
	if want := fmt.Sprintf("startxref\n%d\n%%%%EOF", at); at == 0 || !bytes.Contains(file, []byte(want)) {
		t.Errorf("the table of objects is at %d, no %q", at, want)
	}
	for i, m := range regexp.MustCompile(`(?m)^(\d{10}) 00000 n`).FindAllSubmatch(file[at:], -1) {
		offset, err := strconv.Atoi(string(m[1]))
		if err != nil || !bytes.HasPrefix(file[offset:], fmt.Appendf(nil, "%d 0 obj\n", i+1)) {
			t.Errorf("object %d is not at %s, %v", i+1, m[1], err)
		}
	}
}

func TestFigurePDF(t *testing.T) {
	f := sampleFigure()
	f.Placed = Arrange(800, 300, append(samplePanels(brush.Light, 2, 50), labelled()), "")
	var b, again bytes.Buffer
	if err := errors.Join(f.WritePDF(&b), f.WritePDF(&again)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two files of one picture differ")
	}
	whole := inflated(t, b.Bytes())
	for what, want := range map[string]string{
		"embedded fonts":   "/FontFile2 ",
		"codes' meaning":   "/ToUnicode ",
		"codes as Unicode": "<0000> <FFFF> <0000>",
	} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %s", what)
		}
	}
	checkFonts(t, b.Bytes())
	if strings.Contains(whole, "/Group") {
		t.Error("the page has a group, which makes pdfTeX warn about a second one")
	}
	shown := strings.Join(pdfTexts(t, b.Bytes()), "")
	for _, want := range []string{"Share of λ12", "f1 − μ", "ω", "−0.5", "Gradients at the marker", "d = λ"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q cannot be searched in %q", want, shown)
		}
	}
	for key, text := range map[string]string{"Title": f.About.Title, "Subject": f.About.Settings, "Keywords": f.About.Link} {
		want := "/" + key + " (\xfe\xff"
		for _, u := range utf16.Encode([]rune(text)) {
			want += strings.NewReplacer(`(`, `\(`, `)`, `\)`, `\`, `\\`).Replace(string([]byte{byte(u >> 8), byte(u)}))
		}
		if !strings.Contains(whole, want+")") {
			t.Errorf("the %s is not %q", key, text)
		}
	}
	if err := (&Figure{Width: 400, Height: -1, Theme: brush.Light}).WritePDF(io.Discard); err == nil {
		t.Error("no error for an empty picture")
	}
}

// coloured is a canvas that records the colours set on it.
type coloured struct {
	vg.Canvas
	set map[color.NRGBA]bool
}

func (c coloured) SetColor(col color.Color) {
	n := color.NRGBAModel.Convert(col).(color.NRGBA)
	n.A = 0xff
	c.set[n] = true
	c.Canvas.SetColor(col)
}

// TestPrintHasNoHandles checks that print omits a grip and the time marker, both of which have the accent's hue.
func TestPrintHasNoHandles(t *testing.T) {
	p := labelled()
	p.Grips = func() []Grip { return []Grip{{ID: "start", Label: "start"}} }
	marked := labelled()
	marked.Sheets = func() []Sheet { return []Sheet{{Draw: func(b *brush.Brush) { b.TimeMarker(0) }}} }
	for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
		for _, drawn := range []*brush.Theme{theme, theme.Printed()} {
			for what, panels := range map[string][]Panel{"handle": {p}, "time marker": {marked}} {
				c := coloured{&recorder.Canvas{}, map[color.NRGBA]bool{}}
				Draw(draw.NewCanvas(c, 400, 300), Arrange(400, 300, panels, ""), drawn, false)
				if got := c.set[drawn.Accent]; got == drawn.Print {
					t.Errorf("%s: the %s is drawn: %v", drawn.Name, what, got)
				}
			}
		}
	}
	if p := brush.Light.Printed().Paper; p != (color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}) {
		t.Errorf("light pictures are printed on %v", p)
	}
}

func TestLegendOfOnePanel(t *testing.T) {
	p := labelled()
	f := &Figure{Width: 400, Height: 300, Theme: brush.Light, Placed: []Placed{{Panel: p, Rect: vg.Rectangle{Max: vg.Point{X: 400, Y: 300}}}}}
	f.Legend = func(t *brush.Theme) []Entry {
		return []Entry{EntryOf(t.Look("mgda"), "MGDA"), EntryOf(t.Look("pcgrad"), "PCGrad")}
	}
	p.Legend = func(t *brush.Theme) []Entry { return []Entry{EntryOf(t.Look("mgda"), "MGDA")} }
	if l := f.legend(); len(l) != 1 || l[0].Label != "PCGrad" {
		t.Errorf("legend %v", l)
	}
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{">MGDA</text>", ">PCGrad</text>"} {
		if n := strings.Count(b.String(), label); n != 1 {
			t.Errorf("%d times %s", n, label)
		}
	}
	f.Width = 60 // each entry gets its own row
	p.Legend = nil
	l := f.legend()
	if len(l) != 2 || !(l[0].at.Y > l[1].at.Y && l[1].at.Y > 0) {
		t.Errorf("legend in a narrow picture: %v", l)
	}
	if height, _ := f.sheet(0); height < f.Height+l[0].at.Y {
		t.Errorf("a height of %v for a legend up to %v", height, l[0].at.Y)
	}
}

func TestPrinted(t *testing.T) {
	for text, want := range map[string]PrintWidth{"85mm": OneColumn, "170mm": TwoColumns} {
		if got, err := ParsePrintWidth(text); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "85", "85 mm", "0mm", "-85mm", "NaNmm", "1e9mm", "85cm", "086mm"} {
		if got, err := ParsePrintWidth(bad); err == nil || !strings.Contains(err.Error(), "85mm 170mm") {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
	}
	for _, w := range []PrintWidth{OneColumn, TwoColumns} {
		for n := 1; n <= 7; n++ {
			panels := make([]Panel, n)
			for i := range panels {
				panels[i] = labelled()
			}
			f := Printed(w, brush.Light, panels)
			if mm := float64(f.Width) * f.Point / 72 * 25.4; math.Abs(mm-float64(w)) > 1e-9 {
				t.Errorf("%v: %v mm wide", w, mm)
			}
			if len(f.Placed) != n {
				t.Fatalf("%v: %d of %d panels", w, len(f.Placed), n)
			}
			for i, p := range f.Placed {
				if !(p.Rect.Min.X >= 0 && p.Rect.Min.Y >= 0 && p.Rect.Max.X <= f.Width && p.Rect.Max.Y <= f.Height) {
					t.Errorf("%v: panel %d of %d at %v", w, i, n, p.Rect)
				}
				for _, q := range f.Placed[:i] {
					if a, b := p.Rect, q.Rect; overlap(a.Min.X, a.Max.X, b.Min.X, b.Max.X) && overlap(a.Min.Y, a.Max.Y, b.Min.Y, b.Max.Y) {
						t.Errorf("%v: panel %d of %d covers another", w, i, n)
					}
				}
			}
		}
		f := Printed(w, brush.Light, []Panel{labelled()})
		var pdf, svg, bits bytes.Buffer
		if err := errors.Join(f.WritePDF(&pdf), f.WriteSVG(&svg), f.WritePNG(&bits)); err != nil {
			t.Fatal(err)
		}
		c := recorder.Canvas{}
		Draw(draw.NewCanvas(&c, f.Width, f.Height), f.Placed, brush.Light.Printed(), false)
		texts := 0
		for _, a := range c.Actions {
			if s, is := a.(*recorder.FillString); is {
				texts++
				if size := float64(s.Size) * f.Point; size < 8-1e-9 {
					t.Errorf("%v: %q has %v points", w, s.String, size)
				}
			}
		}
		if texts == 0 {
			t.Error("no text was drawn")
		}
		want := map[PrintWidth]string{OneColumn: `width="240.945pt"`, TwoColumns: `width="481.89pt"`}[w]
		if !strings.Contains(svg.String(), want) {
			t.Errorf("no %s in %.200s", want, svg.String())
		}
		if want := map[PrintWidth]string{OneColumn: "[0 0 240.94 ", TwoColumns: "[0 0 481.89 "}[w]; !strings.Contains(pdf.String(), want) {
			t.Errorf("no %s", want)
		}
		img, err := png.DecodeConfig(bytes.NewReader(bits.Bytes()))
		if want := math.Round(float64(w) / 25.4 * printDots); err != nil || img.Width != int(want) {
			t.Errorf("%v: %d dots, want %g; %v", w, img.Width, want, err)
		}
	}
}
