//! The fake clock keeps its own time, and a jump wakes exactly the sleepers that are due.

use super::*;

fn noon() -> DateTime<Utc> {
    "2026-02-28T12:00:00Z".parse().unwrap()
}

#[test]
fn it_starts_at_the_given_time_and_advances_on_request() {
    let clock = FakeClock::starting(noon());
    let shared = clock.clone();
    clock.advance(Duration::from_secs(86_400));
    let passed = shared.now() - noon();
    assert!(passed >= TimeDelta::days(1), "{passed}");
    assert!(passed < TimeDelta::days(2), "{passed}");
}

#[tokio::test]
async fn a_jump_wakes_only_due_sleepers() {
    let clock = FakeClock::starting(noon());
    let soon = clock.sleep(Duration::from_secs(3_600));
    let later = tokio::spawn(clock.sleep(Duration::from_secs(3_600_000)));
    clock.advance(Duration::from_secs(3_601));
    soon.await;
    assert!(!later.is_finished());
    clock.advance(Duration::from_secs(3_600_000));
    later.await.unwrap();
}

#[test]
fn ids_ascend() {
    let clock = FakeClock::starting(noon());
    let ids: Vec<Uuid> = (0..100).map(|_| clock.id()).collect();
    assert!(ids.is_sorted());
}
