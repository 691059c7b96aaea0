//! A model's new text becomes a version without losing what code relies on.

use frontdesk_core::draft::Quote;

use super::*;
use crate::document::Item;
use crate::language::Language;

fn profile() -> Document {
    let mut document = Document::new("Profile", Language::En, MadeWith::Fallback);
    let quote = Quote {
        quote: "knows Python".into(),
        source: "startup_notes".into(),
    };
    document.items("must_haves", vec![Item::new("Python").quoting([quote])]);
    document.items("internal", vec![Item::new("Jonas was too slow")]);
    document.sections[1].internal = true;
    document
}

#[test]
fn a_forgotten_mark_publishes_nothing() {
    for markdown in [
        "# Profile\n\n## Must-haves\n\n* Ansible",
        "# Profile\n\n## Must-haves\n\n* Ansible\n\n## Internal remarks\n\n* Jonas was too slow",
    ] {
        let new = revised(markdown, &profile(), "").unwrap();
        assert_eq!(new.made_with, MadeWith::Model);
        let public = new.for_candidates().to_markdown();
        assert!(
            public.contains("Ansible") && !public.contains("Jonas"),
            "{public}"
        );
        assert!(new.section("internal").unwrap().internal);
    }
}

#[test]
fn quotes_are_those_of_the_old_version_or_of_the_person() {
    let markdown = "# Profile\n\n## Must-haves\n\n* Python\n  > “knows Python” (startup_notes)\n* Ansible\n  > “replace it with Ansible” (recruiter)\n* Rust\n  > “loves Rust” (startup_notes)";
    let new = revised(markdown, &profile(), "Please replace it with Ansible.").unwrap();
    let quotes: Vec<usize> = new
        .items_of("must_haves")
        .map(|item| item.quotes.len())
        .collect();
    assert_eq!(quotes, [1, 1, 0]);
}

#[test]
fn a_quote_does_not_stay_below_another_figure() {
    let mut profile = profile();
    let quote = Quote {
        quote: "Team: 5 in Malmö".into(),
        source: "startup_notes".into(),
    };
    let items = vec![Item::new("Five people in Malmö").quoting([quote])];
    profile.items("team", items);
    for (text, quotes) in [
        ("Five people in Malmö", 1),
        ("A team of five", 1),
        ("Nine people in Malmö", 0),
    ] {
        let markdown =
            format!("# Profile\n\n## Team\n\n* {text}\n  > “Team: 5 in Malmö” (startup_notes)");
        let new = revised(&markdown, &profile, "Nine, please").unwrap();
        let kept: Vec<usize> = new.items_of("team").map(|item| item.quotes.len()).collect();
        assert_eq!(kept, [quotes], "{text}");
    }
}
