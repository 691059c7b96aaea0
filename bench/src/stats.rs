//! Figures of many measurements.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

pub fn median(mut values: Vec<f64>) -> f64 {
    percentile(&mut values, 50)
}

/// Sorts the values; NaN without any.
pub fn percentile(values: &mut [f64], of: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() * of / 100).min(values.len().saturating_sub(1));
    values.get(at).copied().unwrap_or(f64::NAN)
}

/// CPU time of this process or of this thread.
pub fn cpu(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanos)
}
