// Package mathml turns TeX into MathML that a page may show under any content security policy: without style
// attributes or links, and only with known elements and attributes.
package mathml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/wyatt915/treeblood"
)

// MathML converts a formula, TeX without dollar signs, to MathML on one line. A block formula is displayed on a
// separate line. \text{@NAME} becomes <mn data-fact="NAME">, a slot for a number.
func MathML(tex string, block bool) (string, error) {
	const limit = 2000
	switch {
	case strings.TrimSpace(tex) == "":
		return "", errors.New("a formula is empty")
	case len(tex) > limit:
		return "", fmt.Errorf("a formula has %d bytes; the maximum is %d", len(tex), limit)
	}
	if bare := bareFraction.FindString(tex); bare != "" {
		return "", fmt.Errorf("$%s$: %s needs both parts in braces, such as \\frac{1}{2}", tex, strings.TrimSpace(bare[:len(bare)-1]))
	}
	// treeblood draws a norm's \| as one bar, but \Vert as two.
	drawn, err := treeblood.TexToMML(strings.ReplaceAll(tex, `\|`, `\Vert `), nil, block, false)
	if err != nil {
		said, _, _ := strings.Cut(err.Error(), "<pre>")
		return "", fmt.Errorf("$%s$ cannot be read: %s", tex, strings.TrimSpace(said))
	}
	var b strings.Builder
	if err := clean(&b, drawn); err != nil {
		return "", fmt.Errorf("$%s$: %w", tex, err)
	}
	return b.String(), nil
}

// bareFraction matches a fraction whose numerator has no braces.
var bareFraction = regexp.MustCompile(`\\[dt]?frac\s*[^{\sa-zA-Z]`)

// slot matches @NAME, the text that marks a slot.
var slot = regexp.MustCompile(`^@([A-Za-z][A-Za-z0-9._-]*)$`)

// elements lists the elements of MathML Core that formulas need. Other elements are dropped, but their contents are kept.
var (
	elements = []string{"math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "msub", "msup", "msubsup", "munder", "mover", "munderover",
		"mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd", "mpadded", "mphantom", "mstyle", "mmultiscripts", "mprescripts"}
	dropped = []string{"semantics"}
)

// attributes lists the allowed attributes. None of them can contain a style or an address.
var attributes = []string{"display", "form", "fence", "stretchy", "symmetric", "largeop", "movablelimits", "accent", "accentunder",
	"mathvariant", "lspace", "rspace", "width", "height", "depth", "linethickness", "displaystyle", "scriptlevel", "minsize",
	"maxsize", "separator"}

// clean writes the drawn formula without anything that the page must not contain, and with attributes sorted by name.
func clean(b *strings.Builder, drawn string) error {
	d := xml.NewDecoder(strings.NewReader(drawn))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it gives invalid MathML: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			name := t.Name.Local
			switch {
			case name == "annotation":
				if err := d.Skip(); err != nil {
					return err
				}
				continue
			case name == "merror":
				var unknown string
				if err := d.DecodeElement(&unknown, &t); err != nil {
					return err
				}
				return fmt.Errorf("unknown command \\%s", strings.TrimSpace(unknown))
			case name == "mtext":
				var text string
				if err := d.DecodeElement(&text, &t); err != nil {
					return fmt.Errorf("the words of \\text must not contain < or &: %w", err)
				}
				if at := slot.FindStringSubmatch(text); at != nil {
					fmt.Fprintf(b, `<mn data-fact="%s">–</mn>`, at[1])
				} else {
					b.WriteString("<mtext>" + html.EscapeString(text) + "</mtext>")
				}
				continue
			case slices.Contains(dropped, name):
				continue
			case !slices.Contains(elements, name):
				return fmt.Errorf("it needs <%s>, which the page does not allow", name)
			}
			b.WriteString("<" + name)
			slices.SortFunc(t.Attr, func(a, b xml.Attr) int { return strings.Compare(a.Name.Local, b.Name.Local) })
			for _, a := range t.Attr {
				if slices.Contains(attributes, a.Name.Local) {
					fmt.Fprintf(b, ` %s="%s"`, a.Name.Local, html.EscapeString(a.Value))
				}
			}
			b.WriteByte('>')
		case xml.EndElement:
			if !slices.Contains(dropped, t.Name.Local) {
				b.WriteString("</" + t.Name.Local + ">")
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); text != "" {
				b.WriteString(html.EscapeString(text))
			}
		}
	}
}
