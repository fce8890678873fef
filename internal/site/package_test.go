package site

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/teach/lesson"
)

// TestArchived: a package has its files, a page that opens the lesson, and a manifest that lists all of them. Equal
// files produce equal bytes.
func TestArchived(t *testing.T) {
	files := map[string][]byte{pageName: []byte("<!doctype html>"), "picture.wasm.gz": []byte("a program")}
	head := lesson.Head{Name: "03-fixed-weights", Title: "Weights & <others>", Scene: "fonseca"}
	for _, version := range PackageVersions {
		data, err := archived(files, head, version)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := archived(files, head, version); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s: a second package differs, error %v", version, err)
		}
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		files, names := map[string]string{}, []string{}
		for _, f := range archive.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			files[f.Name], names = string(content), append(names, f.Name)
		}
		if !slices.Equal(names, []string{"imsmanifest.xml", "index.html", "lesson.html", "picture.wasm.gz"}) {
			t.Errorf("%s: the files are %v", version, names)
		}
		first := files["lesson.html"]
		want := `url=index.html?lesson=03-fixed-weights&amp;scorm=` + version + `#v=1&amp;scene=fonseca&amp;lesson=03-fixed-weights:1"`
		if !strings.Contains(first, want) || !strings.Contains(first, "<title>Weights &amp; &lt;others&gt;</title>") {
			t.Errorf("%s: the first page is %s", version, first)
		}
		var m struct {
			XMLName  xml.Name
			Metadata struct {
				Schema  string `xml:"schema"`
				Version string `xml:"schemaversion"`
			} `xml:"metadata"`
			Item struct {
				Resource string `xml:"identifierref,attr"`
				Title    string `xml:"title"`
			} `xml:"organizations>organization>item"`
			Resource struct {
				Identifier string     `xml:"identifier,attr"`
				Href       string     `xml:"href,attr"`
				Attributes []xml.Attr `xml:",any,attr"`
				Files      []struct {
					Href string `xml:"href,attr"`
				} `xml:"file"`
			} `xml:"resources>resource"`
		}
		if err := xml.Unmarshal([]byte(files["imsmanifest.xml"]), &m); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(files["imsmanifest.xml"], ` xsi:schemaLocation="`+m.XMLName.Space+" imscp_") {
			t.Errorf("%s: the manifest lacks the place of its schema:\n%s", version, files["imsmanifest.xml"])
		}
		var listed []string
		for _, f := range m.Resource.Files {
			listed = append(listed, f.Href)
		}
		if !slices.Equal(listed, slices.DeleteFunc(names, func(name string) bool { return name == "imsmanifest.xml" })) {
			t.Errorf("%s: the manifest lists %v", version, listed)
		}
		kind := slices.ContainsFunc(m.Resource.Attributes, func(a xml.Attr) bool {
			return strings.EqualFold(a.Name.Local, "scormtype") && a.Value == "sco"
		})
		if m.Item.Resource != m.Resource.Identifier || m.Item.Title != head.Title || m.Resource.Href != "lesson.html" || !kind ||
			m.Metadata.Schema != "ADL SCORM" || !strings.HasPrefix(m.Metadata.Version, version) {
			t.Errorf("%s: %s", version, files["imsmanifest.xml"])
		}
	}
}

// TestPackageRefuses: Package rejects unknown lessons and versions.
func TestPackageRefuses(t *testing.T) {
	for want, o := range map[string]PackageOptions{
		`unknown SCORM version "3"`: {Lesson: "01-conflict", Version: "3"},
		`unknown lesson "other"`:    {Lesson: "other", Version: "1.2"},
	} {
		if _, err := Package(t.Context(), o, io.Discard); !errors.As(err, new(InputError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
