package site

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"paretoplay/internal/teach/lesson"
)

// This file builds packages for learning platforms: SCORM 1.2 and 2004. A package contains the page as one file with one
// lesson, and the second program for browsers without WebGL. It also has a page that opens the lesson, and a manifest.
// assets/platform/scorm.js communicates with the platform.

// PackageVersions lists the SCORM versions that Package supports.
var PackageVersions = []string{"1.2", "2004"}

// PackageOptions sets which lesson to pack, and how.
type PackageOptions struct {
	Lesson  string   // its name
	Version string   // one of PackageVersions
	Lessons []string // folders with lessons, in addition to the source tree's
	Notices string   // licences of everything in the page
}

const (
	manifestName = "imsmanifest.xml"
	startName    = "lesson.html" // opens the lesson
)

// Package returns a lesson as a zip archive for a learning platform. It reports fallbacks to stderr. It returns an InputError if the
// options are invalid.
func Package(ctx context.Context, o PackageOptions, stderr io.Writer) ([]byte, error) {
	if !slices.Contains(PackageVersions, o.Version) {
		return nil, InputError{fmt.Errorf("unknown SCORM version %q; available: %s", o.Version, strings.Join(PackageVersions, ", "))}
	}
	source, err := Find(o.Notices, o.Lessons...)
	if err != nil {
		return nil, err
	}
	_, list, err := source.lessons()
	if err != nil {
		return nil, err
	}
	head, err := find(list, o.Lesson)
	if err != nil {
		return nil, err
	}
	page, picture, err := single(ctx, SingleOptions{Lessons: o.Lessons, Only: []string{o.Lesson}, Notices: o.Notices}, true, stderr)
	if err != nil {
		return nil, err
	}
	return archived(map[string][]byte{pageName: page, pictureProgram.file + ".gz": picture}, head, o.Version)
}

// find returns the lesson with the given name.
func find(list []lesson.Head, name string) (lesson.Head, error) {
	var names []string
	for _, head := range list {
		if head.Name == name {
			return head, nil
		}
		names = append(names, head.Name)
	}
	return lesson.Head{}, unknownLesson(name, names)
}

func unknownLesson(name string, names []string) error {
	return InputError{fmt.Errorf("unknown lesson %q; available: %s", name, strings.Join(names, ", "))}
}

// archived packs the given files together with those that platforms need. Equal files produce equal bytes.
func archived(files map[string][]byte, head lesson.Head, version string) (_ []byte, err error) {
	files = maps.Clone(files)
	if files[startName], err = startPage(head, version); err != nil {
		return nil, err
	}
	if files[manifestName], err = manifest(slices.Sorted(maps.Keys(files)), head, version); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	archive, oldest := zip.NewWriter(&out), time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) // the earliest date in a zip
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: oldest})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	err = archive.Close()
	return out.Bytes(), err
}

// startTemplate is a page that leads to the lesson. Platforms open a file by its name, and some drop a query or hash
// after it.
var startTemplate = template.Must(template.New(startName).Parse(`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="refresh" content="0; url={{.Address}}">
  <title>{{.Title}}</title>
</head>
<body><p><a href="{{.Address}}">{{.Title}}</a></p></body>
</html>
`))

func startPage(head lesson.Head, version string) ([]byte, error) {
	query := url.Values{"scorm": {version}, "lesson": {head.Name}}
	var b bytes.Buffer
	err := startTemplate.Execute(&b, map[string]any{"Title": head.Title, "Address": template.URL(fmt.Sprintf(
		"%s?%s#v=1&scene=%s&lesson=%s:1", pageName, query.Encode(), head.Scene, head.Name))}) // names consist of letters, digits and hyphens
	return b.Bytes(), err
}

