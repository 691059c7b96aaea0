//! The 26 keys, their groups and their chips.

use std::collections::BTreeSet;

use super::{ENOUGH, Group, Key, REQUIRED};

#[test]
fn there_are_twenty_six_keys_in_five_groups() {
    let names: BTreeSet<&str> = Key::ALL.iter().map(|key| key.name()).collect();
    assert_eq!(names.len(), 26);
    let in_group = |group: Group| {
        Key::ALL
            .iter()
            .filter(|key| key.about().group == group)
            .count()
    };
    assert_eq!(in_group(Group::Company), 4);
    assert_eq!(in_group(Group::Facility), 6);
    assert_eq!(in_group(Group::Operations), 7);
    assert_eq!(in_group(Group::Economics), 3);
    assert_eq!(in_group(Group::Context), 6);
}

#[test]
fn names_are_those_of_the_wire() {
    for key in Key::ALL {
        assert_eq!(serde_json::to_value(key).unwrap(), key.name());
        assert_eq!(Key::named(key.name()), Some(key));
    }
    assert_eq!(Key::named("shoe_size"), None);
}

#[test]
fn the_required_six_have_the_chips_of_the_interview() {
    assert_eq!((REQUIRED.len(), ENOUGH), (6, 4));
    assert!(Key::CompanyName.about().chips.is_empty());
    for kind in [
        "Hospital",
        "School",
        "Hotel",
        "Airport",
        "Supermarket",
        "Factory",
        "Office Building",
    ] {
        assert!(Key::CompanyType.about().chips.contains(&kind), "{kind}");
    }
    assert_eq!(
        Key::CourtsCount.about().chips,
        ["<4", "6", "8", "12+", "Other"]
    );
    assert_eq!(
        Key::Method.about().chips,
        ["Vacuum", "Sweep", "Mop", "Scrub", "Other"]
    );
    assert_eq!(
        Key::Duration.about().chips,
        ["1 hr", "2 hr", "4 hr", "Other"]
    );
    assert_eq!(
        Key::MonthlySpend.about().chips,
        ["<$2,000", "$2,000 - $5,000", "$5,000 - $10,000", "$10,000+"]
    );
}

#[test]
fn every_question_is_one_question() {
    for key in Key::ALL {
        let question = key.about().question;
        assert!(
            question.ends_with('?') && question.matches('?').count() == 1,
            "{question}"
        );
    }
}
