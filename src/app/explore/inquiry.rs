//! A request whose answer is computed in the background.

use crate::app::ground::background::{Place, Running, WakeHandle};
use qiju_core::compute::Computation;

/// The last question and the last answer. An answer is valid only for its question.
pub struct Inquiry<Question, C: Computation> {
    asked: Option<(Question, Running<C>)>,
    answered: Option<(Question, C::Answer)>,
}

impl<Question, C: Computation> Default for Inquiry<Question, C> {
    fn default() -> Self {
        Inquiry { asked: None, answered: None }
    }
}

impl<Question: PartialEq, C: Computation> Inquiry<Question, C> {
    /// True if this is the last question, answered or not.
    pub fn is_about(&self, question: &Question) -> bool {
        match (&self.asked, &self.answered) {
            (Some((asked, _)), _) => asked == question,
            (None, Some((answered, _))) => answered == question,
            (None, None) => false,
        }
    }

    /// Asks a question. An unanswered question is cancelled; the last answer stays until the next one arrives.
    pub fn ask(&mut self, question: Question, wake: WakeHandle, computation: C) {
        self.asked = Some((question, Running::start(Place::Pool, wake, computation)));
    }

    /// Checks for the answer; true if it has just arrived.
    pub fn poll(&mut self) -> bool {
        let Some(answer) = self.asked.as_mut().and_then(|(_, task)| task.poll()) else { return false };
        self.answered = self.asked.take().map(|(question, _)| (question, answer));
        true
    }

    /// True while the answer is being computed.
    pub fn is_pending(&self) -> bool {
        self.asked.is_some()
    }

    /// The last answer, for any question.
    pub fn answer(&self) -> Option<&C::Answer> {
        self.answered.as_ref().map(|(_, answer)| answer)
    }

    /// The answer to this question.
    pub fn answer_to(&self, question: &Question) -> Option<&C::Answer> {
        self.answered.as_ref().filter(|(of, _)| of == question).map(|(_, answer)| answer)
    }

    /// Removes and returns the last answer and its question.
    pub fn take(&mut self) -> Option<(Question, C::Answer)> {
        self.answered.take()
    }

    /// Cancels the unanswered question.
    pub fn give_up(&mut self) {
        self.asked = None;
    }
}
