//! Each rule about size passes on a good file and fails on a bad one.

use super::super::synthetic::found;
use super::*;

const NONE: [&str; 0] = [];

#[test]
fn a_file_without_a_purpose_fails() {
    let files = [
        ("a.rs", "//! Says what it is for.\n"),
        ("b.rs", "use std::fs;\n//! Too late.\n"),
        ("c.rs", "//!\nfn f() {}\n"),
        ("d.rs", ""),
    ];
    assert_eq!(
        found(files_start_with_their_purpose, &files),
        ["b.rs:1", "c.rs:1", "d.rs:1"]
    );
}

#[test]
fn a_long_file_fails() {
    let lines = |count: usize| "// x\n".repeat(count);
    assert_eq!(
        found(
            files_are_short,
            &[("a.rs", &lines(600)), ("b.md", &lines(601))]
        ),
        NONE
    );
    for path in ["a.rs", "web/src/a.tsx", "scripts/setup"] {
        assert_eq!(
            found(files_are_short, &[(path, &lines(601))]),
            [format!("{path}:601")]
        );
    }
}

#[test]
fn a_long_function_fails() {
    let function =
        |lines: usize| format!("//! x\nfn f() {{\n{}}}\n", "    g();\n".repeat(lines - 2));
    assert_eq!(found(functions_are_short, &[("a.rs", &function(80))]), NONE);
    assert_eq!(
        found(functions_are_short, &[("a.rs", &function(81))]),
        ["a.rs:2"]
    );
}

#[test]
fn a_long_lib_fails() {
    let lines = |count: usize| "// x\n".repeat(count);
    assert_eq!(
        found(lib_is_a_map, &[("crates/a/src/lib.rs", &lines(80))]),
        NONE
    );
    assert_eq!(
        found(lib_is_a_map, &[("crates/a/src/glib.rs", &lines(81))]),
        NONE
    );
    assert_eq!(
        found(lib_is_a_map, &[("crates/a/src/lib.rs", &lines(81))]),
        ["crates/a/src/lib.rs:81"]
    );
}

#[test]
fn an_exception_counts_while_it_is_needed() {
    const LISTED: Exceptions = Exceptions {
        files: &[("a.rs", "generated")],
        functions: &[("b.rs", "f", "one table")],
    };
    let file = "// x\n".repeat(601);
    let function = format!("fn f() {{\n{}}}\n", "    g();\n".repeat(80));
    let needed = [("a.rs", file.as_str()), ("b.rs", &function)];
    assert_eq!(found(|tree| long_files(tree, &LISTED), &needed), NONE);
    assert_eq!(found(|tree| long_functions(tree, &LISTED), &needed), NONE);
    assert_eq!(found(|tree| idle(tree, &LISTED), &needed), NONE);
    let idle_now = [("a.rs", "//! x\n"), ("b.rs", "fn f() {}\n")];
    assert_eq!(
        found(|tree| idle(tree, &LISTED), &idle_now),
        ["a.rs:1", "b.rs:1"]
    );
}
