//! The table sorted by every column, both ways, and narrowed.

use std::sync::Arc;

use chrono::{TimeDelta, Utc};

use super::*;
use crate::domain::gig_context::GigContext;
use crate::domain::kinds::GigResponseStatus;
use crate::domain::ranking::ranking_tests::{candidate, gig};
use crate::domain::rates::Rates;

fn pool() -> Pool {
    let called = |number: u128, name: &str, price: Option<i64>| CandidateContext {
        id: Uuid::from_u128(number),
        candidate_id: format!("c-{number}"),
        candidate_name: Some(name.to_owned()),
        ..candidate(price, None)
    };
    let mut all = vec![
        called(1, "Вера Ким", Some(12_000)),
        called(2, "Анна Петрова", None),
        called(3, "Борис Волков", Some(30_000)),
    ];
    all[2].status = GigResponseStatus::Interview;
    build(all)
}

fn build(all: Vec<CandidateContext>) -> Pool {
    let rates = Arc::new(Rates::parse("USD/RUB=90").unwrap());
    let deadline = Utc::now() + TimeDelta::days(10) + TimeDelta::hours(1);
    let gig = GigContext {
        deadline: Some(deadline),
        ..gig(Some(10_000), Some(20_000))
    };
    Pool::build(gig, all, &rates, Utc::now())
}

fn names(pool: &Pool, query: &Query) -> Vec<String> {
    pool.query(query).iter().map(|one| one.name()).collect()
}

fn by(column: Column, direction: Direction) -> Query {
    Query {
        sort: Some(column),
        direction: Some(direction),
        ..Query::default()
    }
}

#[test]
fn every_column_goes_both_ways_and_the_unknown_comes_last() {
    let pool = pool();
    let shown = |column, direction| names(&pool, &by(column, direction));
    assert_eq!(
        shown(Column::Price, Direction::Asc),
        ["Вера Ким", "Борис Волков", "Анна Петрова"]
    );
    assert_eq!(
        shown(Column::Price, Direction::Desc),
        ["Борис Волков", "Вера Ким", "Анна Петрова"]
    );
    assert_eq!(
        shown(Column::Name, Direction::Asc),
        ["Анна Петрова", "Борис Волков", "Вера Ким"]
    );
    assert_eq!(shown(Column::Status, Direction::Desc)[0], "Борис Волков");
    assert_eq!(
        shown(Column::Place, Direction::Asc),
        names(&pool, &Query::default())
    );
    for column in [Column::Delivery, Column::Screening, Column::Interview] {
        assert_eq!(shown(column, Direction::Desc).len(), 3);
    }
}

#[test]
fn a_part_of_a_name_and_a_list_of_ids_narrow_it() {
    let pool = pool();
    let searched = |text: &str| {
        names(
            &pool,
            &Query {
                text: Some(text.to_owned()),
                ..Query::default()
            },
        )
    };
    assert_eq!(searched("волк"), ["Борис Волков"]);
    assert_eq!(searched("Анну"), ["Анна Петрова"]);
    assert_eq!(searched("c-1"), ["Вера Ким"]);
    let among = Query {
        among: vec![Uuid::from_u128(3), Uuid::from_u128(99)],
        ..Query::default()
    };
    assert_eq!(names(&pool, &among), ["Борис Волков"]);
}

