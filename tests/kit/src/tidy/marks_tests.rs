//! Each rule about leftovers passes on good text and fails on bad text.

use super::super::synthetic::found;
use super::*;

fn lines(rule: fn(&Tree) -> Vec<Finding>, text: &str) -> Vec<usize> {
    rule(&Tree::of(&[("a.rs", text)]))
        .iter()
        .map(|finding| finding.line)
        .collect()
}

#[test]
fn a_silenced_lint_fails() {
    let text = "#![allow(dead_code)]\n\
                #[allow(clippy::panic)]\n\
                #[cfg_attr(test, allow(unused))]\n\
                #[expect(clippy::panic)]\n\
                #[expect(clippy::panic, reason = \"shown to be impossible\")]\n\
                // #[allow(unused)]\n\
                const A: &str = \"#[allow(unused)]\";\n\
                #[serde(disallow(x))]\n";
    assert_eq!(lines(no_silenced_lint, text), [1, 2, 3, 4]);
}

#[test]
fn an_ignored_test_without_a_reason_fails() {
    let text = "#[ignore]\n#[ignore = \"long: make test-full\"]\nfn f() {}\n";
    assert_eq!(lines(ignored_tests_say_why, text), [1]);
}

#[test]
fn unfinished_code_fails() {
    let text = "fn f() { todo!() }\nfn g() { dbg!(1) }\nfn h() { unimplemented!(\"x\") }\n\
                // todo!()\nconst A: &str = \"dbg!\";\nfn k() { my_todo!() }\n";
    assert_eq!(lines(no_unfinished_code, text), [1, 2, 3]);
}

#[test]
fn a_note_to_oneself_fails_in_every_text_file() {
    let note = concat!("once\n# TO", "DO: twice\n");
    let files = [("Makefile", note), ("a.rs", "// A TODOLIST is a list.\n")];
    assert_eq!(found(no_note_to_oneself, &files), ["Makefile:2"]);
    let second = concat!("<!-- FIX", "ME -->");
    assert_eq!(
        found(no_note_to_oneself, &[("docs/a.md", second)]),
        ["docs/a.md:1"]
    );
}

#[test]
fn a_registry_address_fails_in_every_text_file() {
    for address in REGISTRIES {
        let text = format!("first\nx{address}/y\n");
        assert_eq!(
            found(no_registry_address, &[("web/package-lock.json", &text)]).len(),
            1,
            "{address}"
        );
    }
    let lock = "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    let none: [&str; 0] = [];
    assert_eq!(found(no_registry_address, &[("Cargo.lock", lock)]), none);
}
