//! Which worker answers which question. A worker answers one question at a time and hears nothing meanwhile, so questions wait here and not there.

use std::collections::VecDeque;

/// The largest number of workers that answer questions, beside the one that paints.
const MOST: usize = 4;
/// So many of them may be busy with questions that take long: one is left for what the user waits for.
const MOST_LONG: usize = MOST - 1;
/// A worker keeps so many engines; see [`compute`](qiju_core::compute).
const KEPT: usize = 3;
/// So often a question is asked before its worker's death counts as its fault.
const TRIES: u8 = 2;

/// What kind of question it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// The next picture waits for it: it has a worker of its own.
    Picture,
    /// The user waits for it, or it is answered soon.
    Soon,
    /// It takes long, or goes on until it is stopped.
    Long,
}

/// A question as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What kind of question it is.
    pub priority: Priority,
    /// The name of its kind in messages.
    pub key: &'static str,
    /// The question as bytes.
    pub bytes: Vec<u8>,
    /// The number of what its worker keeps for the next such question.
    pub keeps: Option<u64>,
}

struct Asked {
    number: u64,
    question: Question,
    tries: u8,
    /// False if nobody waits for the answer any more.
    wanted: bool,
}

#[derive(Default)]
struct Worker {
    started: bool,
    busy: Option<Asked>,
    /// What it keeps, the last used first.
    kept: VecDeque<u64>,
}

/// What happens to a question that is no longer wanted.
#[derive(Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// It had not been sent, and is forgotten.
    Waiting,
    /// This worker is to stop.
    Running(usize),
    /// It was answered before.
    Over,
}

/// What becomes of a question whose worker has died.
#[derive(Debug, PartialEq, Eq)]
pub enum Death {
    /// No question was lost.
    Idle,
    /// It will be asked again, of a new worker.
    AskedAgain,
    /// The question with this number has ended its workers; it is not asked again.
    GivenUp(u64),
}

/// The workers and the questions.
pub struct Pool {
    waiting: VecDeque<Asked>,
    workers: Vec<Worker>,
    last: u64,
}

impl Default for Pool {
    fn default() -> Pool {
        // The first one paints.
        Pool { waiting: VecDeque::new(), workers: (0..=MOST).map(|_| Worker::default()).collect(), last: 0 }
    }
}

impl Pool {
    /// Takes a question; returns its number.
    pub fn ask(&mut self, question: Question) -> u64 {
        self.last += 1;
        self.waiting.push_back(Asked { number: self.last, question, tries: 0, wanted: true });
        self.last
    }

    /// The next question that can be sent, with its number and its worker, which is started first if it has not been.
    pub fn send(&mut self) -> Option<(usize, u64, Question)> {
        let found = (0..self.waiting.len()).find_map(|at| Some((at, self.worker_for(&self.waiting[at].question)?)));
        let (at, worker) = found?;
        let mut asked = self.waiting.remove(at)?;
        asked.tries += 1;
        let of = &mut self.workers[worker];
        of.started = true;
        if let Some(keeps) = asked.question.keeps {
            of.kept.retain(|kept| *kept != keeps);
            of.kept.push_front(keeps);
            of.kept.truncate(KEPT);
        }
        let sent = (worker, asked.number, asked.question.clone());
        of.busy = Some(asked);
        Some(sent)
    }

    /// The worker that can answer a question now.
    fn worker_for(&self, question: &Question) -> Option<usize> {
        let idle = |worker: usize| self.workers[worker].busy.is_none().then_some(worker);
        if question.priority == Priority::Picture {
            return idle(0);
        }
        let is_long = |worker: &Worker| worker.busy.as_ref().is_some_and(|asked| asked.question.priority == Priority::Long);
        if question.priority == Priority::Long && self.workers.iter().filter(|worker| is_long(worker)).count() >= MOST_LONG {
            return None;
        }
        let holder = question.keeps.and_then(|keeps| (1..=MOST).find(|worker| self.workers[*worker].kept.contains(&keeps)));
        if let Some(holder) = holder {
            return idle(holder);
        }
        // One that runs already, and of these the one that keeps least; its memory is not needed a second time.
        (1..=MOST).filter_map(idle).min_by_key(|worker| (!self.workers[*worker].started, self.workers[*worker].kept.len()))
    }

    /// Hears that a worker has answered. Returns the number of the question if its answer is still wanted.
    pub fn answered(&mut self, worker: usize) -> Option<u64> {
        let asked = self.workers[worker].busy.take()?;
        asked.wanted.then_some(asked.number)
    }

    /// The number of the question that a worker is busy with, if its answer is wanted.
    pub fn asked_of(&self, worker: usize) -> Option<u64> {
        self.workers[worker].busy.as_ref().filter(|asked| asked.wanted).map(|asked| asked.number)
    }

    /// A question is no longer wanted.
    pub fn cancel(&mut self, number: u64) -> Cancelled {
        if let Some(at) = self.waiting.iter().position(|asked| asked.number == number) {
            self.waiting.remove(at);
            return Cancelled::Waiting;
        }
        for (index, worker) in self.workers.iter_mut().enumerate() {
            if let Some(asked) = worker.busy.as_mut().filter(|asked| asked.number == number && asked.wanted) {
                asked.wanted = false;
                return Cancelled::Running(index);
            }
        }
        Cancelled::Over
    }

