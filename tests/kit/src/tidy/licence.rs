//! Checks a package's SPDX licence expression against the allowed licences.

/// MIT-0 is MIT without attribution.
const ALLOWED: [&str; 16] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "OpenSSL",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Zlib",
];

/// True if the expression offers an allowed choice. An unreadable expression is not
/// allowed.
pub fn is_allowed(expression: &str) -> bool {
    // Older manifests write `MIT/Apache-2.0` for a choice.
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = tokens.as_slice();
    either(&mut rest) == Some(true) && rest.is_empty()
}

fn either(rest: &mut &[&str]) -> Option<bool> {
    let mut allowed = both(rest)?;
    while take_word(rest, "OR") {
        // Parses the second part even if the first is sufficient.
        allowed |= both(rest)?;
    }
    Some(allowed)
}

fn both(rest: &mut &[&str]) -> Option<bool> {
    let mut allowed = one(rest)?;
    while take_word(rest, "AND") {
        allowed &= one(rest)?;
    }
    Some(allowed)
}

fn one(rest: &mut &[&str]) -> Option<bool> {
    if take_word(rest, "(") {
        let allowed = either(rest)?;
        return take_word(rest, ")").then_some(allowed);
    }
    let (name, after) = rest.split_first()?;
    *rest = after;
    if take_word(rest, "WITH") {
        let (exception, after) = rest.split_first()?;
        *rest = after;
        let whole = format!("{name} WITH {exception}");
        return Some(ALLOWED.contains(&whole.as_str()));
    }
    Some(ALLOWED.contains(name))
}

fn take_word(rest: &mut &[&str], word: &str) -> bool {
    match rest.split_first() {
        Some((first, after)) if *first == word => {
            *rest = after;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
#[path = "licence_tests.rs"]
mod licence_tests;
