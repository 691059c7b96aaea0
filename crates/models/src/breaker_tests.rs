//! The breaker opens on failures, admits probes and closes on a success.

use std::time::Duration;

use tokio::time::Instant;

use super::Breaker;

fn second(number: u64) -> Duration {
    Duration::from_secs(number)
}

/// A breaker after these results, ten per second.
fn after(start: Instant, results: &[bool]) -> Breaker {
    let breaker = Breaker::new(start);
    for (at, works) in results.iter().enumerate() {
        let now = start + Duration::from_millis(100) * u32::try_from(at).unwrap();
        breaker.record(now, *works);
    }
    breaker
}

#[test]
fn opens_at_half_failures_of_twenty() {
    let start = Instant::now();
    assert!(after(start, &[false; 19]).admit(start + second(2)).is_ok());
    assert!(after(start, &[false; 20]).admit(start + second(2)).is_err());
    let mut mixed = [true; 20];
    mixed[..9].fill(false);
    assert!(after(start, &mixed).admit(start + second(2)).is_ok());
    // Failures last, so that the share of one half is not reached before the twentieth
    // result.
    let mut mixed = [true; 20];
    mixed[10..].fill(false);
    assert!(after(start, &mixed).admit(start + second(2)).is_err());
}

#[test]
fn forgets_after_ten_seconds() {
    let start = Instant::now();
    let breaker = after(start, &[false; 19]);
    breaker.record(start + second(12), false);
    assert!(breaker.admit(start + second(12)).is_ok());
}

#[test]
fn one_probe_in_five_seconds_and_one_success_closes() {
    let start = Instant::now();
    let breaker = after(start, &[false; 20]);
    let opened = start + Duration::from_millis(1900);
    assert_eq!(breaker.admit(opened + second(2)), Err(second(3)));
    assert!(breaker.admit(opened + second(5)).is_ok(), "the probe");
    assert_eq!(
        breaker.admit(opened + second(5)),
        Err(second(5)),
        "only one"
    );
    breaker.record(opened + second(6), false);
    assert!(breaker.admit(opened + second(7)).is_err(), "it failed");
    assert!(breaker.admit(opened + second(10)).is_ok());
    breaker.record(opened + second(10), true);
    assert!(breaker.admit(opened + second(10)).is_ok(), "closed");
    breaker.record(opened + second(10), false);
    assert!(
        breaker.admit(opened + second(10)).is_ok(),
        "the past is forgotten"
    );
}
