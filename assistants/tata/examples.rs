//! Reads `examples.txt`: example messages for each tool, with their arguments.

use frontdesk_core::tool::ToolSpec;
use serde_json::{Map, Value};

const FILE: &str = include_str!("examples.txt");

/// Adds the examples of a tool. A line that cannot be read fails a test.
pub(super) fn with_examples(spec: ToolSpec, tool: &str) -> ToolSpec {
    lines_of(tool).fold(spec, |spec, line| match read(line) {
        Some((say, arguments)) => spec.example(say, arguments),
        None => spec,
    })
}

fn lines_of(tool: &str) -> impl Iterator<Item = &'static str> {
    let heading = format!("[{tool}]");
    FILE.lines()
        .skip_while(move |line| *line != heading)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.trim().is_empty())
}

/// Reads `message => {"argument": "value"}`.
fn read(line: &'static str) -> Option<(&'static str, Value)> {
    match line.split_once(" => ") {
        Some((say, arguments)) => Some((say, serde_json::from_str(arguments).ok()?)),
        None => Some((line, Value::Object(Map::new()))),
    }
}

#[cfg(test)]
#[path = "examples_tests.rs"]
mod examples_tests;
