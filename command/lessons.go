package command

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"paretoplay/site"
)

// lessonsFlag adds the flag that names a teacher’s own folders of lessons.
func (c *call) lessonsFlag() *repeated {
	folders := &repeated{}
	c.flags.Func("lessons", "lessons of your own: a `folder` with files of Markdown; repeat for more", func(folder string) error {
		if folder == "" {
			return errors.New("a folder is expected")
		}
		return folders.Set(folder)
	})
	return folders
}

// tryLessons runs the lessons of a teacher’s folders, or else the source tree’s.
func tryLessons(c *call) error {
	folders := c.lessonsFlag()
	c.explain("which follows every step of lessons without a browser: from your own folders, or else from the source tree.\n" +
		"What is wrong is said with file and line.")
	if err := c.parse(); err != nil {
		return err
	}
	if len(*folders) == 0 {
		source, err := site.Find(c.Notices)
		if err != nil {
			return err
		}
		*folders = source.LessonFolders()
	}
	lessons, err := site.FollowLessons(*folders...)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "lesson\tscene\tminutes\tsteps\ttitle")
		for _, l := range lessons {
			fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\n", l.Name, l.Scene, l.Minutes, len(l.Steps), l.Title)
		}
		return table.Flush()
	})
}
