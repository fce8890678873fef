package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"paretoplay/internal/atomicfile"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/data"
)

// output is a file, device or stream that a command writes to. A file is first written under another name in its
// destination's folder, and renamed when complete. Readers thus always see either the old or the new file. The new file
// keeps the old file's permissions. Symbolic links then point to the new file, but hard links keep the old one.
// Devices, pipes and standard output are written directly.
//
// In addition to what package atomicfile does, output checks before the work starts that every output can be written,
// and detects two names for one file.
type output struct {
	option string      // option, such as "-csv"; "" for implicit standard output
	path   string      // path as given; "-" for standard output
	file   string      // the file to replace: path with links resolved; "" if no file is replaced
	there  os.FileInfo // the existing file; nil if it does not exist
	data   []byte
}

// fileFlags declares a flag for each kind of file that a command writes, and returns the flags' values by kind. If CSV is
// among the kinds, it also declares -csvlocale.
func (c *call) fileFlags(kinds []string) map[string]*string {
	paths := map[string]*string{}
	for _, kind := range kinds {
		paths[kind] = c.flags.String(kind, "", "write "+strings.ToUpper(kind)+" to this `file`, - for standard output")
	}
	if slices.Contains(kinds, "csv") {
		c.csvLocale = c.flags.String("csvlocale", pointLocale,
			"`point or comma`: the decimal mark of -csv; with commas, semicolons separate the columns, as many countries' spreadsheets expect")
	}
	return paths
}

// These are the values of -csvlocale.
const pointLocale, commaLocale = "point", "comma"

// checkLocale returns an error if -csvlocale is invalid, or is given without CSV output.
func (c *call) checkLocale(paths map[string]*string) error {
	switch {
	case c.csvLocale == nil || !c.given("csvlocale"):
		return nil
	case *c.csvLocale != pointLocale && *c.csvLocale != commaLocale:
		return fmt.Errorf("-csvlocale %.40q: allowed is %s or %s", *c.csvLocale, pointLocale, commaLocale)
	case *paths["csv"] == "":
		return fmt.Errorf("-csvlocale %s: there is no CSV output; add -csv", *c.csvLocale)
	}
	return nil
}

// localised returns a CSV table with the decimal mark that -csvlocale selects.
func (c *call) localised(table []byte) ([]byte, error) {
	if c.csvLocale == nil || *c.csvLocale == pointLocale {
		return table, nil
	}
	return data.WithCommas(table)
}

// widthFlag declares the flag for the width of printed pictures.
func (c *call) widthFlag() *string {
	return c.flags.String("width", "", "`85mm or 170mm`: width of printed pictures, for one column or two, with text of 8 points")
}

// printWidth parses the value of -width. It returns 0 if the flag is not given.
func (c *call) printWidth(text string, paths map[string]*string) (axes.PrintWidth, error) {
	if !c.given("width") {
		return 0, nil
	}
	width, err := axes.ParsePrintWidth(text)
	if err != nil {
		return 0, fmt.Errorf("-width: %w", err)
	}
	var kinds []string
	for _, kind := range []string{"svg", "png", "pdf"} {
		if path, has := paths[kind]; has {
			if *path != "" {
				return width, nil
			}
			kinds = append(kinds, "-"+kind)
		}
	}
	return 0, fmt.Errorf("-width %s: there is no picture output; add %s", text, strings.Join(kinds, " or "))
}

// remarkHeight adds a remark with advice if a printed sheet is higher than a page.
func (c *call) remarkHeight(width axes.PrintWidth, height float64, advice string) {
	if height > axes.PageHeight {
		c.remarks = append(c.remarks, fmt.Sprintf("-width %v: the sheet is %.0f mm high, but an A4 page has %d mm; %s", width, height,
			axes.PageHeight, advice))
	}
}

// reserve checks, before any work, that the path can be written, and records the output for fill. It does nothing if
// the option is not given.
func (c *call) reserve(option, path string) error {
	if path == "" {
		if c.given(strings.TrimPrefix(option, "-")) {
			return fmt.Errorf("%s is empty; expected a file name, or - for standard output", option)
		}
		return nil
	}
	if path != "-" && strings.HasPrefix(path, "-") {
		return fmt.Errorf("%s %s: expected a file, but this looks like an option; for a file with this name write ./%s", option, path, path)
	}
	o := &output{option: option, path: path}
	err := atomicfile.Uninterrupted(func() error { return c.check(o) })
	if err != nil {
		return fmt.Errorf("%s %s: %w", option, path, err)
	}
	c.outputs = append(c.outputs, o)
	return nil
}

// reserveAll reserves a file for each kind whose flag is given.
func (c *call) reserveAll(kinds []string, paths map[string]*string) error {
	for _, kind := range kinds {
		if err := c.reserve("-"+kind, *paths[kind]); err != nil {
			return err
		}
	}
	return c.checkLocale(paths)
}

