//! Results against goals, one line each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

use serde::Serialize;

#[derive(Serialize)]
pub struct Report {
    machine: String,
    goals: Vec<Goal>,
    notes: Vec<String>,
    /// Raw numbers.
    #[serde(flatten)]
    figures: BTreeMap<&'static str, f64>,
}

#[derive(Serialize)]
struct Goal {
    #[serde(flatten)]
    requirement: Requirement,
    /// The database, if it matters.
    backing: &'static str,
    value: f64,
    met: bool,
}

/// A goal's requirement: the value is at most `gate`, and `stretch` is hoped for.
#[derive(Clone, Copy, Serialize)]
pub struct Requirement {
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    gate: f64,
    stretch: Option<f64>,
}

pub const fn requirement(
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    gate: f64,
    stretch: Option<f64>,
) -> Requirement {
    Requirement {
        name,
        what,
        unit,
        gate,
        stretch,
    }
}

impl Default for Report {
    fn default() -> Self {
        Self {
            machine: machine(),
            goals: Vec::new(),
            notes: Vec::new(),
            figures: BTreeMap::new(),
        }
    }
}

impl Report {
    pub fn add(&mut self, backing: &'static str, requirement: Requirement, value: f64) {
        self.goals.push(Goal {
            met: value <= requirement.gate,
            requirement,
            backing,
            value,
        });
    }

    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    pub fn figure(&mut self, name: &'static str, value: f64) {
        self.figures.insert(name, value);
    }

    /// Prints the report. With `check`, a missed goal is a failure.
    pub fn print(&self, as_json: bool, check: bool) -> ExitCode {
        if as_json {
            let json = serde_json::to_string_pretty(self);
            println!("{}", json.unwrap_or_default());
        } else {
            print!("{}", self.table());
        }
        match check && !self.goals.iter().all(|goal| goal.met) {
            true => ExitCode::FAILURE,
            false => ExitCode::SUCCESS,
        }
    }

    fn table(&self) -> String {
        let mut out = format!("{}\n\n", self.machine);
        for note in &self.notes {
            // Writing to a `String` cannot fail.
            let _ = writeln!(out, "{note}");
        }
        out.push('\n');
        for goal in &self.goals {
            let mark = if goal.met { "✓" } else { "✗" };
            let Requirement {
                name,
                what,
                unit,
                gate,
                stretch,
            } = goal.requirement;
            let hoped = stretch.map_or_else(String::new, |hoped| format!(", hoped for {hoped}"));
            let _ = writeln!(
                out,
                "{mark} {name:<4} {:<9} {what:<42} {:>8.3} {unit:<2} (at most {gate}{hoped})",
                goal.backing, goal.value
            );
        }
        out
    }
}

/// The processor, its cores and its load.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown processor", |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split_whitespace().take(3).collect();
    format!("{cores} × {model}, load {} at the start", load.join(" "))
}
