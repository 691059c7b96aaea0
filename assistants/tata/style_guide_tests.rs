//! A style guide says only what was approved.

use super::*;

const GUIDE: &str = r#"
    company = "Nordlys"
    allowed = ["Leverage"]
    wording = ["Instead of family write team."]
    [[facts]]
    status = "approved"
    text.en = "We are 40 people."
    [[facts]]
    status = "proposed"
    text.en = "We are the best."
"#;

#[test]
fn only_approved_facts_are_told() {
    let guide = StyleGuide::parse(GUIDE).unwrap();
    let about = guide.about_company(Language::En);
    assert!(about.contains("Nordlys") && about.contains("We are 40 people."));
    assert!(!about.contains("the best"));
    assert!(
        guide.about_company(Language::Sv).contains("40 people"),
        "translated by the model"
    );
}

#[test]
fn wording_follows_the_guide() {
    let guide = StyleGuide::parse(GUIDE).unwrap();
    assert!(guide.wording(Language::En).contains("write team"));
    assert!(!guide.wording(Language::En).contains("with Sie"));
    assert!(guide.wording(Language::De).contains("with Sie"));
    assert!(guide.allows("leverage") && !guide.allows("synergy"));
}

#[test]
fn the_neutral_guide_claims_nothing() {
    let guide = StyleGuide::parse(NEUTRAL).unwrap();
    assert_eq!(guide.about_company(Language::En), "");
    assert!(StyleGuide::parse("compani = 1").is_err());
}