// These types are the manifest's elements in both versions of SCORM. The versions differ in their namespaces and in the
// spelling of one attribute.
type (
	manifestXML struct {
		XMLName       xml.Name         `xml:"manifest"`
		Identifier    string           `xml:"identifier,attr"`
		Version       string           `xml:"version,attr"`
		Content       string           `xml:"xmlns,attr"`
		ADL           string           `xml:"xmlns:adlcp,attr"`
		Sequencing    string           `xml:"xmlns:imsss,attr,omitempty"`
		Instance      string           `xml:"xmlns:xsi,attr"`
		Schemas       string           `xml:"xsi:schemaLocation,attr"` // pairs of a namespace and the name of its schema file
		Schema        string           `xml:"metadata>schema"`
		SchemaVersion string           `xml:"metadata>schemaversion"`
		Organizations organizationsXML `xml:"organizations"`
		Resources     []resourceXML    `xml:"resources>resource"`
	}
	organizationsXML struct {
		Default      string          `xml:"default,attr"`
		Organization organizationXML `xml:"organization"`
	}
	organizationXML struct {
		Identifier string  `xml:"identifier,attr"`
		Title      string  `xml:"title"`
		Item       itemXML `xml:"item"`
	}
	itemXML struct {
		Identifier string       `xml:"identifier,attr"`
		Resource   string       `xml:"identifierref,attr"`
		Title      string       `xml:"title"`
		Controls   *controlsXML `xml:"imsss:sequencing>imsss:deliveryControls"`
	}
	// controlsXML declares that the page itself reports completion.
	controlsXML struct {
		Completion bool `xml:"completionSetByContent,attr"`
		Objective  bool `xml:"objectiveSetByContent,attr"`
	}
	resourceXML struct {
		Identifier string    `xml:"identifier,attr"`
		Type       string    `xml:"type,attr"`
		Kind12     string    `xml:"adlcp:scormtype,attr,omitempty"`
		Kind2004   string    `xml:"adlcp:scormType,attr,omitempty"`
		Href       string    `xml:"href,attr"`
		Files      []fileXML `xml:"file"`
	}
	fileXML struct {
		Href string `xml:"href,attr"`
	}
)

// manifest returns the manifest for a package with these files.
func manifest(names []string, head lesson.Head, version string) ([]byte, error) {
	const kind = "sco"
	resource := resourceXML{Identifier: "page", Type: "webcontent", Href: startName}
	for _, name := range names {
		resource.Files = append(resource.Files, fileXML{name})
	}
	item := itemXML{Identifier: "lesson", Resource: resource.Identifier, Title: head.Title}
	m := manifestXML{Identifier: "paretoplay-" + head.Name, Version: "1.0", Schema: "ADL SCORM",
		Instance: "http://www.w3.org/2001/XMLSchema-instance"}
	switch version {
	case "1.2":
		m.Content, m.ADL = "http://www.imsproject.org/xsd/imscp_rootv1p1p2", "http://www.adlnet.org/xsd/adlcp_rootv1p2"
		m.SchemaVersion, resource.Kind12 = "1.2", kind
		m.Schemas = strings.Join([]string{m.Content, "imscp_rootv1p1p2.xsd", m.ADL, "adlcp_rootv1p2.xsd"}, " ")
	case "2004":
		m.Content, m.ADL = "http://www.imsglobal.org/xsd/imscp_v1p1", "http://www.adlnet.org/xsd/adlcp_v1p3"
		m.Sequencing = "http://www.imsglobal.org/xsd/imsss"
		m.SchemaVersion, resource.Kind2004 = "2004 4th Edition", kind
		m.Schemas = strings.Join([]string{m.Content, "imscp_v1p1.xsd", m.ADL, "adlcp_v1p3.xsd", m.Sequencing, "imsss_v1p0.xsd"}, " ")
		item.Controls = &controlsXML{Completion: true, Objective: true}
	default:
		return nil, errors.New("no manifest of SCORM " + version)
	}
	m.Organizations = organizationsXML{"lessons", organizationXML{"lessons", head.Title, item}}
	m.Resources = []resourceXML{resource}
	text, err := xml.MarshalIndent(m, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}
