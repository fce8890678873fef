package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Patterns of elements that refer to other files, as index.html and stage.html write them.
var (
	hostedElement  = regexp.MustCompile(`(?s)[ \t]*<(script|a|iframe)\b[^>]*\sdata-hosted[^>]*>.*?</(?:script|a|iframe)>\n?`)
	loadedAhead    = regexp.MustCompile(`[ \t]*<link rel="(?:modulepreload|preload)"[^>]*>\n?`)
	styleElement   = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">`)
	iconElement    = regexp.MustCompile(`<link rel="icon" href="([^"]+)"(?: type="[^"]+")?>`)
	scriptElement  = regexp.MustCompile(`<script src="([^"]+)"(?: defer)?></script>`)
	moduleElement  = regexp.MustCompile(`[ \t]*<script type="module" src="([^"]+)"></script>\n?`)
	policyElement  = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="[^"]*">`)
	remainingParts = regexp.MustCompile(`<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|href|srcset)="(?:[^"d]|d[^"a])[^"]*"`)
)

// inlining puts the files of a page into the page itself, for pages that a browser opens without a host. Such pages
// have no modules and refer to no file.
type inlining struct {
	read            func(name string) ([]byte, error) // reads a file of the site
	scripts, styles []string                          // the sources that a policy allows: hashes of the inlined texts
}

// page returns the named page with its scripts, style sheets and icon inlined. It removes the policy and the elements
// that only a hosted page needs (data-hosted). The modules in further and the page's own modules become one script at
// the end.
func (in *inlining) page(name string, text []byte, further ...string) ([]byte, error) {
	for _, dropped := range []*regexp.Regexp{hostedElement, loadedAhead} {
		text = dropped.ReplaceAll(text, nil)
	}
	var faults []error
	put := func(pattern *regexp.Regexp, f func(name string) (string, error)) {
		text = pattern.ReplaceAllFunc(text, func(element []byte) []byte {
			found := pattern.FindSubmatch(element)
			made, err := f(path.Join(path.Dir(name), string(found[1])))
			faults = append(faults, err)
			return []byte(made)
		})
	}
	put(styleElement, in.style)
	put(scriptElement, in.classic)
	put(iconElement, func(name string) (string, error) {
		address, err := in.data(name)
		return fmt.Sprintf(`<link rel="icon" href="%s">`, address), err
	})
	modules := further
	put(moduleElement, func(name string) (string, error) {
		modules = append(modules, name)
		return "", nil
	})
	script, err := in.bundle(modules)
	if err := errors.Join(append(faults, err)...); err != nil {
		return nil, err
	}
	text = policyElement.ReplaceAll(text, nil)
	if left := remainingParts.Find(text); left != nil {
		return nil, fmt.Errorf("%s: no rule inlines %s", name, left)
	}
	end := bytes.LastIndex(text, []byte("</body>"))
	if end < 0 {
		end = len(text) // HTML allows pages without the end tag
	}
	return slices.Concat(text[:end], []byte(script+"\n"), text[end:]), nil
}

// policy returns a content policy that allows only the inlined scripts and styles, WebAssembly, and pictures that the
// page creates. It forbids loading anything.
func (in *inlining) policy() string {
	return "default-src 'none'; script-src 'wasm-unsafe-eval' " + strings.Join(in.scripts, " ") + "; style-src " +
		strings.Join(in.styles, " ") + "; img-src data: blob:; base-uri 'none'; form-action 'none'"
}

// hashed adds a text's hash to the allowed sources. It returns an error if the text would end its element.
func hashed(sources *[]string, tag, text string) (string, error) {
	if lower := strings.ToLower(text); strings.Contains(lower, "</"+tag) || strings.Contains(lower, "<!--") {
		return "", fmt.Errorf("its text would end a <%s>", tag)
	}
	sum := sha256.Sum256([]byte(text))
	source := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if !slices.Contains(*sources, source) {
		*sources = append(*sources, source)
	}
	return "<" + tag + ">" + text + "</" + tag + ">", nil
}

// style returns a style sheet as an element.
func (in *inlining) style(name string) (string, error) {
	text, err := in.small(name, api.LoaderCSS)
	if err != nil {
		return "", err
	}
	var faults []error
	text = cssReference.ReplaceAllStringFunc(text, func(reference string) string {
		address, err := in.data(path.Join(path.Dir(name), cssReference.FindStringSubmatch(reference)[1]))
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
		}
		return "url(" + address + ")"
	})
	if err := errors.Join(faults...); err != nil {
		return "", err
	}
	return hashed(&in.styles, "style", strings.TrimSpace(text))
}

// data returns a picture as a data URL.
func (in *inlining) data(name string) (string, error) {
	kind, _, _ := strings.Cut(mediaTypes[path.Ext(name)], ";")
	if kind == "" {
		return "", fmt.Errorf("%s: no rule inlines a file of this kind", name)
	}
	data, err := in.read(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}

// classic returns a script as an element.
func (in *inlining) classic(name string) (string, error) {
	text, err := in.small(name, api.LoaderJS)
	if err != nil {
		return "", err
	}
	return hashed(&in.scripts, "script", strings.TrimSpace(text))
}

// small returns a file without whitespace and comments. Top-level names stay unchanged, because scripts share them.
func (in *inlining) small(name string, loader api.Loader) (string, error) {
	data, err := in.read(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	result := api.Transform(string(data), api.TransformOptions{
		Sourcefile: name, Loader: loader, MinifyWhitespace: true, MinifySyntax: true, Target: api.ES2022, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone,
	})
	return string(result.Code), inWords(result.Errors)
}

// bundle returns one script built from the modules, in this order, and from their imports. It returns "" if there are no
// modules.
func (in *inlining) bundle(modules []string) (string, error) {
	if len(modules) == 0 {
		return "", nil
	}
	var entry strings.Builder
	for _, name := range modules {
		quoted, err := json.Marshal("/" + name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&entry, "import %s;\n", quoted)
	}
	ofSite := api.Plugin{Name: "site", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(asked api.OnResolveArgs) (api.OnResolveResult, error) {
			name := path.Join(path.Dir(asked.Importer), asked.Path)
			if rooted, ok := strings.CutPrefix(asked.Path, "/"); ok {
				name = rooted
			}
			return api.OnResolveResult{Path: name, Namespace: "site"}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "site"}, func(asked api.OnLoadArgs) (api.OnLoadResult, error) {
			data, err := in.read(asked.Path)
			text := string(data)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, err
		})
	}}
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Contents: entry.String(), Loader: api.LoaderJS}, Bundle: true, Format: api.FormatIIFE,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, Target: api.ES2022, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelSilent, Plugins: []api.Plugin{ofSite},
		Define: map[string]string{"import.meta.url": `"inside:///assets/stage/stage.js"`}, // scripts locate the site by this address
	})
	if err := inWords(result.Errors); err != nil {
		return "", err
	}
	return hashed(&in.scripts, "script", strings.TrimSpace(string(result.OutputFiles[0].Contents)))
}

// inWords returns esbuild's messages as one error.
func inWords(found []api.Message) error {
	var faults []error
	for _, m := range found {
		where := ""
		if m.Location != nil {
			where = fmt.Sprintf("%s:%d: ", strings.TrimPrefix(m.Location.File, "site:"), m.Location.Line)
		}
		faults = append(faults, errors.New(where+m.Text))
	}
	return errors.Join(faults...)
}
