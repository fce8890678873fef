package lesson

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"paretoplay/internal/teach/mathml"
)

// markdown reads the words of lessons: CommonMark with formulas.
var markdown = goldmark.New(
	goldmark.WithParserOptions(parser.WithInlineParsers( // before emphasis, after code
		util.Prioritized(formulas{}, 150), util.Prioritized(slots{}, 151))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(
		util.Prioritized(formulas{}, 150), util.Prioritized(slots{}, 151), util.Prioritized(marks{}, 152))),
)

// Sheet converts the teacher's sheet, Markdown with formulas, to HTML that is safe in a page. Unlike a step, the
// sheet may have headings.
func Sheet(file string, data []byte) (string, error) {
	f := &source{file: file}
	if err := f.lineLengths(data); err != nil {
		return "", err
	}
	return f.html(part{string(data), 1}, true)
}

// prose converts a part of the file to HTML that is safe in the page.
func (f *source) prose(words part) (string, error) { return f.html(words, false) }

func (f *source) html(words part, headings bool) (string, error) {
	data := []byte(words.text)
	context := parser.NewContext()
	context.Set(slotsKey, f.slots)
	doc := markdown.Parser().Parse(text.NewReader(data), parser.WithContext(context))
	if fault, ok := context.Get(faultKey).(*fault); ok {
		return "", f.errorAt(words.line+bytes.Count(data[:fault.at], []byte("\n")), "%w", fault.err)
	}
	if f.slots != nil {
		for i := range f.slots.all { // a slot's position is relative to the words
			if slot := &f.slots.all[i]; slot.line < 0 {
				slot.line = words.line + bytes.Count(data[:-1-slot.line], []byte("\n"))
			}
		}
	}
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if headings && n.Kind() == ast.KindHeading {
			return ast.WalkContinue, nil
		}
		if err := f.refuse(n, data); entering && err != nil {
			return ast.WalkStop, f.errorAt(words.line+bytes.Count(data[:place(n)], []byte("\n")), "%w", err)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, data, doc); err != nil {
		return "", f.errorAt(words.line, "%w", err)
	}
	return strings.TrimSpace(b.String()), nil
}

// line converts a single paragraph to HTML, without the tags of the paragraph itself.
func (f *source) line(words part) (string, error) {
	html, err := f.prose(words)
	if err != nil {
		return "", err
	}
	inner, isParagraph := strings.CutPrefix(html, "<p>")
	inner, ends := strings.CutSuffix(inner, "</p>")
	if !isParagraph || !ends || strings.Contains(inner, "<p>") {
		return "", f.errorAt(words.line, "expected one paragraph of words")
	}
	return inner, nil
}

// refuse returns an error if n is a part of the words that the page must not contain.
func (f *source) refuse(n ast.Node, data []byte) error {
	switch n := n.(type) {
	case *ast.HTMLBlock, *ast.RawHTML:
		return errors.New("HTML is not allowed; write Markdown, or `<b>` between backticks to show the tag itself")
	case *ast.Image:
		return errors.New("a lesson has no images: the scene is its picture")
	case *ast.Heading:
		return errors.New("a step cannot have headings; ## begins the next step")
	case *ast.Link:
		if id, is := bytes.CutPrefix(n.Destination, []byte(markScheme)); is {
			if f.marks == nil {
				return fmt.Errorf("the mark %q is not allowed here, because there is no scene", n.Destination)
			}
			if why := f.marks(string(id)); why != "" {
				return fmt.Errorf("%s: %s", n.Destination, why)
			}
			return nil
		}
		return refuseAddress(string(n.Destination))
	case *ast.AutoLink:
		return refuseAddress(string(n.URL(data)))
	}
	return nil
}

func refuseAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("the link %q is not an address", address)
	case strings.HasPrefix(address, "#"), slices.Contains([]string{"http", "https"}, strings.ToLower(u.Scheme)) && u.Host != "":
		return nil
	}
	return fmt.Errorf("invalid link %q; write https://…, or #… for a place in the page", address)
}

// place returns the position of a node in the words as precisely as possible. For a node inside a line, place returns
// the beginning of the block.
func place(n ast.Node) int {
	if raw, ok := n.(*ast.RawHTML); ok && raw.Segments.Len() > 0 {
		return raw.Segments.At(0).Start
	}
	for inner := n.FirstChild(); inner != nil; inner = inner.FirstChild() {
		if t, ok := inner.(*ast.Text); ok {
			return t.Segment.Start
		}
	}
	for ; n != nil; n = n.Parent() {
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			return n.Lines().At(0).Start
		}
	}
	return 0
}

// fault is an error in a formula, with its position.
type fault struct {
	at  int
	err error
}

var faultKey = parser.NewContextKey()

// formulaNode is a formula in the words, as MathML.
type formulaNode struct {
	ast.BaseInline
	html string
}

var formulaKind = ast.NewNodeKind("Formula")

