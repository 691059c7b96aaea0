//! A polished ad is used only when it says the same.

use super::polish::{check_polished, speaks};
use crate::tata::domain::job_ad::{self, JobAdInput};
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::print::Printed;
use crate::tata::domain::test_desk::{desk, library, profile};

fn problems(change: impl Fn(&str) -> String) -> Vec<String> {
    let desk = desk(Language::En);
    let profile = profile("01_bullets_en", Language::En);
    let ad = job_ad::process(&JobAdInput::default(), &profile, &desk)
        .unwrap()
        .artifact;
    let polished = change(&ad.document(library()).to_text());
    match check_polished(&ad, &polished, &profile, &desk) {
        Ok(()) => vec![],
        Err(problems) => problems.list().iter().map(|p| p.message.clone()).collect(),
    }
}

#[test]
fn the_ad_itself_and_a_gentle_rewording_pass() {
    assert_eq!(problems(str::to_owned), Vec::<String>::new());
    assert_eq!(
        problems(|ad| ad.replace("Would you like to work", "Do you want to work")),
        Vec::<String>::new()
    );
}

#[test]
fn what_was_lost_or_added_is_named() {
    let check = |change: fn(&str) -> String, expected: &str| {
        assert_eq!(problems(change), [expected.to_owned()])
    };
    check(
        |ad| ad.replace("Scripting in Python", "To work"),
        "The polished ad no longer shows: Scripting in Python.",
    );
    check(
        |ad| ad.replace("a team of 8 people", "a team of 25 people"),
        "The polished ad adds something that nobody said: 25.",
    );
    check(
        |ad| ad.replace("based in Stockholm", "based in Stockholm near Google"),
        "The polished ad adds something that nobody said: Google.",
    );
    check(
        |ad| ad.replace("Here we tell", "Here in an exciting way we tell"),
        "The polished ad breaks the house style with: exciting.",
    );
    check(
        |ad| {
            ad.replace(
                "• Scripting in Python",
                "• Scripting in Python\n• Unlimited holidays somewhere sunny",
            )
        },
        "The polished ad has points that the profile does not have: Unlimited holidays somewhere sunny.",
    );
    assert!(
        problems(|_| "Short ad.".to_owned())
            .iter()
            .any(|p| p.starts_with("The polished ad has 2 words instead of about"))
    );
}

#[test]
fn german_address_is_recognised() {
    assert!(speaks("Das machst du gern.", GermanAddress::Du));
    assert!(speaks("Wir freuen uns auf Sie.", GermanAddress::Sie));
    assert!(!speaks(
        "Die Stelle ist neu. Sie ist frei.",
        GermanAddress::Sie
    ));
}
