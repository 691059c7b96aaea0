//! Licence expressions from real packages.

use super::is_allowed;

#[test]
fn permissive_licences_are_allowed() {
    for expression in [
        "MIT",
        "MIT OR Apache-2.0",
        "MIT/Apache-2.0",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
        "(Apache-2.0 OR MIT) AND BSD-3-Clause",
        "CDLA-Permissive-2.0",
    ] {
        assert!(is_allowed(expression), "{expression}");
    }
}

#[test]
fn other_licences_and_nonsense_are_refused() {
    for expression in [
        "GPL-3.0-only",
        "AGPL-3.0",
        "MIT AND GPL-3.0-only",
        "(MIT OR GPL-3.0-only) AND SSPL-1.0",
        "MIT WITH Some-exception",
        "mit",
        "",
        "MIT OR",
        "(MIT",
        "MIT)",
        "MIT Apache-2.0",
        "OR MIT",
    ] {
        assert!(!is_allowed(expression), "{expression}");
    }
}