// check resolves the output's destination and checks that the destination can be written to.
func (c *call) check(o *output) error {
	twice := func(earlier *output) error {
		return fmt.Errorf("%s writes to the same place; name another file", earlier.option)
	}
	if o.path == "-" {
		if f, ok := c.stdout.(*os.File); ok {
			var err error
			if o.there, err = f.Stat(); err != nil {
				return atomicfile.Cause(err)
			}
		}
	} else if err := o.locate(); err != nil {
		return err
	}
	for _, earlier := range c.outputs {
		if o.path == "-" && earlier.path == "-" || same(o.there, earlier.there) {
			return twice(earlier)
		}
	}
	if o.file == "" {
		return nil
	}
	for _, input := range c.inputs {
		if same(o.there, input.info) {
			return fmt.Errorf("%s reads this file; name another file", input.option)
		}
	}
	return atomicfile.Try(o.file, func(trial string) error {
		for _, earlier := range c.outputs {
			if earlier.file == "" || !sameFolder(o.file, earlier.file) {
				continue
			}
			// Only the file system can tell whether two names denote the same file.
			if _, err := os.Lstat(filepath.Join(trial, filepath.Base(earlier.file))); err == nil {
				return twice(earlier)
			}
		}
		return nil
	})
}

// locate follows the path to the existing or future file.
func (o *output) locate() error {
	info, err := os.Stat(o.path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("expected a file, not a folder")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return atomicfile.Cause(err)
	case err == nil:
		o.there = info
	}
	if o.there == nil || info.Mode().IsRegular() {
		if o.file, err = atomicfile.Followed(o.path); err != nil {
			return err
		}
	}
	if o.there == nil && o.file == "" { // a closed descriptor
		return fs.ErrNotExist
	}
	if o.there == nil || info.Mode()&fs.ModeNamedPipe != 0 { // opening a pipe would wait for its reader
		return nil
	}
	f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return atomicfile.Cause(err)
	}
	return f.Close()
}

// same reports whether a and b are the same file. It returns false for the null device, which several outputs may share.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil || !os.SameFile(a, b) {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(a, null)
}

// sameFolder reports whether two files are in the same folder, regardless of how their paths are written.
func sameFolder(a, b string) bool {
	left, err := os.Stat(filepath.Dir(a))
	if err != nil {
		return false
	}
	right, err := os.Stat(filepath.Dir(b))
	return err == nil && os.SameFile(left, right)
}

// output returns the output of an option, or nil if the option is not given.
func (c *call) output(option string) *output {
	for _, o := range c.outputs {
		if o.option == option {
			return o
		}
	}
	return nil
}

// fill calls f and stores what f writes as the option's output. It does nothing if the option is not given.
func (c *call) fill(option string, f func(io.Writer) error) error {
	o := c.output(option)
	if o == nil {
		return nil
	}
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return err
	}
	o.data = b.Bytes()
	if option != "-csv" {
		return nil
	}
	table, err := c.localised(o.data)
	if err != nil {
		return Fault{fmt.Errorf("-csv %s: %w", o.path, err)}
	}
	o.data = table
	return nil
}

// print calls f and stores what f writes as the command's standard output.
func (c *call) print(f func(io.Writer) error) error {
	c.outputs = append(c.outputs, &output{path: "-"})
	return c.fill("", f)
}

// write writes all outputs. It first completes all files and then replaces the old ones. It writes standard output
// last, so that standard output stays empty if a file cannot be written. If writing an option's file fails, as on a
// full disk, the error counts as bad input. If writing standard output fails, the error is a Fault.
func (c *call) write() error {
	if err := atomicfile.Uninterrupted(c.replaceFiles); err != nil {
		return err
	}
	for _, o := range c.outputs {
		if o.file != "" || o.path == "-" {
			continue
		}
		// Append, because the file behind an open descriptor such as /dev/stdout may already contain text.
		f, err := os.OpenFile(o.path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.Write(o.data)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", o.option, o.path, atomicfile.Cause(err))
		}
	}
	for _, o := range c.outputs {
		if o.path != "-" {
			continue
		}
		if _, err := c.stdout.Write(o.data); err != nil {
			return Fault{fmt.Errorf("standard output: %w", atomicfile.Cause(err))}
		}
	}
	return nil
}

// replaceFiles moves all files into place once all are complete.
func (c *call) replaceFiles() error {
	var list []atomicfile.Staged
	var failed error
	for _, o := range c.outputs {
		if o.file == "" || failed != nil {
			continue
		}
		s, err := atomicfile.Stage(o.file, o.data)
		if err != nil {
			failed = fmt.Errorf("%s %s: %w", o.option, o.path, atomicfile.Cause(err))
			continue
		}
		list = append(list, s)
	}
	for _, s := range list {
		if failed == nil {
			if err := s.Publish(); err != nil {
				failed = fmt.Errorf("%s: %w", s.Place(), atomicfile.Cause(err))
			}
		} else {
			failed = errors.Join(failed, s.Discard())
		}
	}
	return failed
}
