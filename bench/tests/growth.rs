//! Counts the allocations of a turn: any growth with the conversation shows at once.

use std::process::Command;

use serde_json::Value;

#[test]
fn a_turn_allocates_no_more_in_a_long_conversation() {
    let output = Command::new(env!("CARGO_BIN_EXE_frontdesk-bench"))
        .args([
            "--turns",
            "80",
            "--repeat",
            "1",
            "--concurrency",
            "2",
            "--json",
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let goals = report["goals"].as_array().unwrap();
    let growth = goals.iter().find(|goal| goal["name"] == "G11").unwrap();
    assert_eq!(growth["met"], true, "{growth}");
}
