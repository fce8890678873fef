package lesson

import (
	"sync"

	"paretoplay/scenes"
)

// Folder is the folder with the page's lessons.
const Folder = "../../../assets/lessons"

// ReadPage reads the lessons of the page, once for all tests.
var ReadPage = sync.OnceValues(func() ([]*Lesson, error) { return Read(scenes.All, Folder) })
