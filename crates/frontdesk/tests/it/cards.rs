//! Approval cards in the terminal: fields are shown, edited and confirmed.

use serde_json::json;

use crate::cli::{Done, Shell, check_failure, check_shown};

/// Runs a command as the demo administrator.
fn as_admin(shell: &Shell, arguments: &[&str]) -> Done {
    shell.run(&[arguments, &["--as", "admin"]].concat())
}

/// The approved arguments are the edited ones, and an invalid field leaves the card undecided.
#[test]
fn a_field_of_a_card_is_set_while_approving_it() {
    let shell = Shell::new();
    let pending = as_admin(
        &shell,
        &["call", "gatepass", "list_pending_gate_passes", "{}"],
    )
    .json();
    let number = |at: usize| {
        pending["items"][at]["pass_number"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (asked, meant) = (number(0), number(1));
    let arguments = json!({ "pass_number": asked }).to_string();
    let call = as_admin(
        &shell,
        &["call", "gatepass", "delete_gate_pass", &arguments],
    )
    .json();
    let card = &call["awaiting_approval"][0];
    assert_eq!(
        (&card["editable"], &card["confirm"]),
        (&json!(true), &json!("Delete the pass"))
    );
    assert_eq!(card["form"][0]["label"], "Pass number");

    let listed = as_admin(&shell, &["approvals", "list"]);
    check_shown(
        &listed,
        &[
            &format!("Delete gate pass {asked} for "),
            "Person: ",
            "Purpose: ",
            "Status: pending",
            &format!("1  Pass number: {asked}"),
        ],
    );
    let (_, turn) = listed.out.split_once("approvals approve ").unwrap();
    let turn = turn.split_whitespace().next().unwrap().to_owned();
    let approve = |set: &str| as_admin(&shell, &["approvals", "approve", &turn, "--set", set]);
    check_failure(&approve("colour=red"), 1, "there is no field colour");
    check_failure(&approve("pass number"), 1, "write it as field=value");
    check_failure(
        &approve("pass number=everything"),
        2,
        "Pass number: This does not have",
    );
    check_failure(&approve("pass number="), 2, "Pass number: This is needed.");
    check_shown(&as_admin(&shell, &["approvals", "list"]), &[&asked]);
    let approved = approve(&format!("Pass-Number={meant}"));
    check_shown(&approved, &[&format!("Approved: Delete gate pass {meant}")]);

    let left = as_admin(
        &shell,
        &["call", "gatepass", "list_pending_gate_passes", "{}"],
    )
    .json();
    let left = left.to_string();
    assert!(left.contains(&asked) && !left.contains(&meant), "{left}");
}

#[test]
fn a_field_of_a_card_is_changed_in_the_terminal_before_it_is_confirmed() {
    let shell = Shell::new();
    let changed = shell.type_in(
        &["chat", "gatepass", "--as", "admin"],
        &[
            "/delete_gate_pass",
            "GP-2026-0001",
            "y",
            "e",
            "1",
            "-",
            "y",
            "1",
            "x",
            "y",
            "1",
            "GP-2026-0012",
            "y",
            "/quit",
        ],
    );
    check_shown(
        &changed,
        &[
            "1  Pass number: GP-2026-0001",
            "Which field (number)?",
            "1  Pass number: (needed)",
            "Still needed: Pass number.",
            "Pass number: x",
            "Pass number: This does not have the right form.",
            "1  Pass number: GP-2026-0012",
            "✓",
            "GP-2026-0012",
        ],
    );
}

/// The card of a rejection, line by line: the pass, the verb, and the result of declining.
#[test]
fn declining_a_rejection_leaves_the_pass_pending_and_says_so() {
    let shell = Shell::new();
    let passes = as_admin(
        &shell,
        &["call", "gatepass", "list_pending_gate_passes", "{}"],
    )
    .json();
    let text = |field: &str| passes["items"][0][field].as_str().unwrap().to_owned();
    let (number, person) = (text("pass_number"), text("person_name"));
    let declined = shell.type_in(
        &["chat", "gatepass", "--as", "admin"],
        &["/reject_gate_pass", &number, "y", "n", "/quit"],
    );
    check_shown(
        &declined,
        &[
            &format!("Reject gate pass {number} for {person}"),
            &format!("Person: {person}"),
            &format!("Purpose: {}", text("description")),
            "Status: pending",
            &format!("1  Pass number: {number}"),
            "The person may not leave the site on this pass.",
            "Reject the pass? [y/N, e edits]",
            &format!("Cancelled by Omar Farooq. {number} is still pending."),
        ],
    );
    assert!(!declined.out.contains("Rejected"), "{}", declined.out);
    let arguments = json!({ "pass_number": number }).to_string();
    let look = ["call", "gatepass", "get_gate_pass_by_number", &arguments];
    assert_eq!(as_admin(&shell, &look).json()["status"], "pending");
}

/// The same in the person's language, which the terminal's locale names.
#[test]
fn a_card_in_the_terminal_speaks_the_persons_language() {
    let shell = Shell::new();
    let passes = as_admin(
        &shell,
        &["call", "gatepass", "list_pending_gate_passes", "{}"],
    )
    .json();
    let text = |field: &str| passes["items"][0][field].as_str().unwrap().to_owned();
    let (number, person) = (text("pass_number"), text("person_name"));
    let declined = shell.type_in_with(
        &["chat", "gatepass", "--as", "admin"],
        &["/reject_gate_pass", &number, "y", "Не отклонять", "/quit"],
        &[("LANG", "ru_RU.UTF-8")],
    );
    check_shown(
        &declined,
        &[
            &format!("Отклонить пропуск {number} ({person})"),
            "Подтвердите. Истекает в ",
            &format!("Имя человека: {person}"),
            "Состояние: ожидает",
            &format!("1  Номер пропуска: {number}"),
            "Человек не сможет выйти по этому пропуску.",
            "Отклонить пропуск? [y/N, e: изменить]",
            &format!("Отменено: Omar Farooq. {number}: состояние прежнее (ожидает)."),
        ],
    );
}
