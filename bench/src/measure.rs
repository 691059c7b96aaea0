//! CPU time and allocations of a turn, averaged over many.

use std::time::Duration;

use anyhow::Result;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use rustix::time::{ClockId, clock_gettime};
use stats_alloc::Region;

use crate::ALLOCATIONS;

/// An implementation of one turn.
pub trait Turns {
    fn turn(&self) -> impl Future<Output = Result<()>>;
}

#[derive(Clone, Copy, Debug)]
pub struct TurnCost {
    pub cpu_us: f64,
    pub allocations: f64,
}

impl TurnCost {
    pub fn median(figures: impl Iterator<Item = TurnCost>) -> TurnCost {
        let figures: Vec<TurnCost> = figures.collect();
        let middle = |pick: fn(&TurnCost) -> f64| {
            let mut values: Vec<f64> = figures.iter().map(pick).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
        };
        TurnCost {
            cpu_us: middle(|figure| figure.cpu_us),
            allocations: middle(|figure| figure.allocations),
        }
    }
}

/// Runs turns with some in flight, after a warm-up.
pub async fn cost(turns: &impl Turns, count: usize, in_flight: usize) -> Result<TurnCost> {
    run(turns, in_flight * 2, in_flight).await?;
    let region = Region::new(ALLOCATIONS);
    let before = cpu();
    run(turns, count, in_flight).await?;
    let spent = cpu() - before;
    let allocated = region.change();
    let count = count as f64;
    Ok(TurnCost {
        cpu_us: spent.as_secs_f64() * 1e6 / count,
        allocations: allocated.allocations as f64 / count,
    })
}

async fn run(turns: &impl Turns, count: usize, in_flight: usize) -> Result<()> {
    stream::iter(0..count)
        .map(|_| turns.turn())
        .buffer_unordered(in_flight)
        .try_collect::<Vec<()>>()
        .await?;
    Ok(())
}

/// CPU time of this process, all threads.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanos)
}
