//! A number is read as a value of the kind that its unit tells, and of no other.

use proptest::prelude::*;

use super::super::discovery::{Discovery, checked};
use super::super::keys::Key;
use super::super::reading::read;
use super::{Unit, check_unit, only};

/// The questions whose answer is a number.
const ASKED: [Key; 4] = [
    Key::MonthlySpend,
    Key::Sqft,
    Key::CourtsCount,
    Key::Duration,
];

/// Phrases with a place for the number.
const PHRASES: [(Unit, &str); 34] = [
    (Unit::Frequency, "# x a week"),
    (Unit::Frequency, "#x a week"),
    (Unit::Frequency, "#x/week"),
    (Unit::Frequency, "#x per wk"),
    (Unit::Frequency, "# times a day"),
    (Unit::Frequency, "# times each month"),
    (Unit::Frequency, "# times weekly"),
    (Unit::Frequency, "# days a week"),
    (Unit::Frequency, "# nights per week"),
    (Unit::Frequency, "# visits every month"),
    (Unit::Hours, "# hours a day"),
    (Unit::Hours, "#h per night"),
    (Unit::Hours, "# hrs"),
    (Unit::Hours, "# minutes a day"),
    (Unit::Hours, "#-hour shift"),
    (Unit::Wage, "$# an hour"),
    (Unit::Wage, "# dollars per hour"),
    (Unit::Wage, "#/h"),
    (Unit::Share, "# %"),
    (Unit::Share, "# percent"),
    (Unit::Money, "$#"),
    (Unit::Money, "$# a month"),
    (Unit::Money, "# dollars a month"),
    (Unit::Area, "# m²"),
    (Unit::Area, "# sq ft"),
    (Unit::Area, "# square metres"),
    (Unit::Courts, "# courts"),
    (Unit::Courts, "# indoor courts"),
    (Unit::Other, "# years"),
    (Unit::Other, "every # weeks"),
    (Unit::Other, "# days"),
    (Unit::Other, "# people"),
    (Unit::Other, "# robots"),
    (Unit::Other, "# buses"),
];

fn frames() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "@",
        "about @",
        "what about if we only need it @",
        "we need it @ I think",
        "only @ for cleaning",
        "it costs us time, @",
        "the budget is tight, @",
    ])
}

#[test]
fn a_value_is_checked_by_its_own_numbers() {
    let hours = |value, said| check_unit(said, value, &[Unit::Hours]);
    assert!(hours("2 people × 4 hours", "two of us... 2 people, 4 hours each").is_ok());
    assert!(hours("52 hours a month", "12 hours a week").is_ok());
    assert!(hours("3", "from 3 pm on").is_err());
    let area = |value, said| check_unit(said, value, &[Unit::Area]);
    assert!(
        area(
            "3 floors of 1,100 m2",
            "there are 3 floors of 1,100 m2 each"
        )
        .is_ok()
    );
    assert!(area("900", "it costs $900 a month").is_err());
}

proptest! {
    #[test]
    fn a_number_is_no_value_of_another_kind(
        number in 1_u32..60,
        (unit, phrase) in prop::sample::select(PHRASES.to_vec()),
        frame in frames(),
        key in prop::sample::select(ASKED.to_vec()),
    ) {
        let phrase = phrase.replace('#', &number.to_string());
        let message = frame.replace('@', &phrase);
        let asked = Discovery { asked: vec![key], ..Discovery::default() };
        let fitting = Unit::asked_by(key).unwrap();
        let reading = read(&message, &asked);
        if unit != fitting {
            let taken = reading.found.iter().find(|fact| fact.key == key);
            prop_assert!(taken.is_none(), "{message:?}: {taken:?}");
            prop_assert!(checked(key, &phrase).is_err(), "{phrase:?} as {key:?}");
            prop_assert!(check_unit(&message, &number.to_string(), &[fitting]).is_err(), "{message:?}");
        } else {
            prop_assert!(check_unit(&message, &number.to_string(), &[fitting]).is_ok(), "{message:?}");
        }
    }

    #[test]
    fn kinds_in_one_message_do_not_mix(
        spend in 1_000_u32..9_000,
        area in 300_u32..9_000,
        hours in 2_u32..9,
        days in 2_u32..7,
        order in Just([0, 1, 2, 3]).prop_shuffle(),
    ) {
        let parts = [
            format!("cleaning costs ${spend}"),
            format!("{area} m² are mopped"),
            format!("it takes {hours} hours a day"),
            format!("{days} days a week"),
        ];
        let message: Vec<&str> = order.iter().map(|place| parts[*place].as_str()).collect();
        let message = message.join(", ");
        let mut known = Discovery::default();
        for fact in read(&message, &known.clone()).found {
            known.take(fact, chrono::DateTime::UNIX_EPOCH, None);
        }
        prop_assert_eq!(known.spend().map(|spend| spend.high), Some(f64::from(spend)), "{}", message);
        prop_assert_eq!(known.area().map(|(area, _)| area.high), Some(f64::from(area)), "{}", message);
        let month = f64::from(days) * 52.0 / 12.0;
        let near = |read: Option<f64>, value: f64| read.is_some_and(|read| (read - value).abs() < 1e-6);
        prop_assert!(near(known.cleanings(), month), "{}", message);
        let hours = f64::from(hours) * month;
        prop_assert!(near(known.hours().map(|hours| hours.high), hours), "{}", message);
    }

    #[test]
    fn places_of_the_rest_stay(text in "\\PC{0,120}") {
        for unit in [Unit::Money, Unit::Area, Unit::Hours, Unit::Courts] {
            prop_assert_eq!(only(&text, unit).len(), text.len());
        }
    }
}
