package command

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"paretoplay/internal/site"
	"paretoplay/internal/teach/lesson"
)

func (c *call) lessonsFlag() *repeated {
	folders := &repeated{}
	c.flags.Var(folders, "lessons", "a `folder` with your own lessons as Markdown files; repeat for more")
	return folders
}

// tryLessons follows the lessons in a teacher’s folders or, if none is given, in the source tree.
func tryLessons(c *call) error {
	folders, only := c.lessonsFlag(), &repeated{}
	c.flags.Var(only, "only", "follow only the lesson with this `name`; repeat for more")
	random := c.flags.Int("random", 0,
		"instead, let this many random visitors try each goal; a goal that more than one in ten reaches needs no thought")
	seed := c.flags.Uint64("seed", 1, "seed of the random visitors")
	c.explain("Follows every step of the lessons in your folders, or otherwise in the source tree. It needs no browser.\n" +
		"It reports errors with file and line number.")
	if err := c.parse(); err != nil {
		return err
	}
	if *random < 0 {
		return fmt.Errorf("-random %d: expected a number of at least 0", *random)
	}
	if len(*folders) == 0 {
		source, err := site.Find(c.Notices)
		if err != nil {
			return err
		}
		*folders = source.LessonFolders()
	}
	lessons, err := site.ReadLessons(*folders, *only)
	if err != nil {
		return err
	}
	if *random > 0 {
		return c.wander(lessons, *random, *seed)
	}
	if err := site.FollowLessons(lessons); err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "lesson\tscene\tminutes\twords\tsteps\ttitle")
		for _, l := range lessons {
			fmt.Fprintf(table, "%s\t%s\t%.1f\t%d\t%d\t%s\n", l.Name, l.Scene, l.Time(), l.Words, len(l.Steps), l.Title)
		}
		return table.Flush()
	})
}

// maxByChance is the maximum share of random visitors who may reach a goal.
const maxByChance = 0.1

// wander simulates random visitors who try the goals of lessons, and prints how many reached each goal. It returns an
// error if too many reach a goal.
func (c *call) wander(lessons []*lesson.Lesson, tries int, seed uint64) error {
	var easy []string
	err := c.print(func(w io.Writer) error {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "lesson\tstep\treached\ttitle")
		for _, l := range lessons {
			reached, err := l.Random(tries, seed)
			if err != nil {
				return err
			}
			for _, r := range reached {
				fmt.Fprintf(table, "%s\t%d\t%d of %d\t%s\n", l.Name, r.Step, r.Reached, r.Tries, r.Title)
				if r.Share() > maxByChance {
					easy = append(easy, fmt.Sprintf("%s step %d (%d of %d)", l.Name, r.Step, r.Reached, r.Tries))
				}
			}
		}
		return table.Flush()
	})
	if err == nil && easy != nil {
		return fmt.Errorf("%d goals are too easy: more than %g %% of random visitors reach them: %s", len(easy), 100*maxByChance,
			strings.Join(easy, ", "))
	}
	return err
}
