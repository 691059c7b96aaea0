//! Invitations: Teams or office, Jobylon or a fixed time, in every language.

use proptest::prelude::*;

use crate::tata::domain::calendar_invite::date_text::{DateText, is_time, read_date};
use crate::tata::domain::calendar_invite::*;
use crate::tata::domain::desk::Desk;
use crate::tata::domain::job_ad::polish::speaks;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::print::Printed;
use crate::tata::domain::style_check::check;
use crate::tata::domain::test_desk::{desk, invite, library, neutral, now};

fn teams() -> CalendarInviteInput {
    CalendarInviteInput {
        position_name: "Network Engineer".into(),
        hiring_manager_name: "Lars Holm".into(),
        interview_type: InterviewType::Case,
        duration: 90,
        ..invite()
    }
}

fn onsite() -> CalendarInviteInput {
    CalendarInviteInput {
        location_type: LocationType::Onsite,
        interview_type: InterviewType::HiringManager,
        booking_method: BookingMethod::Manual,
        duration: 60,
        city: Some("oslo".into()),
        interview_date: Some("2026-04-02".into()),
        interview_time: Some("13:30".into()),
        ..teams()
    }
}

fn messages(input: &CalendarInviteInput) -> Vec<(String, String)> {
    let problems = process(input, &desk(Language::En)).unwrap_err();
    problems
        .list()
        .iter()
        .map(|p| (p.field.clone(), p.message.clone()))
        .collect()
}

#[test]
fn a_teams_interview_booked_through_jobylon() {
    let input = CalendarInviteInput {
        additional_participants: vec![
            Participant {
                name: "Eva Ek".into(),
                title: Some("Architect".into()),
                linkedin: Some("https://linkedin.com/in/eva".into()),
            },
            Participant {
                name: "Bo".into(),
                title: None,
                linkedin: None,
            },
        ],
        agenda: Some("- Welcome\n- Your case".into()),
        job_ad_link: Some("https://jobs.example/1".into()),
        ..teams()
    };
    let desk = Desk {
        recruiter: Some("Maria Holm"),
        ..desk(Language::En)
    };
    let produced = process(&input, &desk).unwrap();
    assert_eq!(produced.warnings, []);
    let expected = CalendarInvite {
        subject: "Case Interview - Network Engineer - [Candidate Name]".into(),
        body: "Hi [Candidate Name],\n\nThank you for your interest in the position of Network Engineer at GlobalConnect. We would \
               like to invite you to an interview with a case.\n\nYou will meet:\n• Lars Holm, Head of Networks\n• Eva Ek, \
               Architect (https://linkedin.com/in/eva)\n• Bo\n\nDuration: 90 minutes\nPlace: Microsoft Teams. The link to the \
               meeting is in this invitation.\n\nPlease choose a time that suits you through the booking link that you receive \
               from Jobylon.\n\nAgenda:\n• Welcome\n• Your case\n\nJob ad: https://jobs.example/1\n\nIf you need any adjustments \
               to take part on equal terms, just let me know.\n\nKind regards,\nMaria Holm"
            .into(),
        candidate_placeholder: "[Candidate Name]".into(),
        language: Language::En,
        german_address: GermanAddress::Sie,
        created_at: now(),
    };
    assert_eq!(produced.artifact, expected);
}

#[test]
fn an_interview_at_the_office_at_a_fixed_time() {
    let produced = process(&onsite(), &desk(Language::No)).unwrap();
    assert_eq!(produced.warnings, []);
    assert_eq!(
        produced.artifact.body,
        "Hei [Kandidatens navn]!\n\nTakk for interessen din for stillingen som Network Engineer i GlobalConnect. Vi vil gjerne \
         invitere deg til et intervju med ansettende leder.\n\nDu møter:\n• Lars Holm, Head of Networks\n\nDato: 2. april \
         2026\nKlokkeslett: 13:30\nVarighet: 60 minutter\nSted: Snarøyveien 36, 1364 Fornebu\nKart: \
         https://maps.app.goo.gl/Vu2iwSCthqhGvycU6\n\nSi gjerne fra hvis du trenger tilrettelegging for å kunne delta på like \
         vilkår.\n\nVennlig hilsen\n[Rekrutterer]"
    );
    assert_eq!(
        produced.artifact.subject,
        "Intervju med ansettende leder - Network Engineer - [Kandidatens navn]"
    );
}

#[test]
fn every_language_and_type_is_clean() {
    for language in Language::ALL {
        for interview_type in [
            InterviewType::HiringManager,
            InterviewType::Case,
            InterviewType::Team,
            InterviewType::TaScreening,
        ] {
            for base in [teams(), onsite()] {
                let input = CalendarInviteInput {
                    interview_type,
                    language: Some(language),
                    ..base
                };
                let found = process(&input, &desk(Language::En)).unwrap().artifact;
                let text = found.document(library()).to_text();
                assert_eq!(check(&text, language, neutral()), [], "{text}");
                assert_eq!(library().language_of(&text), Some(language), "{text}");
                assert!(found.subject.ends_with(&found.candidate_placeholder));
                assert!(
                    found
                        .body
                        .lines()
                        .next()
                        .unwrap()
                        .contains(&found.candidate_placeholder)
                );
                assert!(!text.contains(['{', '}']) && !text.contains("[["), "{text}");
                let stored = serde_json::to_string(&found).unwrap();
                assert_eq!(
                    serde_json::from_str::<CalendarInvite>(&stored).unwrap(),
                    found
                );
            }
        }
    }
}

