//! The consent rule over all its inputs.

use super::{Request, WaitReason, Write, names, wait_reason};

const ORDERED: Write = Write {
    always_asks: false,
    builds_on_draft: false,
    undoable: false,
    may_write: true,
    request: Request::NamesTarget,
    untrusted_text: false,
};

#[test]
fn a_write_runs_at_once_only_when_the_message_is_its_one_source() {
    let check = |write: Write, expected: Option<WaitReason>| {
        assert_eq!(wait_reason(write), expected, "{write:?}");
    };
    check(ORDERED, None);
    check(
        Write {
            request: Request::OnlyTheirWords,
            ..ORDERED
        },
        None,
    );
    check(
        Write {
            request: Request::Unclear,
            ..ORDERED
        },
        Some(WaitReason::NotNamed),
    );
    check(
        Write {
            untrusted_text: true,
            ..ORDERED
        },
        Some(WaitReason::UntrustedText),
    );
    check(
        Write {
            may_write: false,
            ..ORDERED
        },
        Some(WaitReason::ModelMayNotWrite),
    );
    check(
        Write {
            builds_on_draft: true,
            ..ORDERED
        },
        Some(WaitReason::UnconfirmedDraft),
    );
    check(
        Write {
            always_asks: true,
            ..ORDERED
        },
        Some(WaitReason::AlwaysAsks),
    );
}

/// Compares every combination of inputs with the rule as a sentence.
#[test]
fn the_rule_holds_for_every_combination() {
    let yes_no = [false, true];
    let requests = [
        Request::NamesTarget,
        Request::OnlyTheirWords,
        Request::Unclear,
    ];
    let mut seen = 0;
    for bits in 0_u8..32 {
        let bit = |at: u8| yes_no[usize::from(bits >> at & 1)];
        for request in requests {
            let write = Write {
                always_asks: bit(0),
                builds_on_draft: bit(1),
                undoable: bit(2),
                may_write: bit(3),
                untrusted_text: bit(4),
                request,
            };
            let ordered = write.may_write && !write.untrusted_text && request != Request::Unclear;
            let runs = !write.always_asks && !write.builds_on_draft && (write.undoable || ordered);
            assert_eq!(wait_reason(write).is_none(), runs, "{write:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 96);
}

#[test]
fn a_target_is_named_literally_and_not_in_a_question() {
    let check = |message: &str, target: &str, named: bool| {
        assert_eq!(names(message, target), named, "{message:?} {target:?}");
    };
    check("check out GP-2026-0012", "GP-2026-0012", true);
    check("check out gp-2026-0012.", "GP-2026-0012", true);
    check("Выпусти GP-2026-0012!", "GP-2026-0012", true);
    check("a pass for Ali Khan, please", " ali khan ", true);
    check("who is GP-2026-0012 for?", "GP-2026-0012", false);
    check("GP-2026-0012 は誰ですか？", "GP-2026-0012", false);
    check("لمن GP-2026-0012؟", "GP-2026-0012", false);
    check("check out GP-2026-00123", "GP-2026-0012", false);
    check("check out XGP-2026-0012", "GP-2026-0012", false);
    check("check out GP-2026-0012-B", "GP-2026-0012", false);
    check("write to ali@example.com", "example.com", false);
    check("check out GP-2026-0012/2", "GP-2026-0012", false);
    check("check out GP-2026-0012:B", "GP-2026-0012", false);
    check("check out GP-2026-0012\u{2011}7", "GP-2026-0012", false);
    check("see https://gate/GP-2026-0012", "GP-2026-0012", false);
    check("12,5 hours", "12", false);
    check("see A+#GP-2026-0012", "GP-2026-0012", false);
    check("see GP-2026-0012--B", "GP-2026-0012", false);
    check("check out #GP-2026-0012...", "GP-2026-0012", true);
    check("write to Rene\u{301}", "Rene", false);
    check(
        "check out GP-2026-0012, then GP-2026-0013",
        "GP-2026-0012",
        true,
    );
    check("let out: GP-2026-0012", "GP-2026-0012", true);
    check("check out GP-2026-0012: the bank", "GP-2026-0012", true);
    check("check out the same one", "GP-2026-0012", false);
    check("anything", "", false);
    check("a pass for Alina", "Ali", false);
}
