// Package docs embeds the tables that long experiments produced, and the documents that state what the tables show.
package docs

import "embed"

// Tables holds the files by name, such as "zdt.csv". Package claims reads them.
//
//go:embed *.csv block-smoo.md fairness.md ordering.md
var Tables embed.FS
