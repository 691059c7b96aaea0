//! Prints the progress of a long run.

use std::time::{Duration, Instant};

use super::clients::ClientLog;

/// Interval between two lines.
const EVERY: Duration = Duration::from_secs(10);

pub struct Progress {
    what: String,
    total: usize,
    done: usize,
    begun: Instant,
    last_printed: Instant,
}

impl Progress {
    pub fn of(what: String, total: usize) -> Self {
        let now = Instant::now();
        Self {
            what,
            total,
            done: 0,
            begun: now,
            last_printed: now,
        }
    }

    /// Counts one step; prints at most one line per interval, and one at the end.
    pub fn step(&mut self, log: &ClientLog) {
        self.done += 1;
        if self.last_printed.elapsed() < EVERY && self.done < self.total {
            return;
        }
        self.last_printed = Instant::now();
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