/// Six people who differ in everything that can be asked for.
fn varied() -> Pool {
    let one = |number: u128, price, days| CandidateContext {
        id: Uuid::from_u128(number),
        candidate_id: number.to_string(),
        candidate_name: Some(number.to_string()),
        ..candidate(price, days)
    };
    let skills = |list: &[&str]| Some(list.iter().map(|skill| (*skill).to_owned()).collect());
    let mut all = vec![
        one(1, Some(10_000), Some(3)),
        one(2, Some(20_000), Some(10)),
        one(3, Some(30_000), Some(11)),
        one(4, None, None),
        one(5, Some(100), Some(5)),
        one(6, Some(100), Some(5)),
    ];
    all[0].skills = skills(&["HTML", "CSS"]);
    all[1].skills = skills(&["HTML", "React"]);
    all[2].skills = skills(&["PHP"]);
    all[0].screening_score = Some(4.0);
    all[1].interview_score = Some(55.0);
    all[2].hr_selection_status = Some(GigHrSelectionStatus::Rejected);
    all[3].experience = Some("5 лет".to_owned());
    all[4].proposed_currency = "USD".to_owned();
    all[5].proposed_currency = "EUR".to_owned();
    build(all)
}

fn matching(query: Query) -> Vec<String> {
    let mut found = names(&varied(), &query);
    found.sort();
    found
}

#[test]
fn limits_are_inclusive_and_the_unknown_fits_none() {
    let price = |min, max| {
        matching(Query {
            min_price: min,
            max_price: max,
            ..Query::default()
        })
    };
    // 100 USD are 9000 RUB; for EUR there is no rate, so it is never compared.
    assert_eq!(price(None, Some(10_000)), ["1", "5"]);
    assert_eq!(price(Some(20_000), None), ["2", "3"]);
    assert_eq!(price(Some(9_000), Some(20_000)), ["1", "2", "5"]);
    let dollars = Query {
        max_price: Some(112),
        currency: Some(Currency::Usd),
        ..Query::default()
    };
    assert_eq!(matching(dollars), ["1", "5"]);
    let days = Query {
        min_days: Some(10),
        ..Query::default()
    };
    assert_eq!(matching(days), ["2", "3"]);
    let screening = Query {
        min_screening: Some(80),
        ..Query::default()
    };
    assert_eq!(matching(screening), ["1"]);
}

#[test]
fn budget_and_deadline_are_the_gigs_own() {
    let budget = |within| {
        matching(Query {
            within_budget: Some(within),
            ..Query::default()
        })
    };
    assert_eq!(
        (budget(true), budget(false)),
        (strings(&["1", "2", "5"]), strings(&["3"]))
    );
    let deadline = |before| {
        matching(Query {
            before_deadline: Some(before),
            ..Query::default()
        })
    };
    assert_eq!(deadline(true), ["1", "2", "5", "6"]);
    assert_eq!(deadline(false), ["3"]);
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|one| (*one).to_owned()).collect()
}

#[test]
fn skills_and_presence_narrow_it() {
    let skills = |all: &[&str], any: &[&str], none: &[&str]| {
        matching(Query {
            with_skills: strings(all),
            any_skills: strings(any),
            without_skills: strings(none),
            ..Query::default()
        })
    };
    assert_eq!(skills(&["html", "css"], &[], &[]), ["1"]);
    assert_eq!(skills(&[], &["css", "react"], &[]), ["1", "2"]);
    assert_eq!(skills(&["html"], &[], &["React"]), ["1"]);
    let has = |query: Query| matching(query);
    assert_eq!(
        has(Query {
            has_price: Some(false),
            ..Query::default()
        }),
        ["4"]
    );
    assert_eq!(
        has(Query {
            has_interview: Some(true),
            ..Query::default()
        }),
        ["2"]
    );
    assert_eq!(
        has(Query {
            has_experience: Some(true),
            ..Query::default()
        }),
        ["4"]
    );
    assert_eq!(
        has(Query {
            hr_status: Some(GigHrSelectionStatus::Rejected),
            ..Query::default()
        }),
        ["3"]
    );
}

#[test]
fn a_price_in_another_currency_is_sorted_only_by_a_known_rate() {
    let found = names(&varied(), &by(Column::Price, Direction::Asc));
    assert_eq!(found[..4], strings(&["5", "1", "2", "3"]));
    let dear = names(&varied(), &by(Column::Price, Direction::Desc));
    assert_eq!(dear[..4], strings(&["3", "2", "1", "5"]));
}
