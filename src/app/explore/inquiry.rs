//! A question whose answer is worked out in the background: asked, answered, or out of date.

use crate::app::ground::background::{BackgroundTask, WakeHandle};
use crate::search::StopToken;

/// The last question asked, and the last answer. An answer holds for its question alone.
pub struct Inquiry<Question, Answer> {
    asked: Option<(Question, BackgroundTask<Answer>)>,
    answered: Option<(Question, Answer)>,
}

impl<Question, Answer> Default for Inquiry<Question, Answer> {
    fn default() -> Self {
        Inquiry { asked: None, answered: None }
    }
}

impl<Question: PartialEq, Answer: Send + 'static> Inquiry<Question, Answer> {
    /// True if this was asked last, or answered last and nothing asked since.
    pub fn is_about(&self, question: &Question) -> bool {
        match (&self.asked, &self.answered) {
            (Some((asked, _)), _) => asked == question,
            (None, Some((answered, _))) => answered == question,
            (None, None) => false,
        }
    }

    /// Asks. A question that was not answered yet is given up; the last answer stays until the next one comes.
    pub fn ask(&mut self, question: Question, wake: WakeHandle, work: impl FnOnce(&StopToken) -> Answer + Send + 'static) {
        self.asked = Some((question, BackgroundTask::start(wake, work)));
    }

    /// Looks for the answer; true if it has come just now.
    pub fn poll(&mut self) -> bool {
        let Some(answer) = self.asked.as_mut().and_then(|(_, task)| task.poll()) else { return false };
        self.answered = self.asked.take().map(|(question, _)| (question, answer));
        true
    }

    /// True while an answer is waited for.
    pub fn is_pending(&self) -> bool {
        self.asked.is_some()
    }

    /// The last answer, whatever the question was.
    pub fn answer(&self) -> Option<&Answer> {
        self.answered.as_ref().map(|(_, answer)| answer)
    }

    /// The answer to this question.
    pub fn answer_to(&self, question: &Question) -> Option<&Answer> {
        self.answered.as_ref().filter(|(of, _)| of == question).map(|(_, answer)| answer)
    }

    /// The last answer and its question, which are forgotten.
    pub fn take(&mut self) -> Option<(Question, Answer)> {
        self.answered.take()
    }

    /// Gives up the question that was not answered yet.
    pub fn give_up(&mut self) {
        self.asked = None;
    }
}
