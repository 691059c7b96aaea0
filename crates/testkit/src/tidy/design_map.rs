//! `docs/design-map.md` says where each thing of the design documents lives and which test
//! proves it. A row that no longer tells the truth is found here.

use std::collections::{BTreeMap, BTreeSet};

use super::rust::is_word;
use super::{Finding, Rule, Tree};

pub const PATH: &str = "docs/design-map.md";

/// The design documents by their numbers.
pub const DOCUMENTS: [&str; 5] = ["000", "001", "002", "003", "004"];

const RULE: Rule = Rule {
    name: "design map",
    remedy: "Put the row right, or bring back what it names",
};

/// A row of the map.
#[derive(Debug)]
struct Row<'a> {
    line: usize,
    what: &'a str,
    document: &'a str,
    places: Vec<&'a str>,
    proofs: Vec<&'a str>,
    state: &'a str,
}

/// How much of a document is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub open: usize,
}

/// Done and open rows for each document.
pub fn progress(tree: &Tree) -> BTreeMap<&str, Progress> {
    let mut progress: BTreeMap<&str, Progress> = BTreeMap::new();
    for row in rows(tree) {
        let of_document = progress.entry(row.document).or_default();
        match row.state {
            "done" => of_document.done += 1,
            _ => of_document.open += 1,
        }
    }
    progress
}

/// Everything in the map that is not true.
pub fn map_is_true(tree: &Tree) -> Vec<Finding> {
    let rows = rows(tree);
    let mut findings = empty_headings(tree, &rows);
    findings.extend(broken_rows(tree));
    let mut seen = BTreeSet::new();
    for row in &rows {
        if !seen.insert((row.document, row.what)) {
            findings.push(row.finding(format!("`{}` stands there twice", row.what)));
        }
        findings.extend(row_problems(tree, row).map(|problem| row.finding(problem)));
    }
    findings
}

impl Row<'_> {
    fn finding(&self, problem: String) -> Finding {
        RULE.at(PATH, self.line, problem)
    }
}

fn row_problems(tree: &Tree, row: &Row<'_>) -> impl Iterator<Item = String> {
    let document = (!DOCUMENTS.contains(&row.document))
        .then(|| format!("there is no document `{}`", row.document));
    let state = match row.state {
        "open" => None,
        "done" if row.places.is_empty() || row.proofs.is_empty() => {
            Some("is done without a place and a test".to_owned())
        }
        "done" => None,
        other => Some(format!("the state is `done` or `open`, not `{other}`")),
    };
    let places = row.places.iter().filter_map(|place| lost(tree, place));
    let proofs = row.proofs.iter().filter_map(|proof| unproven(tree, proof));
    let found: Vec<String> = document
        .into_iter()
        .chain(state)
        .chain(places)
        .chain(proofs)
        .collect();
    found.into_iter()
}

/// Why a place (`path` or `path::item`) is not there.
fn lost(tree: &Tree, place: &str) -> Option<String> {
    let (path, item) = split(place);
    if !tree.has(path) {
        return Some(format!("there is no `{path}`"));
    }
    let text = tree.get(path).unwrap_or_default();
    let item = item?;
    let name = item.rsplit("::").next().unwrap_or(item);
    (!text.split(|c| !is_word(c)).any(|word| word == name))
        .then(|| format!("`{path}` has no `{name}`"))
}

/// Why a proof is none. A golden conversation is a test by itself; elsewhere the test is named.
fn unproven(tree: &Tree, proof: &str) -> Option<String> {
    let (path, test) = split(proof);
    let Some(text) = tree.get(path) else {
        return Some(format!("there is no test file `{path}`"));
    };
    let golden = path.ends_with(".md") && path.contains("conversations/");
    match test {
        None if golden => None,
        None => Some(format!("`{path}` is named without a test")),
        Some(test) if path.ends_with(".rs") => {
            let declared = [format!("fn {test}("), format!("fn {test}<")];
            (!declared.iter().any(|text_of| text.contains(text_of)))
                .then(|| format!("`{path}` has no test `{test}`"))
        }
        Some(test) => (!text.contains(test)).then(|| format!("`{path}` has no test \"{test}\"")),
    }
}

fn split(place: &str) -> (&str, Option<&str>) {
    match place.split_once("::") {
        Some((path, item)) => (path, Some(item)),
        None => (place, None),
    }
}

/// Headings, of documents and of groups in them, under which nothing stands.
fn empty_headings(tree: &Tree, rows: &[Row<'_>]) -> Vec<Finding> {
    let headings = headings(tree);
    let mut findings = Vec::new();
    for (index, (line, level, title)) in headings.iter().enumerate() {
        let end = headings[index + 1..]
            .iter()
            .find(|(_, other, _)| other <= level)
            .map_or(usize::MAX, |(line, ..)| *line);
        if !rows.iter().any(|row| (*line..end).contains(&row.line)) {
            findings.push(RULE.at(PATH, *line, format!("`{title}` has no rows")));
        }
    }
    for document in DOCUMENTS {
        let there =
            |(_, level, title): &(usize, usize, &str)| *level == 2 && title.starts_with(document);
        if !headings.iter().any(there) {
            findings.push(RULE.at(PATH, 1, format!("document {document} has no heading")));
        }
    }
    findings
}

/// Line, level and title of each heading below the first level.
fn headings(tree: &Tree) -> Vec<(usize, usize, &str)> {
    lines(tree)
        .filter_map(|(line, text)| {
            let level = text.bytes().take_while(|b| *b == b'#').count();
            (level > 1).then(|| (line, level, text[level..].trim()))
        })
        .collect()
}

/// Lines of a table that do not have five cells and so would be overlooked.
fn broken_rows(tree: &Tree) -> impl Iterator<Item = Finding> {
    lines(tree)
        .filter(|(_, text)| text.starts_with('|') && cells(text).len() != 5)
        .map(|(line, _)| RULE.at(PATH, line, "is not a row of five cells"))
}

fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim_end().strip_prefix('|');
    let inner = inner.and_then(|rest| rest.strip_suffix('|'));
    inner.map_or_else(Vec::new, |inner| inner.split('|').map(str::trim).collect())
}

fn rows(tree: &Tree) -> Vec<Row<'_>> {
    lines(tree)
        .filter_map(|(line, text)| {
            let &[what, document, places, proofs, state] = cells(text).as_slice() else {
                return None;
            };
            // The titles of the columns, and the line under them.
            if what == "what" || what.starts_with("--") {
                return None;
            }
            Some(Row {
                line,
                what,
                document,
                places: several(places),
                proofs: several(proofs),
                state,
            })
        })
        .collect()
}

/// The parts of a cell: several are parted by `<br>`, `—` is none.
fn several(cell: &str) -> Vec<&str> {
    cell.split("<br>")
        .map(|part| part.trim().trim_matches('`'))
        .filter(|part| *part != "—" && !part.is_empty())
        .collect()
}

fn lines(tree: &Tree) -> impl Iterator<Item = (usize, &str)> {
    let text = tree.get(PATH).unwrap_or_default();
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
#[path = "design_map_tests.rs"]
mod design_map_tests;
