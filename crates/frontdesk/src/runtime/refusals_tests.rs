//! The cache of exceeded rate limits.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::{MANY, Refusals};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

// design: promises K6
#[test]
fn a_wait_is_known_until_it_is_over() {
    let refusals = Refusals::default();
    refusals.note("ann".to_owned(), at(10), Duration::from_secs(30));
    assert_eq!(refusals.left("ann", at(15)), Some(Duration::from_secs(25)));
    assert_eq!(refusals.left("bob", at(15)), None);
    assert_eq!(refusals.left("ann", at(40)), None);
    assert_eq!(refusals.left("ann", at(50)), None);
}

#[test]
fn expired_entries_are_removed() {
    let refusals = Refusals::default();
    for number in 0..3 * MANY {
        let now = at(i64::try_from(number).unwrap());
        refusals.note(number.to_string(), now, Duration::from_secs(5));
    }
    assert!(refusals.until.lock().unwrap().len() <= MANY);
    let last = (3 * MANY - 1).to_string();
    assert!(refusals.left(&last, at(3 * 1024)).is_some());
}
