//! Where randomness comes from: one number, told when a run fails.

use std::time::Duration;

/// Numbers that follow from a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Seed {
    state: u64,
}

impl Seed {
    /// This run's seed: `CRASH_SEED` when it was set for the build, else the test's own.
    pub fn of_run(own: u64) -> (Self, SeedReport) {
        let seed = option_env!("CRASH_SEED")
            .and_then(|text| text.parse().ok())
            .unwrap_or(own);
        (Self { state: seed }, SeedReport { seed })
    }

    /// Independent numbers for somebody else.
    pub fn split(&mut self) -> Self {
        Self { state: self.next() }
    }

    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn up_to(&mut self, longest: Duration) -> Duration {
        Duration::from_micros(self.next() % (longest.as_micros() as u64 + 1))
    }
}

/// Says how to repeat a run that failed.
pub struct SeedReport {
    seed: u64,
}

impl Drop for SeedReport {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let thread = std::thread::current();
            let test = thread.name().unwrap_or("crash").to_owned();
            let seed = self.seed;
            eprintln!(
                "seed {seed}; again: CRASH_SEED={seed} cargo nextest run -p frontdesk --run-ignored all {test}"
            );
        }
    }
}
