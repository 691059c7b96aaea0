//! The interview: what counts as answered, what is asked next, when it is enough.

use chrono::{DateTime, TimeZone, Utc};

use super::super::reading::read;
use super::super::span::Span;
use super::{Discovery, FactChange, FactDraft, Key, checked};
use crate::domain::roi::Confidence;

fn at(minute: u32) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 11, 1, 9, minute, 0).unwrap()
}

fn found(key: Key, value: &str) -> FactDraft {
    FactDraft {
        key,
        value: value.to_owned(),
        quote: format!("they said {value}"),
        confidence: Confidence::High,
    }
}

fn knowing(facts: &[(Key, &str)]) -> Discovery {
    let mut discovery = Discovery::default();
    for (key, value) in facts {
        discovery.take(found(*key, value), at(0), None);
    }
    discovery
}

#[test]
fn four_of_the_required_six_are_enough_if_they_allow_a_figure() {
    let facts = [
        (Key::CompanyType, "Pickleball Club"),
        (Key::CourtsCount, "6"),
        (Key::Method, "Vacuum"),
    ];
    let mut discovery = knowing(&facts);
    discovery.take(found(Key::Priorities, "lower costs"), at(1), None);
    let state = discovery.state();
    assert!(!state.ready_for_roi);
    assert_eq!(
        (state.progress_percent, state.missing_keys.as_slice()),
        (
            50,
            [Key::Duration, Key::MonthlySpend, Key::CompanyName].as_slice()
        )
    );
    discovery.take(found(Key::Duration, "2 hr"), at(2), None);
    let state = discovery.state();
    assert!(state.ready_for_roi);
    assert_eq!(state.progress_percent, 66);
    let without_size = [
        (Key::CompanyType, "Hospital"),
        (Key::Method, "Mop"),
        (Key::Duration, "2 hr"),
        (Key::MonthlySpend, "$900"),
    ];
    assert!(!knowing(&without_size).state().ready_for_roi);
}

#[test]
fn a_contradiction_replaces_the_answer_and_keeps_the_old_one() {
    let mut discovery = knowing(&[(Key::CourtsCount, "6")]);
    assert_eq!(
        discovery.take(found(Key::CourtsCount, "6"), at(1), None),
        FactChange::Same
    );
    match discovery.take(found(Key::CourtsCount, "8"), at(2), None) {
        FactChange::Changed { before, now } => {
            assert_eq!((before.as_str(), now.value.as_str()), ("6", "8"))
        }
        other @ (FactChange::New(_) | FactChange::Same) => panic!("{other:?}"),
    }
    let kept = discovery.fact(Key::CourtsCount).unwrap();
    assert_eq!(
        (
            kept.value.as_str(),
            kept.earlier.len(),
            kept.earlier[0].quote.as_str()
        ),
        ("8", 1, "they said 6")
    );
    assert_eq!(discovery.facts.len(), 1);
}

#[test]
fn an_answer_to_one_question_leaves_the_others_alone() {
    let mut discovery = knowing(&[(Key::CompanyName, "Riverside"), (Key::CourtsCount, "6")]);
    discovery.take(found(Key::Method, "Mop"), at(1), None);
    assert_eq!(discovery.fact(Key::CompanyName).unwrap().value, "Riverside");
    assert_eq!(discovery.fact(Key::CourtsCount).unwrap().at, at(0));
}

#[test]
fn one_or_two_questions_and_never_one_that_was_answered() {
    let mut discovery = Discovery::default();
    let mut asked = Vec::new();
    for _ in 0..20 {
        let next = discovery.next_questions();
        assert!(next.len() <= 2);
        let Some(first) = next.first() else { break };
        assert!(!asked.contains(first), "{first:?} was asked twice");
        asked.push(*first);
        discovery.take(found(*first, "Hospital"), at(1), None);
    }
    assert_eq!(asked.len(), 12);
    let mut discovery = Discovery::default();
    discovery.skip(Key::CompanyType);
    assert!(!discovery.next_questions().contains(&Key::CompanyType));
}

#[test]
fn where_courts_make_no_sense_the_area_is_asked() {
    for place in [
        "Warehouse",
        "Hospital",
        "School",
        "Cathedral",
        "Office Building",
    ] {
        let discovery = knowing(&[(Key::CompanyType, place)]);
        assert!(discovery.next_questions().contains(&Key::Sqft), "{place}");
        assert!(!discovery.required().contains(&Key::CourtsCount));
        assert_eq!(discovery.state().missing_keys.len(), 5);
    }
    let club = knowing(&[(Key::CompanyType, "Tennis Club")]);
    assert!(club.next_questions().contains(&Key::CourtsCount));
    let other = knowing(&[
        (Key::CompanyType, "Tennis Club"),
        (Key::CourtsCount, "Other"),
    ]);
    assert_eq!(other.size_key(), Key::Sqft);
    let courts = knowing(&[(Key::CompanyType, "Tennis Club"), (Key::CourtsCount, "<4")]);
    assert_eq!(courts.area().unwrap().0, Span::between(669.0, 2007.0));
}

#[test]
fn answers_are_put_into_one_form_or_refused() {
    assert_eq!(
        checked(Key::CompanyType, "a pickleball place"),
        Ok("Pickleball Club".into())
    );
    assert_eq!(
        checked(Key::Sqft, "10764 sq ft"),
        Ok("10,764 sq ft (1,000 m²)".into())
    );
    assert_eq!(
        checked(Key::Method, "we vacuum and then mop"),
        Ok("Vacuum, Mop".into())
    );
    assert_eq!(
        checked(Key::Method, "leaf blower"),
        Ok("Other: leaf blower".into())
    );
    assert!(
        checked(Key::CompanyName, "Pickleball Club")
            .unwrap_err()
            .contains("kind of building")
    );
    assert_eq!(
        checked(Key::CompanyType, "bowling alley"),
        Ok("Bowling alley".into())
    );
    assert!(
        checked(Key::MonthlySpend, "€900")
            .unwrap_err()
            .contains("US dollars")
    );
    assert!(checked(Key::CourtsCount, "-6").is_err());
    assert!(
        checked(Key::Priorities, &"x".repeat(301))
            .unwrap_err()
            .contains("300")
    );
    assert!(
        checked(Key::Priorities, "  ")
            .unwrap_err()
            .contains("empty")
    );
}

#[test]
fn figures_are_read_from_the_facts() {
    let mut discovery = knowing(&[
        (Key::CompanyType, "Tennis Club"),
        (Key::Method, "Vacuum, Mop"),
        (Key::MonthlySpend, "$2,000 - $5,000"),
        (Key::Duration, "4 hr"),
        (Key::BudgetExists, "Yes, $500 a month"),
        (Key::Surfaces, "concrete, tile"),
    ]);
    discovery.labor_rate =
        read("We pay our cleaner $22 an hour.", &Discovery::default()).labor_rate;
    assert_eq!(discovery.spend(), Some(Span::between(2000.0, 5000.0)));
    assert_eq!(discovery.hours(), Some(Span::exact(120.0)));
    assert_eq!(discovery.monthly_budget(), Some(500.0));
    assert_eq!(
        (discovery.modes().len(), discovery.surfaces().len()),
        (2, 2)
    );
    assert_eq!(discovery.labor_rate.unwrap().dollars_an_hour, 22.0);
    let by_cleaning = knowing(&[
        (Key::Frequency, "2x per week"),
        (Key::Duration, "2 hours each time"),
    ]);
    let hours = by_cleaning.hours().unwrap();
    assert_eq!((hours.low * 10.0).round(), 173.0);
}
