//! Cards in six languages, and messages that decide them.

use serde_json::json;

use super::*;

fn card(tool: &str, confirm: &str, decline: &str) -> ApprovalCard {
    serde_json::from_value(json!({
        "call_id": "a", "tool": tool, "title": "Reject gate pass GP-2026-0012",
        "arguments": { "pass_number": "GP-2026-0012" }, "seal": "s",
        "requested_by": "00000000-0000-0000-0000-000000000001", "requester": "Omar",
        "approvers": [], "expires_at": "2026-09-01T09:00:00Z",
        "confirm": confirm, "decline": decline, "consequence": "It is rejected.", "preview": true,
        "target": { "argument": "pass_number", "value": "GP-2026-0012" },
    }))
    .unwrap()
}

fn reject() -> ApprovalCard {
    card("reject_gate_pass", "Reject the pass", "Don't reject")
}

#[test]
fn every_table_can_be_read_and_has_the_terminals_phrases() {
    let english: Vec<&String> = TABLES[0].keys().collect();
    assert!(english.len() > 300, "{}", english.len());
    let terminal: HashMap<String, Table> = serde_json::from_str(TERMINAL).unwrap();
    for language in PageLanguage::ALL {
        let own = english.iter().filter(|key| {
            let phrase = ["approval.", "terminal.", "confirm.", "decline.", "card."];
            phrase.iter().any(|prefix| key.starts_with(prefix))
        });
        for key in own {
            assert!(language.text(key).is_some(), "{language:?} has no {key}");
        }
    }
    assert_eq!(terminal.len(), PageLanguage::ALL.len());
}

#[test]
fn a_card_is_in_the_readers_language() {
    let card = reject();
    let preview: Preview = serde_json::from_value(json!({
        "title": "", "subject": "Nadia Hussain", "facts": [],
    }))
    .unwrap();
    let shown = |language: PageLanguage| {
        let title = language.title(&card, Some(&preview));
        format!(
            "{title} | {} | {}",
            language.confirm(&card),
            language.decline(&card)
        )
    };
    let all: Vec<String> = PageLanguage::ALL
        .iter()
        .map(|language| shown(*language))
        .collect();
    assert_eq!(
        all,
        [
            "Reject gate pass GP-2026-0012 for Nadia Hussain | Reject the pass | Don't reject",
            "Отклонить пропуск GP-2026-0012 (Nadia Hussain) | Отклонить пропуск | Не отклонять",
            "Avslå passersedel GP-2026-0012 för Nadia Hussain | Avslå passersedeln | Avslå inte",
            "Afvis adgangskort GP-2026-0012 til Nadia Hussain | Afvis adgangskortet | Afvis ikke",
            "Avslå adgangskort GP-2026-0012 for Nadia Hussain | Avslå adgangskortet | Ikke avslå",
            "Passierschein GP-2026-0012 ablehnen (Nadia Hussain) | Passierschein ablehnen | Nicht ablehnen",
        ]
    );
}

#[test]
fn an_outcome_says_who_and_how_the_object_stands() {
    let check = |language: PageLanguage, state: Option<&str>, expected: &str| {
        let told = language.outcome(&reject(), Decision::Rejected, Some("Omar"), state);
        assert_eq!(told, expected);
    };
    let pending = Some("pending");
    check(
        PageLanguage::English,
        pending,
        "Cancelled by Omar. GP-2026-0012 is still pending.",
    );
    check(
        PageLanguage::English,
        None,
        "Cancelled by Omar. GP-2026-0012 is unchanged.",
    );
    check(
        PageLanguage::Russian,
        pending,
        "Отменено: Omar. GP-2026-0012: состояние прежнее (ожидает).",
    );
    let confirmed =
        PageLanguage::English.outcome(&reject(), Decision::Approved, Some("Omar"), None);
    assert_eq!(confirmed, "Confirmed by Omar.");
    let approved = PageLanguage::German.outcome(&reject(), Decision::Approved, Some("Ada"), None);
    assert_eq!(approved, "Freigegeben von Ada.");
}

#[test]
fn a_value_from_another_object_names_field_and_object() {
    let source = OriginSource::Result {
        tool: "list_gate_passes".to_owned(),
        title: "List gate passes".to_owned(),
        field: Some("purpose".to_owned()),
        of: Some("GP-2026-0013".to_owned()),
    };
    assert_eq!(
        PageLanguage::English.origin(&source),
        "from the purpose of GP-2026-0013"
    );
    assert_eq!(
        PageLanguage::Russian.origin(&source),
        "из поля «Цель» у GP-2026-0013"
    );
}

#[test]
fn a_locale_names_a_language() {
    for (locale, expected) in [
        ("ru_RU.UTF-8", PageLanguage::Russian),
        ("nb_NO", PageLanguage::Norwegian),
        ("nn-NO", PageLanguage::Norwegian),
        ("de", PageLanguage::German),
        ("C.UTF-8", PageLanguage::English),
        ("pt_BR.UTF-8", PageLanguage::English),
        ("", PageLanguage::English),
    ] {
        assert_eq!(PageLanguage::of_locale(locale), expected, "{locale}");
    }
}

#[test]
fn only_a_whole_message_decides() {
    let check = |message: &str, card: &ApprovalCard, expected: Option<Decision>| {
        assert_eq!(parse_decision(message, card), expected, "{message:?}");
    };
    let (yes, no) = (Some(Decision::Approved), Some(Decision::Rejected));
    for approves in [
        "Yes.",
        "да",
        "reject the pass",
        "Reject!",
        "Отклонить",
        "Отклонить пропуск",
        "ablehnen",
        "Passierschein ablehnen",
    ] {
        check(approves, &reject(), yes);
    }
    for declines in [
        "no",
        "Don’t reject",
        "Nein danke",
        "cancel",
        "Не отклонять",
        "Nicht ablehnen",
    ] {
        check(declines, &reject(), no);
    }
    for neither in [
        "yes, but change the date",
        "reject it and list the others",
        "thanks",
        "",
        "Passierschein",
        "пропуск",
        "approve",
    ] {
        check(neither, &reject(), None);
    }
    check(
        "cancel",
        &card("cancel_meeting", "Cancel the meeting", "Don't cancel it"),
        None,
    );
}
