//! docs/promises-map.md names tests that exist.

use frontdesk_testkit::tidy::{Tree, workspace_root};

#[test]
fn every_promise_is_proven_by_a_test_that_exists() {
    let tree = Tree::read(&workspace_root()).unwrap();
    let map = tree.get("docs/promises-map.md").unwrap();
    let rows: Vec<&str> = map
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| promise"))
        .collect();
    assert!(rows.len() > 20, "{} rows", rows.len());
    let mut lost = Vec::new();
    for row in rows {
        let proofs: Vec<&str> = row
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|text| text.contains("::"))
            .collect();
        if proofs.is_empty() {
            lost.push(format!("nothing proves {row}"));
        }
        for proof in proofs {
            let (path, test) = proof.split_once("::").unwrap();
            let there = tree
                .get(path)
                .is_some_and(|text| text.contains(&format!("fn {test}(")));
            if !there {
                lost.push(format!("there is no {proof}"));
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}
