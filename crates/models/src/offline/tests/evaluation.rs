//! Phrasings with the calls they mean, and how many of them are understood.

use serde_json::Value;

use super::super::check_examples;
use super::talk::{Talk, Turn};
use super::toolboxes;

const CASES: [&str; 9] = [
    include_str!("cases/gatepass.txt"),
    include_str!("cases/gig.txt"),
    include_str!("cases/reminders.txt"),
    include_str!("cases/docs.txt"),
    include_str!("cases/fresh.txt"),
    include_str!("cases/fresh2.txt"),
    include_str!("cases/fresh3.txt"),
    include_str!("cases/fresh4.txt"),
    include_str!("cases/careful.txt"),
];

/// What must come of a message.
#[derive(Default)]
struct Expected {
    says: String,
    far: bool,
    calls: Vec<(String, Value)>,
    /// Part of the text, where no call is expected.
    text: String,
}

#[derive(Default)]
struct Tally {
    messages: usize,
    far: usize,
    right_tool: usize,
    right_arguments: usize,
    with_calls: usize,
    wrong_writes: usize,
    failures: Vec<String>,
}

enum Line {
    Begin(String),
    Result(String, String),
    Message(Expected),
}

fn lines(source: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for line in source
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
    {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (mark, lines.last_mut()) {
            ("@", _) => lines.push(Line::Begin(rest.to_owned())),
            ("<", _) => {
                let (tool, result) = rest.split_once(' ').expect("a result after the tool");
                lines.push(Line::Result(tool.to_owned(), result.to_owned()));
            }
            (">" | ">>", _) => lines.push(Line::Message(Expected {
                says: rest.to_owned(),
                far: mark == ">>",
                ..Expected::default()
            })),
            ("=", Some(Line::Message(expected))) => {
                let (tool, arguments) = rest.split_once(' ').expect("arguments after the tool");
                let arguments = serde_json::from_str(arguments).expect("arguments are JSON");
                expected.calls.push((tool.to_owned(), arguments));
            }
            ("?" | ".", Some(Line::Message(expected))) => expected.text = rest.to_owned(),
            _ => panic!("cannot read the case {line:?}"),
        }
    }
    lines
}

fn evaluate() -> Tally {
    let mut tally = Tally::default();
    for source in CASES {
        let mut talk: Option<(String, Talk)> = None;
        for line in lines(source) {
            match line {
                Line::Begin(name) => {
                    let offer = toolboxes::named(&name);
                    talk = Some((name, Talk::new(offer)));
                }
                Line::Result(tool, result) => {
                    talk.as_mut()
                        .expect("a conversation")
                        .1
                        .will_return(&tool, &result);
                }
                Line::Message(expected) => {
                    let (name, talk) = talk.as_mut().expect("a conversation");
                    let turn = talk.say(&expected.says);
                    tally.judge(name, talk, &expected, &turn);
                }
            }
        }
    }
    tally
}

impl Tally {
    fn judge(&mut self, toolbox: &str, talk: &Talk, expected: &Expected, turn: &Turn) {
        self.messages += 1;
        self.far += usize::from(expected.far);
        let names =
            |calls: &[(String, Value)]| calls.iter().map(|(n, _)| n.clone()).collect::<Vec<_>>();
        let tools = names(&expected.calls) == names(&turn.calls)
            && (!expected.calls.is_empty() || turn.text.contains(&expected.text));
        let same = |a: &[(String, Value)], b: &[(String, Value)]| {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|((n, a), (m, b))| n == m && alike(a, b))
        };
        let arguments = tools && same(&expected.calls, &turn.calls);
        self.right_tool += usize::from(tools);
        self.with_calls += usize::from(!expected.calls.is_empty());
        self.right_arguments += usize::from(arguments && !expected.calls.is_empty());
        let writes = |name: &str| {
            let def = talk.offer.tools.iter().find(|tool| tool.name == name);
            def.is_some_and(|def| def.spec.effect.writes())
        };
        let wrong: Vec<_> = turn
            .calls
            .iter()
            .filter(|(name, arguments)| {
                let wanted = expected
                    .calls
                    .iter()
                    .any(|(n, a)| n == name && alike(a, arguments));
                writes(name) && !wanted
            })
            .collect();
        self.wrong_writes += wrong.len();
        if !arguments || !wrong.is_empty() {
            self.failures.push(format!(
                "[{toolbox}] {}\n    expected {:?} {}\n    got      {:?} {}{}",
                expected.says,
                expected.calls,
                expected.text,
                turn.calls,
                turn.text.replace('\n', " / "),
                if wrong.is_empty() {
                    ""
                } else {
                    "\n    WRONG WRITE"
                },
            ));
        }
    }
}

/// Equal but for the case of letters.
fn alike(a: &Value, b: &Value) -> bool {
    a.to_string().to_lowercase() == b.to_string().to_lowercase()
}

#[test]
fn most_phrasings_are_understood_and_no_write_is_wrong() {
    let tally = evaluate();
    for failure in &tally.failures {
        println!("{failure}");
    }
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole as f64;
    let tools = percent(tally.right_tool, tally.messages);
    let arguments = percent(tally.right_arguments, tally.with_calls);
    println!(
        "{} messages ({} far from the examples): {tools:.1} % right tool, {arguments:.1} % all arguments, {} wrong writes",
        tally.messages, tally.far, tally.wrong_writes
    );
    assert!(tally.messages >= 120);
    assert!(tally.far * 2 >= tally.messages);
    assert_eq!(tally.wrong_writes, 0);
    assert!(tools >= 95.0);
    assert!(arguments >= 85.0);
}

#[test]
fn every_declared_example_is_understood() {
    for name in toolboxes::ALL {
        let mismatches = check_examples(&toolboxes::named(name));
        assert!(mismatches.is_empty(), "{name}: {mismatches:#?}");
    }
}
