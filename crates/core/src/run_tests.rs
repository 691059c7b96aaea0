//! Unit tests of the driver; `tests/it` covers its behaviour.

use std::time::Duration;

use super::{Cancel, model_failed};
use crate::model::{ModelError, ModelErrorKind};
use crate::outcome::Outcome;

#[test]
fn stop_pressed_twice_is_stop() {
    let cancel = Cancel::default();
    let other = cancel.clone();
    assert!(!cancel.is_set());
    other.cancel();
    cancel.cancel();
    assert!(cancel.is_set() && other.is_set());
}

#[test]
fn a_wait_is_rounded_up_to_whole_seconds() {
    let check = |wait: Option<Duration>, expected: Option<u64>| {
        let mut error = ModelError::new(ModelErrorKind::RateLimited, "slow down");
        error.retry_after = wait;
        let outcome = Outcome::ModelFailed {
            kind: ModelErrorKind::RateLimited,
            retry_after_seconds: expected,
        };
        assert_eq!(model_failed(&error), outcome);
    };
    check(None, None);
    check(Some(Duration::ZERO), Some(1));
    check(Some(Duration::from_secs(7)), Some(7));
    check(Some(Duration::from_millis(1_100)), Some(2));
}
