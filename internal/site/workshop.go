package site

import _ "embed"

// workshopName is the site's page on which a teacher writes a lesson.
const workshopName = "workshop.html"

//go:embed workshop.html
var workshopPage []byte
