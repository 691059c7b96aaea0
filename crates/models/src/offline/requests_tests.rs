//! Where one message holds several requests, and where it only looks so.

use super::super::language::Language;
use super::super::tests::toolboxes;
use super::*;

fn parts(toolbox: &str, raw: &str) -> Vec<String> {
    let index = Index::new(&toolboxes::named(toolbox), None);
    let reading = Reading::new(&index, raw, Language::of(raw), None);
    split(&index, &reading, &|_| true, &|_, _| false)
}

#[test]
fn a_message_is_cut_where_another_order_begins() {
    for (toolbox, raw, expected) in [
        (
            "admin",
            "approve GP-2026-0007 and print it",
            vec!["approve GP-2026-0007", "print it"],
        ),
        (
            "admin",
            "approve GP-2026-0007 and GP-2026-0008",
            vec!["approve GP-2026-0007 and GP-2026-0008"],
        ),
        (
            "admin",
            "approve GP-2026-0007. Then please print it",
            vec!["approve GP-2026-0007.", "print it"],
        ),
        (
            "admin",
            "Omar here, approve GP-2026-0007",
            vec!["Omar here, approve GP-2026-0007"],
        ),
        (
            "admin",
            "одобри GP-2026-0007 и распечатай",
            vec!["одобри GP-2026-0007", "распечатай"],
        ),
        (
            "admin",
            "show \"a and print b\"",
            vec!["show \"a and print b\""],
        ),
        (
            "hr",
            "create a pass for Bob. He goes to the bank. He will return.",
            vec!["create a pass for Bob. He goes to the bank. He will return."],
        ),
        ("hr", "", vec![""]),
    ] {
        assert_eq!(parts(toolbox, raw), expected, "{raw}");
    }
}

#[test]
fn the_name_at_the_end_belongs_to_all_requests() {
    let unknown = |_: &str| false;
    let mut parts = vec![
        "approve GP-1".to_owned(),
        "print it, Omar Sheikh".to_owned(),
    ];
    assert_eq!(
        take_signature(&mut parts, &unknown).as_deref(),
        Some("Omar Sheikh")
    );
    assert_eq!(parts[1], "print it");
    let mut parts = vec!["approve GP-1".to_owned(), "print it, please".to_owned()];
    assert_eq!(take_signature(&mut parts, &unknown), None);
    let mut alone = vec!["approve GP-1, Omar".to_owned()];
    assert_eq!(take_signature(&mut alone, &unknown), None);
}
