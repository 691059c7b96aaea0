//! docs/design-map.md tells the truth about where things live and what proves them.

use frontdesk_testkit::tidy::{Tree, design_map, report, workspace_root};

#[test]
fn every_row_of_the_design_map_is_true() {
    let tree = Tree::read(&workspace_root()).unwrap();
    let progress = design_map::progress(&tree);
    for (document, of_document) in &progress {
        println!(
            "{document}: {} done, {} open",
            of_document.done, of_document.open
        );
    }
    let findings = design_map::map_is_true(&tree);
    assert!(findings.is_empty(), "{}", report(&findings));
}
