//! The retry policy, and the breaker and the budget together in an outage.

use std::time::Duration;

use frontdesk_core::model::{ModelError, ModelErrorKind};
use proptest::prelude::*;
use tokio::time::Instant;

use super::{Budget, MAX_WAIT, wait_after};
use crate::breaker::Breaker;

fn error(kind: ModelErrorKind, retry_after: Option<Duration>) -> ModelError {
    ModelError {
        retry_after,
        ..ModelError::new(kind, "x")
    }
}

#[test]
fn errors_that_a_retry_cannot_fix_are_not_retried() {
    for kind in [
        ModelErrorKind::Rejected,
        ModelErrorKind::Unauthorized,
        ModelErrorKind::ContextTooLong,
    ] {
        assert_eq!(wait_after(&error(kind, None), 1, 0.5), None);
    }
    let too_long = error(ModelErrorKind::RateLimited, Some(Duration::from_secs(11)));
    assert_eq!(wait_after(&too_long, 1, 0.5), None);
}

#[test]
fn backoff_doubles_and_is_jittered_in_full() {
    let unavailable = error(ModelErrorKind::Unavailable, None);
    let wait = |made, random| wait_after(&unavailable, made, random).unwrap();
    assert_eq!(wait(1, 0.0), Duration::ZERO);
    assert_eq!(wait(1, 0.5), Duration::from_millis(250));
    assert_eq!(wait(2, 0.5), Duration::from_millis(500));
    assert!(wait(u32::MAX, 0.999) <= MAX_WAIT);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_wait_respects_retry_after_and_the_maximum(told in 0u64..20_000, made in 1u32..9, random in 0.0..1.0) {
        let told = Duration::from_millis(told);
        let wait = wait_after(&error(ModelErrorKind::RateLimited, Some(told)), made, random);
        prop_assert_eq!(wait.is_some(), told <= MAX_WAIT);
        if let Some(wait) = wait {
            prop_assert!(wait >= told && wait <= MAX_WAIT + Duration::from_millis(250));
        }
    }

    #[test]
    fn retries_stay_within_a_fifth_of_the_requests(failures in prop::collection::vec(any::<bool>(), 1..2000)) {
        let now = Instant::now();
        let budget = Budget::new(now);
        let (mut requests, mut repetitions) = (0, 0);
        for fails in failures {
            budget.earn(now);
            requests += 1;
            repetitions += usize::from(fails && budget.spend());
            repetitions += usize::from(fails && budget.spend());
        }
        prop_assert!(repetitions <= requests / 5 + 10, "{repetitions} for {requests}");
    }
}

#[test]
fn a_quiet_installation_regains_its_credit() {
    let start = Instant::now();
    let budget = Budget::new(start);
    while budget.spend() {}
    budget.earn(start + Duration::from_secs(8));
    assert!(budget.spend(), "four fifths by waiting, one by asking");
    assert!(!budget.spend());
    budget.earn(start + Duration::from_secs(3600));
    assert_eq!((0..100).filter(|_| budget.spend()).count(), 10);
}

/// 50 requests per second, an upstream that is down for a minute, three attempts each.
/// (Waits are shorter than the tick and omitted.)
#[test]
fn an_outage_is_not_made_worse_and_ends_soon() {
    let start = Instant::now();
    let (budget, breaker) = (Budget::new(start), Breaker::new(start));
    let dead = Duration::from_secs(10)..Duration::from_secs(70);
    let (mut asked, mut sent, mut well_since) = (0u32, 0u32, None);
    for tick in 0..(90 * 50) {
        let elapsed = Duration::from_millis(20) * tick;
        let now = start + elapsed;
        let is_dead = dead.contains(&elapsed);
        asked += u32::from(is_dead);
        budget.earn(now);
        let mut answered = false;
        for attempt in 0..3 {
            let may = (attempt == 0 || budget.spend()) && breaker.admit(now).is_ok();
            if answered || !may {
                break;
            }
            sent += u32::from(is_dead);
            breaker.record(now, !is_dead);
            answered = !is_dead;
        }
        well_since = answered.then(|| well_since.unwrap_or(elapsed));
    }
    assert!(
        f64::from(sent) <= 1.2 * f64::from(asked),
        "{sent} for {asked}"
    );
    assert!(
        sent < asked / 10,
        "the breaker spares the upstream: {sent} for {asked}"
    );
    let recovery = well_since.unwrap() - dead.end;
    assert!(recovery <= Duration::from_secs(10), "{recovery:?}");
}
