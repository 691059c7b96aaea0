//! IO in core is found; its tests and other crates are ignored.

use super::super::synthetic::found;
use super::*;

#[test]
fn core_that_reads_the_clock_or_a_file_fails() {
    for reach in REACHES {
        let text = format!("//! x\n// {reach}\nfn f() {{ {reach}(); }}\n");
        let files = [
            ("crates/core/src/run.rs", text.as_str()),
            ("crates/core/src/run_tests.rs", &text),
            ("crates/models/src/openai.rs", &text),
        ];
        assert_eq!(
            found(core_reaches_for_nothing, &files),
            ["crates/core/src/run.rs:3"]
        );
    }
}
