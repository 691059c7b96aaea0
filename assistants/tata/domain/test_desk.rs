//! What the tests share: one library, one guide, one moment, and the fixtures.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use chrono::{DateTime, TimeZone, Utc};

use super::calendar_invite::{BookingMethod, CalendarInviteInput, InterviewType, LocationType};
use super::desk::Desk;
use super::language::Language;
use super::library::Library;
use super::requirement_profile::{RequirementProfile, RequirementProfileInput};
use super::style_guide::StyleGuide;

pub(crate) fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| Library::load().unwrap())
}

pub(crate) fn neutral() -> &'static StyleGuide {
    static GUIDE: OnceLock<StyleGuide> = OnceLock::new();
    GUIDE.get_or_init(|| StyleGuide::neutral(library()).unwrap())
}

pub(crate) fn now() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 3, 14, 9, 30, 0).unwrap()
}

pub(crate) fn desk(language: Language) -> Desk<'static> {
    Desk {
        library: library(),
        style: neutral(),
        language,
        german_address: None,
        recruiter: None,
        now: now(),
    }
}

pub(crate) fn fixture(path: &str) -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tata/domain/fixtures")
        .join(path);
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// The notes of a fixture, without the expectations above them.
pub(crate) fn notes(name: &str) -> (String, String) {
    let text = fixture(&format!("notes/{name}.txt"));
    let (head, notes) = text.split_once("---\n").unwrap();
    let title = head
        .lines()
        .find_map(|l| l.strip_prefix("title: "))
        .unwrap()
        .to_owned();
    (title, notes.to_owned())
}

pub(crate) fn profile_input(name: &str) -> RequirementProfileInput {
    let (position_title, startup_notes) = notes(name);
    RequirementProfileInput {
        startup_notes,
        position_title,
        ..RequirementProfileInput::default()
    }
}

/// The confirmed profile of a fixture, made once: properties ask for it hundreds of times.
pub(crate) fn profile(name: &str, language: Language) -> RequirementProfile {
    static MADE: Mutex<BTreeMap<(String, Language), RequirementProfile>> =
        Mutex::new(BTreeMap::new());
    let make = || {
        let desk = desk(language);
        super::requirement_profile::process(&profile_input(name), &desk)
            .unwrap()
            .artifact
            .confirm(&desk)
    };
    MADE.lock()
        .unwrap()
        .entry((name.to_owned(), language))
        .or_insert_with(make)
        .clone()
}

/// An invite to an interview over Teams with nothing beside what it must have.
pub(crate) fn invite() -> CalendarInviteInput {
    CalendarInviteInput {
        position_name: "Engineer".into(),
        hiring_manager_name: "Anna Berg".into(),
        hiring_manager_title: "Head of Networks".into(),
        recruiter_name: None,
        location_type: LocationType::Teams,
        interview_type: InterviewType::Team,
        duration: 60,
        booking_method: BookingMethod::Jobylon,
        city: None,
        interview_date: None,
        interview_time: None,
        job_ad_link: None,
        additional_participants: vec![],
        agenda: None,
        language: None,
    }
}
