//! Tests and files are named by their subject, not by a number or a code.

use super::{Finding, Rule, Tree, rust};

/// Words for numbers in a row. `second` is also a unit of time, so only whole names count.
const ORDINALS: [&str; 27] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "thirtieth",
    "fortieth",
    "fiftieth",
    "twenty",
    "thirty",
    "forty",
    "fifty",
];

/// Prefixes that only count: `property_11_…`, `case3`.
const COUNTED: [&str; 4] = ["property", "case", "test", "set"];

/// A test is a sentence about behaviour; a code such as `b11_` refers to a list that
/// readers do not have.
pub fn tests_are_not_numbered(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "tests are not numbered",
        remedy: "Name the test by a sentence about behaviour",
    };
    let mut findings = Vec::new();
    for (path, text) in tree.rust() {
        for (line, name) in tests(&rust::read(text)) {
            if is_numbered(&name) {
                findings.push(RULE.at(path, line, format!("`{name}` is named by a number")));
            }
        }
    }
    findings
}

/// A file is named by its content.
pub fn files_are_not_numbered(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "files are not numbered",
        remedy: "Name the file by its subject; name a set of data by its date and theme",
    };
    tree.files()
        .filter_map(|(path, _)| {
            let name = path.rsplit('/').next()?;
            let stem = name.split('.').next()?;
            is_numbered(stem).then(|| RULE.at(path, 1, format!("`{name}` is named by a number")))
        })
        .collect()
}

/// Names of functions with a test attribute, with their lines.
fn tests(source: &rust::Source) -> Vec<(usize, String)> {
    let attributes = source.attributes();
    let mut previous = 0;
    let mut found = Vec::new();
    for function in source.functions() {
        let is_test = attributes.iter().any(|(line, attribute)| {
            let name = attribute.split(['(', ' ']).next().unwrap_or_default();
            (previous + 1..=function.line).contains(line) && name.rsplit(':').next() == Some("test")
        });
        previous = function.line;
        if is_test {
            found.push((function.line, function.name));
        }
    }
    found
}

/// True for `b11_paths`, `property_11_x`, `case3` and `eighteenth`, not for `utf8_text` or
/// `the_second_wins`.
fn is_numbered(name: &str) -> bool {
    let parts: Vec<&str> = name.split(['_', '-']).collect();
    let only_ordinals = parts.iter().all(|part| ORDINALS.contains(part));
    let has_code = parts.len() > 1 && is_code(parts[0]);
    only_ordinals || has_code || is_counted(&parts)
}

/// One or two letters and a number, as in `b11`.
fn is_code(part: &str) -> bool {
    const WORDS: [&str; 12] = [
        "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "v4", "v6",
    ];
    let number = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = part.len() - number.len();
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    (1..=2).contains(&letters) && is_number && !WORDS.contains(&part)
}

fn is_counted(parts: &[&str]) -> bool {
    let first = parts[0].trim_end_matches(|c: char| c.is_ascii_digit());
    let has_number = first.len() < parts[0].len();
    let number_follows = parts
        .get(1)
        .is_some_and(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()));
    COUNTED.contains(&first) && (has_number || number_follows)
}

#[cfg(test)]
#[path = "ordinals_tests.rs"]
mod ordinals_tests;
