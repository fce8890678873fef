// Package docs holds the kept tables of long experiments, and the documents that state what they show.
package docs

import "embed"

// Tables holds the files by name, such as "zdt.csv". Claims are read from them.
//
//go:embed *.csv block-smoo.md fairness.md ordering.md
var Tables embed.FS
