//! Requirements and remarks that candidates must not read.

use super::*;

fn made(by: MadeWith, must_haves: &[&str]) -> Document {
    let mut document = Document::new("Profile", Language::En, by);
    document.items("must_haves", must_haves.iter().map(Item::new).collect());
    document
}

fn texts(document: &Document) -> Vec<&str> {
    let items = document.items_of("must_haves");
    items.map(|item| item.text.as_str()).collect()
}

#[test]
fn without_a_model_what_is_not_about_the_work_is_set_aside() {
    let mut profile = made(
        MadeWith::Fallback,
        &[
            "SQL",
            "under 35",
            "not pregnant",
            "response times under 35 ms",
            "Git, confidential: not Jonas again",
        ],
    );
    let aside = check(
        &mut profile,
        Module::RequirementProfile,
        &[],
        &StyleGuide::default(),
    );
    assert_eq!(texts(&profile), ["SQL", "response times under 35 ms"]);
    assert_eq!(aside.len(), 3);
    assert!(
        profile.notes[0].contains("“under 35”. It is about age"),
        "{:?}",
        profile.notes
    );
    assert!(
        profile.notes[2].contains("private remark"),
        "{:?}",
        profile.notes
    );
}

#[test]
fn what_a_model_wrote_stays_with_a_warning() {
    let mut profile = made(MadeWith::Model, &["SQL", "under 35"]);
    let aside = check(
        &mut profile,
        Module::RequirementProfile,
        &[],
        &StyleGuide::default(),
    );
    assert_eq!((texts(&profile), aside.len()), (vec!["SQL", "under 35"], 0));
    assert!(
        profile.notes[0].starts_with("Check before"),
        "{:?}",
        profile.notes
    );
    let allowed = StyleGuide::parse(r#"allowed = ["Under 35"]"#).unwrap();
    let mut profile = made(MadeWith::Model, &["under 35"]);
    check(&mut profile, Module::RequirementProfile, &[], &allowed);
    assert!(profile.notes.is_empty(), "the company allows it");
}

#[test]
fn the_age_is_found_in_five_languages() {
    for (language, text) in [
        (Language::En, "must be under 40 and flexible"),
        (Language::Sv, "helst under 40, inga småbarn"),
        (Language::Da, "gerne under 40"),
        (Language::No, "helst under 40."),
        (Language::De, "möglichst unter 40"),
    ] {
        let guide = StyleGuide::default();
        let found = concerns(text, &[language], &guide, labels(language));
        assert!(
            found.iter().any(|(words, _)| words.ends_with("40")),
            "{text}: {found:?}"
        );
    }
}
