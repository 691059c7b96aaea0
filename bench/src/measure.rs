//! CPU time and allocations of a turn, averaged over many.

use anyhow::Result;
use frontdesk_bench::stats;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use rustix::time::ClockId;
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
    pub fn median<'a>(costs: impl Iterator<Item = &'a TurnCost>) -> TurnCost {
        let (cpu_us, allocations) = costs.map(|cost| (cost.cpu_us, cost.allocations)).unzip();
        TurnCost {
            cpu_us: stats::median(cpu_us),
            allocations: stats::median(allocations),
        }
    }
}

/// Runs turns with some in flight, after a warm-up.
pub async fn cost(turns: &impl Turns, count: usize, in_flight: usize) -> Result<TurnCost> {
    run(turns, in_flight * 2, in_flight).await?;
    let region = Region::new(ALLOCATIONS);
    let before = stats::cpu(ClockId::ProcessCPUTime);
    run(turns, count, in_flight).await?;
    let spent = stats::cpu(ClockId::ProcessCPUTime) - before;
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
