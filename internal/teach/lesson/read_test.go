package lesson

import (
	"sync"

	"paretoplay/scenes"
)

// Folder holds the lessons of the page.
const Folder = "../../../assets/lessons"

// ReadPage reads the lessons of the page, once for all tests.
var ReadPage = sync.OnceValues(func() ([]*Lesson, error) { return Read(scenes.All, Folder) })