#[test]
fn german_address_follows_context_and_is_kept() {
    let invite = |position: &str, kept| {
        let desk = Desk {
            german_address: kept,
            ..desk(Language::De)
        };
        process(
            &CalendarInviteInput {
                position_name: position.into(),
                ..teams()
            },
            &desk,
        )
        .unwrap()
        .artifact
    };
    let check = |found: &CalendarInvite, address: GermanAddress| {
        assert_eq!(found.german_address, address);
        assert!(
            speaks(&found.body, address) && !speaks(&found.body, address.other()),
            "{}",
            found.body
        );
    };
    check(&invite("Software-Entwickler:in", None), GermanAddress::Du);
    check(&invite("Jurist:in", None), GermanAddress::Sie);
    check(
        &invite("Software-Entwickler:in", Some(GermanAddress::Sie)),
        GermanAddress::Sie,
    );
}

#[test]
fn what_is_missing_is_asked_for() {
    let bare = CalendarInviteInput {
        position_name: " ".into(),
        duration: 0,
        city: None,
        interview_date: None,
        interview_time: None,
        job_ad_link: Some("jobs.example".into()),
        ..onsite()
    };
    let expected = [
        ("position_name", "The position's name is missing."),
        (
            "duration",
            "The duration must be more than 0 minutes; 60 or 90 are usual.",
        ),
        (
            "city",
            "An interview on site needs the city of the office: Stockholm, Copenhagen, Oslo.",
        ),
        (
            "interview_date",
            "The date is missing. When is the interview?",
        ),
        (
            "interview_time",
            "The time is missing. When does the interview begin, for example 13:30?",
        ),
        (
            "job_ad_link",
            "“jobs.example” is not a web address. It must begin with https://.",
        ),
    ];
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(f, m)| ((*f).to_owned(), (*m).to_owned()))
        .collect();
    assert_eq!(messages(&bare), expected);
    let nowhere = messages(&CalendarInviteInput {
        city: Some("Paris".into()),
        ..onsite()
    });
    assert_eq!(
        nowhere[0].1,
        "There is no office in “Paris” in the style guide. It has: Stockholm, Copenhagen, Oslo."
    );
}

#[test]
fn dates_and_times_that_do_not_exist_are_refused() {
    let date = |text: &str| {
        messages(&CalendarInviteInput {
            interview_date: Some(text.into()),
            ..onsite()
        })[0]
            .1
            .clone()
    };
    assert_eq!(
        date("30 February 2026"),
        "The date “30 February 2026” does not exist in the calendar. Please check day and month."
    );
    for text in [
        "2026-02-29",
        "31/4/2026",
        "31. april",
        "32 March",
        "den 31 juni 2026",
        "2026-13-01",
        "31.11.",
    ] {
        assert!(date(text).starts_with("The date “"), "{text}");
    }
    let time = messages(&CalendarInviteInput {
        interview_time: Some("25:00".into()),
        ..onsite()
    });
    assert_eq!(
        time[0].1,
        "“25:00” is not a time. Write it in 24-hour form, for example 13:30."
    );
    let day = |text: &'static str| read_date(text).unwrap();
    let second = DateText::Day(chrono::NaiveDate::from_ymd_opt(2026, 4, 2).unwrap());
    for text in [
        "2026-04-02",
        "2 April 2026",
        "April 2nd 2026",
        "2. april 2026",
        "Donnerstag, 2. April 2026",
        "02.04.2026",
        "2/4/2026",
    ] {
        assert_eq!(day(text), second, "{text}");
    }
    assert_eq!(day("next Tuesday"), DateText::Words("next Tuesday"));
    assert_eq!(day("29 February"), DateText::Words("29 February"));
    assert_eq!(
        ["9:30", "13.30", "00:00", "23:59", "24:00", "9:3", "noon"].map(is_time),
        [true, true, true, true, false, false, false]
    );
}

#[test]
fn unusual_input_is_pointed_out() {
    let odd = CalendarInviteInput {
        duration: 200,
        interview_date: Some("2026-01-05".into()),
        ..onsite()
    };
    let warnings = process(&odd, &desk(Language::En)).unwrap().warnings;
    let texts: Vec<&str> = warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        texts,
        [
            "200 minutes is unusual for an interview. Please check the duration.",
            "The date of the interview lies in the past. Please check it.",
        ]
    );
    let both = CalendarInviteInput {
        interview_time: Some("13:30".into()),
        duration: 10,
        ..teams()
    };
    let produced = process(&both, &desk(Language::En)).unwrap();
    assert_eq!(produced.warnings.len(), 2);
    assert!(!produced.artifact.body.contains("13:30"));
}

proptest! {
    #[test]
    fn any_date_text_is_understood_kept_or_refused(text in "[0-9a-zA-ZäöüÄ ./-]{1,25}") {
        match read_date(&text) {
            Ok(DateText::Words(kept)) => prop_assert_eq!(kept, &text),
            Ok(DateText::Day(_)) => {}
            Err(problem) => prop_assert!(problem.message.contains(&text)),
        }
    }
}
