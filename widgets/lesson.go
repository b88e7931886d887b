package widgets

import (
	"fmt"
	"hash/crc32"

	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// LessonBuilder creates the parts of a lesson, see [Lesson].
type LessonBuilder struct{ title string }

// Lesson begins a lesson. A lesson consists of beats, each a short text with an interactive stage,
// and a quiz at the end. The browser stores the reader's answers under the title of the lesson.
//
//	lesson := widgets.Lesson("A shadow forgets")
//	lesson.Beat("1.1", "Turn the cloud.").Stage(widgets.Projector(widgets.Recipe("pancakes", 1))).Show()
func Lesson(title string) LessonBuilder { return LessonBuilder{title} }

// Beat begins a beat. name is its number, such as "1.1", of at most 100 bytes, and text is shown
// above the stage. A setting of the stage can have a name, see for example [BenchBuilder.Named]. If
// the text contains the name of a setting, this name becomes a link to the setting.
func (l LessonBuilder) Beat(name, text string) BeatBuilder {
	return BeatBuilder{beat: interact.Beat{Lesson: l.title, Name: name, Text: text}}
}

// Quiz asks questions at the end of a lesson. The page checks and stores the answers, and shows the
// right answer after three tries.
func (l LessonBuilder) Quiz(questions ...AskBuilder) QuizBuilder {
	q := QuizBuilder{beat: interact.Beat{Lesson: l.title, Name: "Questions.", Text: "What do you take home?"}}
	// All quizzes have the same name, and the cell of a quiz has no access to other cells. The key
	// therefore depends on the questions.
	key := crc32.NewIEEE()
	for _, a := range questions {
		q.beat.Asks = append(q.beat.Asks, a.ask)
		fmt.Fprintf(key, "%q", a.ask.Question)
	}
	q.beat.Key = fmt.Sprintf("Questions %08x", key.Sum32())
	return q
}
