// Package lessons holds the page's own lessons.
package lessons

import "embed"

// Files holds the lessons by name, such as "01-conflict.md". The codes of classes refer to these names.
//
//go:embed *.md
var Files embed.FS
