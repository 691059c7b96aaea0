//! Results against goals, one line each, for both databases.

use std::fmt::Write as _;

use serde::Serialize;

use crate::installation::Backing;
use crate::load::Cost;
use crate::memory::Memory;
use crate::trips::Trips;

#[derive(Serialize)]
pub struct ServerReport {
    machine: String,
    goals: Vec<Goal>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Goal {
    name: &'static str,
    backing: Backing,
    what: &'static str,
    value: f64,
    unit: &'static str,
    gate: f64,
    stretch: f64,
    met: bool,
}

/// A goal's requirement.
struct Requirement {
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    gate: f64,
    stretch: f64,
}

const fn requirement(
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    gate: f64,
    stretch: f64,
) -> Requirement {
    Requirement {
        name,
        what,
        unit,
        gate,
        stretch,
    }
}

const TURN: Requirement = requirement(
    "G5",
    "CPU of a turn above the baseline, 64 at once",
    "×",
    1.6,
    1.3,
);
const TRIPS_FIRST: Requirement =
    requirement("G12", "round trips before the model is asked", "", 4.0, 1.0);
const TRIPS: Requirement = requirement("G12", "round trips of a turn in all", "", 12.0, 4.0);
const COLD: Requirement = requirement("G13", "cold start to the first answer", "ms", 100.0, 50.0);
const IDLE: Requirement = requirement("G14", "memory, idle", "MB", 30.0, 20.0);
const CROWDED: Requirement = requirement("G14", "memory after 256 clients", "MB", 80.0, 50.0);
const IDLE_STREAM: Requirement = requirement("G15", "memory per idle stream", "KB", 32.0, 12.0);
const IDLE_CONVERSATION: Requirement =
    requirement("G15", "memory per idle conversation", "KB", 1.0, 0.0);
const IN_FLIGHT: Requirement = requirement("G16", "memory per turn in flight", "KB", 84.0, 48.0);

impl ServerReport {
    pub fn new() -> Self {
        Self {
            machine: machine(),
            goals: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn add(&mut self, backing: Backing, requirement: &Requirement, value: f64) {
        self.goals.push(Goal {
            name: requirement.name,
            backing,
            what: requirement.what,
            value,
            unit: requirement.unit,
            gate: requirement.gate,
            stretch: requirement.stretch,
            met: value <= requirement.gate,
        });
    }

    /// Each sample has the baseline and the product with 64, then with 256 in flight.
    pub fn turns(&mut self, backing: Backing, samples: &[[Cost; 4]]) {
        let of = |index: usize, pick: fn(&Cost) -> f64| {
            median(samples.iter().map(|sample| pick(&sample[index])).collect())
        };
        let cpu = |cost: &Cost| cost.cpu_ms;
        self.add(backing, &TURN, of(1, cpu) / of(0, cpu));
        for (index, name) in [
            "the baseline, 64 at once",
            "ours, 64 at once",
            "the baseline, 256 at once",
            "ours, 256 at once",
        ]
        .into_iter()
        .enumerate()
        {
            self.notes.push(format!(
                "{}: {name}: {:.2} ms CPU per turn, {:.2} ms in the database server, {:.0} turns/s, p99 {:.0} ms, {:.0} MB",
                backing.settings(),
                of(index, cpu),
                of(index, |cost| cost.database_cpu_ms),
                of(index, |cost| cost.turns_a_second),
                of(index, |cost| cost.p99_ms),
                of(index, |cost| cost.rss_kb) / 1024.0,
            ));
        }
    }

    /// Statements of the embedded database wait for nothing, so they are printed without a
    /// goal.
    pub fn trips(&mut self, backing: Backing, trips: Trips) {
        if backing == Backing::Sqlite {
            self.notes.push(format!(
                "{}: {} statements before the model is asked, {} in all",
                backing.settings(),
                trips.before_the_model,
                trips.in_all
            ));
            return;
        }
        self.add(backing, &TRIPS_FIRST, trips.before_the_model as f64);
        self.add(backing, &TRIPS, trips.in_all as f64);
    }

    pub fn cold_start(&mut self, backing: Backing, times: Vec<f64>) {
        self.add(backing, &COLD, median(times));
    }

    pub fn memory(&mut self, backing: Backing, memory: Memory) {
        self.add(backing, &IDLE, memory.idle / 1024.0);
        self.add(backing, &CROWDED, memory.after_crowd / 1024.0);
        self.add(backing, &IDLE_STREAM, memory.a_reader);
        self.add(backing, &IDLE_CONVERSATION, memory.a_conversation);
        self.add(backing, &IN_FLIGHT, memory.a_turn_in_flight);
    }

    pub fn all_met(&self) -> bool {
        self.goals.iter().all(|goal| goal.met)
    }

    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    pub fn table(&self) -> String {
        let mut out = String::new();
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{}\n", self.machine);
        for note in &self.notes {
            let _ = writeln!(out, "{note}");
        }
        out.push('\n');
        for goal in &self.goals {
            let mark = if goal.met { "✓" } else { "✗" };
            let backing = match goal.backing {
                Backing::Sqlite => "SQLite",
                Backing::Postgres => "Postgres",
            };
            let _ = writeln!(
                out,
                "{mark} {:<4} {backing:<9} {:<42} {:>8.2} {:<2} (at most {}, hoped for {})",
                goal.name, goal.what, goal.value, goal.unit, goal.gate, goal.stretch
            );
        }
        out
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
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
