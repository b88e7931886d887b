package widgets

import "github.com/ssdrnb/ssdrnb/widgets/internal/interact"

// QuizBuilder contains the questions at the end of a lesson, see [LessonBuilder.Quiz].
type QuizBuilder struct{ beat interact.Beat }

// Show shows the questions.
func (q QuizBuilder) Show() { showLesson(interact.Task{Kind: interact.KindQuiz, Beat: &q.beat}) }
