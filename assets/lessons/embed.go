// Package lessons embeds the lessons that belong to the page.
package lessons

import "embed"

// Files holds the lessons by name, such as "01-conflict.md". Class codes refer to these names.
//
//go:embed *.md
var Files embed.FS
