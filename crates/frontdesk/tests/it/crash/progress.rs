//! Says how far a long run has come, so that nobody has to guess whether it still goes on.

use std::time::{Duration, Instant};

use super::clients::ClientLog;

/// Between two lines.
const EVERY: Duration = Duration::from_secs(10);

pub struct Progress {
    what: String,
    total: usize,
    done: usize,
    begun: Instant,
    told: Instant,
}

impl Progress {
    pub fn of(what: String, total: usize) -> Self {
        let now = Instant::now();
        Self {
            what,
            total,
            done: 0,
            begun: now,
            told: now,
        }
    }

    /// One more; told now and then, and at the end.
    pub fn step(&mut self, log: &ClientLog) {
        self.done += 1;
        if self.told.elapsed() < EVERY && self.done < self.total {
            return;
        }
        self.told = Instant::now();
        eprintln!(
            "{}: {} of {}, {} messages taken, {} s",
            self.what,
            self.done,
            self.total,
            log.count(),
            self.begun.elapsed().as_secs()
        );
    }
}
