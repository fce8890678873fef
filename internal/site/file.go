package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// mediaTypes maps the extensions of the site's files to media types. The system's own table differs between machines,
// and a wrong type breaks modules.
var mediaTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".wasm":  "application/wasm",
	".woff2": "font/woff2",
}

// compressible lists the extensions of uncompressed file types.
var compressible = map[string]bool{".css": true, ".html": true, ".js": true, ".json": true, ".svg": true, ".txt": true, ".wasm": true}

// compression is a compression method with its settings.
type compression struct {
	encoding string // as in Content-Encoding
	suffix   string // appended to the plain file's name
	level    int
	window   int // base 2 logarithm of brotli's window; 0 for the level's default
}

// These are the methods in use. At the effort for serving, compressing the whole program takes a second. A quick build
// uses the same effort, and takes another second for all other files. Publishing uses the highest effort and the
// largest window that browsers must accept. Together, these two save one percent. Gzip's levels hardly differ in time.
var (
	brotliServing    = compression{encoding: "br", suffix: ".br", level: 5}
	brotliQuick      = compression{encoding: "br", suffix: ".br", level: 10}
	brotliPublishing = compression{encoding: "br", suffix: ".br", level: brotli.BestCompression, window: 24}
	gzipAlways       = compression{encoding: "gzip", suffix: ".gz", level: gzip.BestCompression}
)

// compress returns data compressed as c says. It calls progress, which may be nil, with the completed share, and stops
// when ctx ends.
func compress(ctx context.Context, data []byte, c compression, progress func(share float64)) ([]byte, error) {
	var packed bytes.Buffer
	var w io.WriteCloser
	switch c.encoding {
	case "br":
		w = brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: c.level, LGWin: c.window})
	case "gzip":
		var err error
		if w, err = gzip.NewWriterLevel(&packed, c.level); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("unknown encoding %q", c.encoding)
	}
	const chunk = 1 << 18
	for start := 0; start < len(data); start += chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min(start+chunk, len(data))
		if _, err := w.Write(data[start:end]); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(float64(end) / float64(len(data)))
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// file is a file of the site in the form in which it is served.
type file struct {
	name, mediaType string
	data            []byte
	stamp           string // of data
	immutable       bool   // whether the name contains the stamp
	packed          map[string]func() ([]byte, error)
}

func newFile(name string, data []byte) *file {
	f := &file{name: name, mediaType: mediaTypes[path.Ext(name)], data: data, stamp: stamp(data), packed: map[string]func() ([]byte, error){}}
	if compressible[path.Ext(name)] {
		for _, c := range []compression{brotliServing, gzipAlways} {
			f.packed[c.encoding] = sync.OnceValues(func() ([]byte, error) {
				return compress(context.Background(), data, c, nil)
			})
		}
	}
	return f
}

// stamp returns 12 hexadecimal digits that depend on the contents.
func stamp(contents ...[]byte) string {
	sum := sha256.New()
	for _, data := range contents {
		fmt.Fprintf(sum, "%d\n", len(data)) // distinguishes "ab","c" from "a","bc"
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// stamped returns name with data's stamp inserted before the extension.
func stamped(name string, data []byte) string {
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + "-" + stamp(data) + extension
}