// Kind implements ast.Node.
func (n *formulaNode) Kind() ast.NodeKind { return formulaKind }

// Dump implements ast.Node.
func (n *formulaNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// formulas reads $…$ and $$…$$ and writes them as MathML.
type formulas struct{}

// Trigger implements parser.InlineParser.
func (formulas) Trigger() []byte { return []byte{'$'} }

// Parse implements parser.InlineParser. A formula must be on one line.
func (formulas) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if pc.Get(faultKey) != nil { // after a fault, no further formula is read
		return nil
	}
	line, segment := block.PeekLine()
	fence := "$"
	if bytes.HasPrefix(line, []byte("$$")) {
		fence = "$$"
	}
	tex, _, closed := bytes.Cut(line[len(fence):], []byte(fence))
	html, err := "", errors.New(`this $ begins a formula that does not end in its line; write \$ for the sign itself`)
	if closed {
		html, err = mathml.MathML(string(tex), fence == "$$")
	}
	if err != nil {
		pc.Set(faultKey, &fault{segment.Start, err})
		return nil
	}
	block.Advance(len(tex) + 2*len(fence))
	return &formulaNode{html: html}
}

// slotsKey is the context key of the list of slots of the words being read.
var slotsKey = parser.NewContextKey()

// slotNode is a slot for one of the visitor's numbers.
type slotNode struct {
	ast.BaseInline
	index    int
	decimals string // number of decimals, "" for three significant digits
}

var slotKind = ast.NewNodeKind("Slot")

// Kind implements ast.Node.
func (n *slotNode) Kind() ast.NodeKind { return slotKind }

// Dump implements ast.Node.
func (n *slotNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// slots reads {EXPRESSION} and {EXPRESSION | DECIMALS}.
type slots struct{}

// Trigger implements parser.InlineParser.
func (slots) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser. A slot must be on one line.
func (slots) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if pc.Get(faultKey) != nil {
		return nil
	}
	line, segment := block.PeekLine()
	within, _, closed := bytes.Cut(line[1:], []byte("}"))
	inside := ""
	if closed {
		inside = string(within)
	}
	expression, decimals, rounded := cutLast(inside, "|")
	list, _ := pc.Get(slotsKey).(*slotList)
	var err error
	switch {
	case list == nil:
		err = errors.New(`{…}, a number of the visitor, is allowed only in then:; write \{ for the sign itself`)
	case !closed:
		err = errors.New(`this { begins a number that does not end in its line; write \{ for the sign itself`)
	case rounded && !oneDigit.MatchString(decimals):
		err = fmt.Errorf("after |, expected the number of decimals from 0 to 9, not %q", decimals)
	}
	if err != nil {
		pc.Set(faultKey, &fault{segment.Start, err})
		return nil
	}
	list.all = append(list.all, part{strings.TrimSpace(expression), -1 - segment.Start})
	block.Advance(len(inside) + 2)
	return &slotNode{index: len(list.all) - 1, decimals: decimals}
}

var oneDigit = regexp.MustCompile(`^[0-9]$`)

// cutLast cuts a text at the last occurrence of a separator.
func cutLast(text, sign string) (before, after string, found bool) {
	at := strings.LastIndex(text, sign)
	if at < 0 {
		return text, "", false
	}
	return text[:at], strings.TrimSpace(text[at+len(sign):]), true
}

// RegisterFuncs implements renderer.NodeRenderer.
func (slots) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(slotKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		slot := n.(*slotNode)
		_, err := fmt.Fprintf(w, `<span class="slot" data-slot="%d" data-decimals="%s">…</span>`, slot.index, slot.decimals)
		return ast.WalkContinue, err
	})
}

// markScheme starts the address of a special link, whose words have the colour of a method or name a panel.
const markScheme = "mark:"

// marks renders links, and words that name a mark of the picture.
type marks struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (marks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		link := n.(*ast.Link)
		id, mark := bytes.CutPrefix(link.Destination, []byte(markScheme))
		var err error
		switch {
		case mark && entering:
			_, err = fmt.Fprintf(w, `<span class="mark" tabindex="0" data-mark="%s">`, util.EscapeHTML(id))
		case mark:
			_, err = w.WriteString("</span>")
		case entering:
			title := ""
			if len(link.Title) > 0 {
				title = fmt.Sprintf(` title="%s"`, util.EscapeHTML(link.Title))
			}
			_, err = fmt.Fprintf(w, `<a href="%s"%s>`, util.EscapeHTML(util.URLEscape(link.Destination, true)), title)
		default:
			_, err = w.WriteString("</a>")
		}
		return ast.WalkContinue, err
	})
}

// RegisterFuncs implements renderer.NodeRenderer.
func (formulas) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(formulaKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			if _, err := w.WriteString(n.(*formulaNode).html); err != nil {
				return ast.WalkStop, err
			}
		}
		return ast.WalkContinue, nil
	})
}
