//! An invalid suite is refused with the line and the reason.

use super::*;

fn error(text: &str) -> String {
    Suite::parse(text).unwrap_err().to_string()
}

#[test]
fn a_malformed_suite_names_the_line_and_the_reason() {
    for (text, expected) in [
        ("[[case]\n", "line 1: "),
        ("[[case]]\nas = 'hr'\n", "line 1: missing field `say`"),
        (
            "# cases\n\n[[case]]\nas = 'hr'\nsay = 'x'\nexpects = 1\n",
            "line 6: unknown field `expects`",
        ),
        (
            "tools = 'some'\n[[case]]\nas='a'\nsay='b'\n",
            "line 1: unknown variant `some`",
        ),
        ("case = []\n", "line 1: a suite needs at least one [[case]]"),
        (
            "[[case]]\nas = 'hr'\nsay = 'x'\n\n[[case]]\nas = 'hr'\nsay = ' '\n",
            "line 5: `say` must not be empty",
        ),
        (
            "[[case]]\nas = 'hr'\nsay = 'x'\ncites = ['a.md']\n",
            "line 1: `cites` needs tools = \"real\"",
        ),
        (
            "[[case]]\nas = 'hr'\nsay = 'x'\nbefore = [{ assistant = 'y' }]\n",
            "line 1: `before` goes",
        ),
    ] {
        let problem = error(text);
        assert!(problem.starts_with(expected), "{text:?}: {problem}");
    }
}

#[test]
fn unknown_people_and_tools_are_named_with_their_line() {
    let text = "[[case]]\nas = 'hr'\nsay = 'x'\n\n[[case]]\nas = 'boss'\nsay = 'x'\n";
    let suite = Suite::parse(text).unwrap();
    let people = BTreeSet::from(["admin", "hr"]);
    let problem = suite.check(text, &people, &BTreeSet::new()).unwrap_err();
    let expected = "line 5: there is no demo person named boss; there are admin, hr";
    assert_eq!(problem.to_string(), expected);

    let text = "[[case]]\nas = 'hr'\nsay = 'x'\n[[case.then]]\nsay = 'y'\nnever = ['fly']\n";
    let suite = Suite::parse(text).unwrap();
    let problem = suite
        .check(text, &people, &BTreeSet::from(["walk"]))
        .unwrap_err();
    assert_eq!(problem.to_string(), "line 1: there is no tool named fly");
}

#[test]
fn all_fields_of_a_case_are_parsed() {
    let text = r#"
        tools = "real"
        threshold = 80
        [[case]]
        name = "a name"
        as = "hr"
        before = [{ user = "Hi" }, { assistant = "Hello" }]
        say = "Do it"
        calls = [{ tool = "a", with = { n = 1 }, like = { text = { contains = "b" }, other = { one_of = ["x", 2] }, free = { any = false } } }]
        never = ["b"]
        says = ["done|ready"]
        says_not = ["failed"]
        cites = ["a.md"]
        [[case.then]]
        say = "Thanks"
    "#;
    let suite = Suite::parse(text).unwrap();
    assert_eq!((suite.tools, suite.threshold), (Tools::Real, Some(80.0)));
    let case = suite.cases[0].get_ref();
    assert_eq!(case.title(), "a name");
    let turns: Vec<Turn> = case.turns().collect();
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[0].never, ["b"]);
    let free = &turns[0].calls[0].like["free"];
    assert_eq!(*free, Matcher::Any(false));
}

#[test]
fn a_suite_belongs_to_the_assistant_of_its_folder() {
    let of = |path: &str| assistant_of(Path::new(path));
    assert_eq!(
        of("assistants/notes/evals/a.toml").as_deref(),
        Some("notes")
    );
    assert_eq!(of("a.toml"), None);
    assert_eq!(of("evals/a.toml"), None);
}
