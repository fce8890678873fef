package brush

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
)

// TestFontsHaveEveryLetter checks that the embedded font subsets have every character that scenes and algorithms use.
// Exceptions are characters that pictures never draw as text.
func TestFontsHaveEveryLetter(t *testing.T) {
	// Brush draws the first characters as lines and small letters. The last characters appear only in comments and in
	// the page's texts.
	const drawn = "∇\u0303₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₘₙₛₜₓ⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
	const unseen = "∈∓∘∝⊙⌈⌉⌊⌋⟨⟩⟵↦⅕⅘١"
	for name, file := range map[string][]byte{"regular": sansFile, "bold": boldFile} {
		font, err := opentype.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		var b sfnt.Buffer
		missing := map[rune]string{}
		for _, root := range []string{"..", "../../engine", "../../study", "../../teach", "../../../scenes", "../../../wasm", "../../../algo"} {
			err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
					return err
				}
				text, err := os.ReadFile(path)
				for _, r := range string(text) {
					if i, e := font.GlyphIndex(&b, r); e != nil || i == 0 && !unicode.IsControl(r) && !strings.ContainsRune(drawn+unseen, r) {
						missing[r] = path
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for r, path := range missing {
			t.Errorf("%s: no character %q, which %s uses", name, r, path)
		}
	}
}
