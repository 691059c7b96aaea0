//! The design documents, our own promises, and the tests that prove them.
//!
//! `design/NNN.txt` lists what document NNN names, `promises.txt` what we promise: one
//! `key: sentence` a line, with `[open: why]` at the end where it does not hold yet. A test that
//! proves a row says so in a comment directly above it: `// design: 003 property 6, Message.role`.
//! A golden conversation says it in `<!-- design: … -->`, a file of evaluations in `# design: …`.

use std::collections::BTreeMap;
use std::fmt::Write;

use frontdesk_testkit::tidy::{Tree, workspace_root};

const FOLDER: &str = "crates/frontdesk/tests/it/design/";

/// The tests behind each row, by document and key.
type Proofs<'a> = BTreeMap<(&'a str, &'a str), Vec<String>>;

#[test]
fn every_design_row_has_a_test() {
    let tree = Tree::read(&workspace_root()).unwrap();
    let mut problems = Vec::new();
    let proofs = proofs(&tree, &mut problems);
    println!("{}", table(&tree, &proofs, &mut problems));
    // `make design-map` prints the table by running this test.
    let makefile = std::fs::read_to_string(workspace_root().join("Makefile")).unwrap();
    assert!(makefile.contains(" every_design_row_has_a_test "));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Every tag of the tree. A tag that is not directly above a test is a problem.
fn proofs<'a>(tree: &'a Tree, problems: &mut Vec<String>) -> Proofs<'a> {
    let mut proofs = Proofs::new();
    for (path, text) in tree.files().filter(|(path, _)| has_tests(path)) {
        let mut below = text.lines();
        while let Some(line) = below.next() {
            let Some((document, keys)) = tag(line) else {
                continue;
            };
            let Some(test) = test_below(path, below.clone()) else {
                problems.push(format!("{path}: no test below `{}`", line.trim()));
                continue;
            };
            for key in keys.split(", ") {
                let of_row = proofs.entry((document, key)).or_default();
                of_row.push(test.clone());
            }
        }
    }
    proofs
}

fn has_tests(path: &str) -> bool {
    [".rs", ".ts", ".tsx", ".toml"]
        .iter()
        .any(|end| path.ends_with(end))
        || path.contains("/conversations/")
}

/// Document and keys of a tag.
fn tag(line: &str) -> Option<(&str, &str)> {
    ["// design: ", "<!-- design: ", "# design: "]
        .iter()
        .find_map(|mark| line.trim().strip_prefix(mark))?
        .trim_end_matches(" -->")
        .split_once(' ')
}

/// The test directly below a tag. A conversation or an evaluation file counts as one test.
fn test_below<'a>(path: &str, below: impl Iterator<Item = &'a str>) -> Option<String> {
    if path.ends_with(".md") || path.ends_with(".toml") {
        return Some(path.to_owned());
    }
    let mut is_test = !path.ends_with(".rs");
    for line in below.map(str::trim) {
        if line.starts_with("//") || line.starts_with("#[") {
            is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            continue;
        }
        if !path.ends_with(".rs") && (line.starts_with("test.each(") || line.starts_with('[')) {
            continue;
        }
        let (_, rest) = line
            .split_once("fn ")
            .or_else(|| line.split_once("test(\""))
            .or_else(|| line.split_once("])(\""))?;
        let name = rest.split(['(', '<', '"']).next()?;
        return is_test.then(|| format!("{path} {name}"));
    }
    None
}

/// All documents with their rows and tests, and the totals. Appends problems to `problems`.
fn table(tree: &Tree, proofs: &Proofs<'_>, problems: &mut Vec<String>) -> String {
    let mut table = String::new();
    let mut unused = proofs.clone();
    let (mut rows, mut open) = (0, Vec::new());
    for (path, text) in tree.files() {
        let Some(document) = path.strip_prefix(FOLDER) else {
            continue;
        };
        let document = document.trim_end_matches(".txt");
        for line in text.lines() {
            writeln!(table, "{line}").unwrap();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let key = line.split(": ").next().unwrap_or(line);
            let tests = unused.remove(&(document, key)).unwrap_or_default();
            let is_open = line.contains(" [open: ");
            if is_open != tests.is_empty() {
                let state = if is_open {
                    "open, but tagged"
                } else {
                    "untested"
                };
                problems.push(format!("{path}: `{key}` is {state}"));
            }
            rows += 1;
            if is_open {
                open.push(format!("{document} {line}"));
            }
            for test in tests {
                writeln!(table, "    {test}").unwrap();
            }
        }
    }
    for ((document, key), tests) in unused {
        problems.push(format!(
            "{}: no row `{key}` in {document}",
            tests.join(", ")
        ));
    }
    let (count, open) = (open.len(), open.join("\n"));
    writeln!(table, "\n{rows} rows, {count} of them open\n{open}").unwrap();
    table
}

#[test]
fn a_row_without_a_test_and_a_tag_without_a_row_are_found() {
    let list = format!("{FOLDER}003.txt");
    let tree = Tree::of(&[
        (
            &list,
            "# 003\na: proven\nb: untested\nc: no [open: soon]\nd: yes [open: not]",
        ),
        (
            "x.rs",
            "// design: 003 a, e\n#[test]\nfn x() {}\n// design: 003 d\nfn y() {}",
        ),
        (
            "y.ts",
            "  // design: 003 d\n  test.each([\n    [1, 2],\n  ])(\"it holds\", () => {",
        ),
        ("a/conversations/z.md", "<!-- design: 003 a -->\n# z"),
    ]);
    let mut problems = Vec::new();
    let proofs = proofs(&tree, &mut problems);
    let table = table(&tree, &proofs, &mut problems);
    assert_eq!(
        problems,
        [
            "x.rs: no test below `// design: 003 d`",
            &format!("{list}: `b` is untested"),
            &format!("{list}: `d` is open, but tagged"),
            "x.rs x: no row `e` in 003",
        ]
    );
    assert!(table.contains("a: proven\n    a/conversations/z.md\n    x.rs x\n"));
    let open = "\n4 rows, 2 of them open\n003 c: no [open: soon]\n003 d: yes [open: not]\n";
    assert!(table.ends_with(open), "{table}");
}
