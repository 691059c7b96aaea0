//! Lets cargo notice when the page was built anew.

use std::path::Path;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    // A folder that is missing counts as changed each time, so an empty one stands in for a page
    // that was not built. Where it cannot be made, the worst is a build too many.
    let _ = std::fs::create_dir_all(&dist);
    println!("cargo::rerun-if-changed={}", dist.display());
}
