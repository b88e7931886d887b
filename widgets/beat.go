package widgets

import "github.com/ssdrnb/ssdrnb/widgets/internal/interact"

// BeatBuilder collects the parts of a beat, see [LessonBuilder.Beat]. Its methods return
// changed copies.
type BeatBuilder struct {
	beat  interact.Beat
	stage Stage
}

// Predict asks a question before the reader can use the stage. The answer stays visible beside the
// result.
func (b BeatBuilder) Predict(a AskBuilder) BeatBuilder {
	b.beat.Asks = append(b.beat.Asks[:len(b.beat.Asks):len(b.beat.Asks)], a.ask)
	return b
}

// Stage sets the interactive part of the beat.
func (b BeatBuilder) Stage(s Stage) BeatBuilder {
	b.stage = s
	return b
}

// Reveal sets the text that appears below the stage after the reader's first action. "{name}" is
// replaced by the value of the stage's meter with that name.
//
//	Reveal("Your shadow keeps {spread kept} of the spread.")
func (b BeatBuilder) Reveal(text string) BeatBuilder {
	b.beat.Reveal = text
	return b
}

// Show shows the beat.
func (b BeatBuilder) Show() {
	t := interact.Task{Kind: interact.KindQuiz, Beat: &b.beat}
	if b.stage != nil {
		spec, d := b.stage.stage()
		t.Kind, t.Stage, t.Data = interact.KindBeat, &spec, d
	}
	showLesson(t)
}
