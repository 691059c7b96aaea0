//! Looking candidates up: by name, by conditions, in an order.

use uuid::Uuid;

use super::*;
use crate::domain::ranking::ranking_tests::{candidate, gig};

fn called(number: u128, name: &str, price: Option<i64>, days: Option<i64>) -> CandidateContext {
    CandidateContext {
        id: Uuid::from_u128(number),
        candidate_id: format!("c-{number}"),
        candidate_name: Some(name.to_owned()),
        ..candidate(price, days)
    }
}

fn pool() -> Pool {
    let mut all = vec![
        called(1, "Анна Петрова", Some(12_000), Some(5)),
        called(2, "Борис Ким", Some(30_000), Some(2)),
        called(3, "Анна Смирнова", None, Some(9)),
        called(4, "Инна Волкова", Some(19_000), None),
    ];
    all[0].skills = Some(vec!["HTML".into(), "CSS".into()]);
    all[1].skills = Some(vec!["HTML".into()]);
    all[1].status = GigResponseStatus::Interview;
    Pool::build(gig(Some(10_000), Some(20_000)), all, Utc::now())
}

fn names(found: &[&CandidateContext]) -> Vec<String> {
    found.iter().map(|one| one.name()).collect()
}

#[test]
fn one_several_or_nobody() {
    let pool = pool();
    assert!(matches!(pool.find("Бориса"), Found::One(one) if one.name() == "Борис Ким"));
    assert!(matches!(pool.find("c-4"), Found::One(one) if one.name() == "Инна Волкова"));
    assert!(matches!(pool.find("Анну"), Found::Several(several) if several.len() == 2));
    let Found::UnavailableApi(near) = pool.find("Анна Волкова") else {
        panic!("nobody is called so");
    };
    assert!(names(&near).contains(&"Инна Волкова".to_owned()));
    assert_eq!(pool.find("Зигмунд"), Found::UnavailableApi(Vec::new()));
}

#[test]
fn conditions_hold_together_and_the_unknown_fits_no_limit() {
    let pool = pool();
    let within = Filter {
        within_budget: true,
        order: Order::Price,
        ..Filter::default()
    };
    assert_eq!(
        names(&pool.filter(&within)),
        ["Анна Петрова", "Инна Волкова"]
    );
    let quick = Filter {
        max_days: Some(5),
        order: Order::Delivery,
        ..Filter::default()
    };
    assert_eq!(names(&pool.filter(&quick)), ["Борис Ким", "Анна Петрова"]);
    let lacking = Filter {
        without_skill: Some("css".into()),
        status: Some(GigResponseStatus::Interview),
        ..Filter::default()
    };
    assert_eq!(names(&pool.filter(&lacking)), ["Борис Ким"]);
}

#[test]
fn the_best_come_first_and_rejected_people_have_no_place() {
    let mut all = vec![
        called(1, "А", Some(10_000), None),
        called(2, "Б", Some(20_000), None),
    ];
    all[0].hr_selection_status = Some(GigHrSelectionStatus::Rejected);
    let pool = Pool::build(gig(Some(10_000), Some(20_000)), all, Utc::now());
    assert_eq!(
        names(&pool.candidates.iter().collect::<Vec<_>>()),
        ["Б", "А"]
    );
    assert_eq!(
        (
            pool.candidates[1].composite_score,
            pool.candidates[1].place()
        ),
        (None, None)
    );
}
