package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"paretoplay/internal/atomicfile"
)

// fileCache is a folder of files that are slow to create. Several processes may use it at once.
type fileCache struct{ folder string }

// get returns the file with the given name. It calls make if the file is not cached yet.
func (c fileCache) get(name string, make func() ([]byte, error)) ([]byte, error) {
	full := filepath.Join(c.folder, name)
	data, err := os.ReadFile(full)
	if err == nil {
		now := time.Now()
		return data, os.Chtimes(full, now, now) // record the use, because prune deletes files by last use
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if data, err = make(); err != nil {
		return nil, err
	}
	if err := atomicfile.Replace(full, data); err != nil {
		return nil, err
	}
	return data, c.prune()
}

// cached lists the extensions of files in a fileCache.
var cached = map[string]bool{brotliServing.suffix: true, gzipAlways.suffix: true, ".png": true, ".html": true, ".json": true}

// prune deletes files that have not been used for a fortnight.
func (c fileCache) prune() error {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !cached[filepath.Ext(entry.Name())] {
			continue
		}
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > 14*24*time.Hour {
			err = os.Remove(filepath.Join(c.folder, entry.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process deleted it
			return err
		}
	}
	return nil
}
