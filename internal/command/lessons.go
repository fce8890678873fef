package command

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"paretoplay/internal/site"
	"paretoplay/internal/teach/lesson"
)

// lessonsFlag adds the flag for a teacher’s folders of lessons.
func (c *call) lessonsFlag() *repeated {
	folders := &repeated{}
	c.flags.Var(folders, "lessons", "your own lessons: a `folder` of Markdown files; repeat for more")
	return folders
}

// tryLessons follows the lessons in a teacher’s folders, or else the source tree’s.
func tryLessons(c *call) error {
	folders, only := c.lessonsFlag(), &repeated{}
	c.flags.Var(only, "only", "only the lesson with this `name`; repeat for more")
	random := c.flags.Int("random", 0,
		"instead, how many random visitors try each goal: what more than one in ten reaches asks for no thought")
	seed := c.flags.Uint64("seed", 1, "of the random visitors")
	c.explain("which follows every step of lessons without a browser: in your folders, or else in the source tree.\n" +
		"It reports errors with file and line.")
	if err := c.parse(); err != nil {
		return err
	}
	if *random < 0 {
		return fmt.Errorf("-random %d: a number from 0 is expected", *random)
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

// wander lets random visitors try the goals of lessons, and prints how many reached each. Goals that too many reach are an error.
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
		return fmt.Errorf("%d goals are reached by more than %g %% of random visitors: %s", len(easy), 100*maxByChance,
			strings.Join(easy, ", "))
	}
	return err
}