    /// A worker has died, with everything that it kept. Its question goes to the front.
    pub fn died(&mut self, worker: usize) -> Death {
        let dead = std::mem::take(&mut self.workers[worker]);
        match dead.busy {
            Some(asked) if asked.wanted && asked.tries < TRIES => {
                self.waiting.push_front(asked);
                Death::AskedAgain
            }
            Some(asked) if asked.wanted => Death::GivenUp(asked.number),
            _ => Death::Idle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(priority: Priority, keeps: Option<u64>) -> Question {
        Question { priority, key: "think", bytes: vec![1], keeps }
    }

    /// Worker and number of everything that can be sent now.
    fn sent(pool: &mut Pool) -> Vec<(usize, u64)> {
        std::iter::from_fn(|| pool.send()).map(|(worker, number, _)| (worker, number)).collect()
    }

    #[test]
    fn an_engine_stays_with_its_worker() {
        let mut pool = Pool::default();
        let first = pool.ask(question(Priority::Long, Some(7)));
        let [(worker, number)] = sent(&mut pool)[..] else { panic!("one question was asked") };
        assert_eq!(number, first);
        // The same engine is asked again before it has answered: the question waits, and another engine's does not.
        let again = pool.ask(question(Priority::Long, Some(7)));
        let other = pool.ask(question(Priority::Long, Some(8)));
        let elsewhere = sent(&mut pool);
        assert_eq!(elsewhere.iter().map(|(_, number)| *number).collect::<Vec<_>>(), [other]);
        assert_ne!(elsewhere[0].0, worker);
        assert_eq!(pool.answered(worker), Some(first));
        assert_eq!(sent(&mut pool), [(worker, again)]);
    }

    #[test]
    fn pictures_have_their_own_worker_and_a_place_is_left_for_what_is_soon() {
        let mut pool = Pool::default();
        for engine in 0..9 {
            pool.ask(question(Priority::Long, Some(engine)));
        }
        assert_eq!(sent(&mut pool).len(), MOST_LONG);
        let soon = pool.ask(question(Priority::Soon, None));
        let pictures = [pool.ask(question(Priority::Picture, None)), pool.ask(question(Priority::Picture, None))];
        let now = sent(&mut pool);
        assert_eq!(now.iter().map(|(_, number)| *number).collect::<Vec<_>>(), [soon, pictures[0]]);
        assert_eq!(now[1].0, 0);
        assert_eq!(pool.answered(0), Some(pictures[0]));
        assert_eq!(sent(&mut pool), [(0, pictures[1])]);
    }

    #[test]
    fn a_worker_that_runs_is_used_before_a_new_one_is_started() {
        let mut pool = Pool::default();
        let mut used = std::collections::BTreeSet::new();
        for _ in 0..5 {
            pool.ask(question(Priority::Soon, None));
            let now = sent(&mut pool);
            used.insert(now[0].0);
            pool.answered(now[0].0);
        }
        assert_eq!(used.len(), 1);
    }

    #[test]
    fn what_is_not_wanted_is_not_answered() {
        let mut pool = Pool::default();
        let (running, waiting) = (pool.ask(question(Priority::Long, Some(1))), pool.ask(question(Priority::Long, Some(1))));
        let [(worker, _)] = sent(&mut pool)[..] else { panic!("the second question waits") };
        assert_eq!((pool.cancel(waiting), pool.cancel(running)), (Cancelled::Waiting, Cancelled::Running(worker)));
        assert_eq!((pool.cancel(running), pool.asked_of(worker)), (Cancelled::Over, None));
        // It is busy until it says that it has stopped.
        let next = pool.ask(question(Priority::Long, Some(1)));
        assert_eq!(sent(&mut pool), []);
        assert_eq!(pool.answered(worker), None);
        assert_eq!(sent(&mut pool), [(worker, next)]);
        assert_eq!(pool.asked_of(worker), Some(next));
    }

    #[test]
    fn a_question_survives_the_death_of_its_worker_once() {
        let mut pool = Pool::default();
        let number = pool.ask(question(Priority::Soon, Some(3)));
        let later = pool.ask(question(Priority::Soon, Some(3)));
        let [(worker, _)] = sent(&mut pool)[..] else { panic!("the second question waits") };
        assert_eq!(pool.died(worker), Death::AskedAgain);
        let [(worker, again)] = sent(&mut pool)[..] else { panic!("the question is asked again") };
        assert_eq!(again, number);
        assert_eq!(pool.died(worker), Death::GivenUp(number));
        let [(worker, next)] = sent(&mut pool)[..] else { panic!("the next one is asked") };
        assert_eq!(next, later);
        // Nobody waits for it any more when its worker dies.
        pool.cancel(later);
        assert_eq!((pool.died(worker), pool.died(worker)), (Death::Idle, Death::Idle));
        assert_eq!(sent(&mut pool), []);
    }
}
