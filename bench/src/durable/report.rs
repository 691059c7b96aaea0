//! Figures against goals, one line each, for both databases.

use std::fmt::Write as _;

use serde::Serialize;

use crate::load::Cost;
use crate::memory::Memory;
use crate::place::Backing;
use crate::trips::Trips;

#[derive(Serialize)]
pub struct Report {
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

/// What a goal asks for.
struct Wish {
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    gate: f64,
    stretch: f64,
}

const fn wish(
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    gate: f64,
    stretch: f64,
) -> Wish {
    Wish {
        name,
        what,
        unit,
        gate,
        stretch,
    }
}

const TURN: Wish = wish(
    "G5",
    "CPU of a turn over the floor's, 64 at once",
    "×",
    1.6,
    1.3,
);
const TRIPS_FIRST: Wish = wish("G12", "round trips before the model is asked", "", 4.0, 1.0);
const TRIPS: Wish = wish("G12", "round trips of a turn in all", "", 12.0, 4.0);
const COLD: Wish = wish("G13", "cold start to the first answer", "ms", 100.0, 50.0);
const IDLE: Wish = wish("G14", "memory, idle", "MB", 30.0, 20.0);
const CROWDED: Wish = wish("G14", "memory after 256 clients", "MB", 80.0, 50.0);
const READER: Wish = wish("G15", "memory per idle stream", "KB", 32.0, 12.0);
const RESTING: Wish = wish("G15", "memory per idle conversation", "KB", 1.0, 0.0);
const FLYING: Wish = wish("G16", "memory per turn in flight", "KB", 84.0, 48.0);

impl Report {
    pub fn new() -> Self {
        Self {
            machine: machine(),
            goals: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn add(&mut self, backing: Backing, wish: &Wish, value: f64) {
        self.goals.push(Goal {
            name: wish.name,
            backing,
            what: wish.what,
            value,
            unit: wish.unit,
            gate: wish.gate,
            stretch: wish.stretch,
            met: value <= wish.gate,
        });
    }

    /// Each sample is the floor and ours with 64, then with 256 at once.
    pub fn turns(&mut self, backing: Backing, samples: &[[Cost; 4]]) {
        let of = |index: usize, pick: fn(&Cost) -> f64| {
            median(samples.iter().map(|sample| pick(&sample[index])).collect())
        };
        let cpu = |cost: &Cost| cost.cpu_ms;
        self.add(backing, &TURN, of(1, cpu) / of(0, cpu));
        for (index, name) in [
            "the floor, 64 at once",
            "ours, 64 at once",
            "the floor, 256 at once",
            "ours, 256 at once",
        ]
        .into_iter()
        .enumerate()
        {
            self.notes.push(format!(
                "{}: {name}: {:.2} ms CPU a turn, {:.2} ms in the database server, {:.0} turns/s, p99 {:.0} ms, {:.0} MB",
                backing.settings(),
                of(index, cpu),
                of(index, |cost| cost.database_cpu_ms),
                of(index, |cost| cost.turns_a_second),
                of(index, |cost| cost.p99_ms),
                of(index, |cost| cost.rss_kb) / 1024.0,
            ));
        }
    }

    /// A statement of the embedded database waits for nobody, so there it is told and not judged.
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
        self.add(backing, &READER, memory.a_reader);
        self.add(backing, &RESTING, memory.a_conversation);
        self.add(backing, &FLYING, memory.a_turn_in_flight);
    }

    pub fn all_met(&self) -> bool {
        self.goals.iter().all(|goal| goal.met)
    }

    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    pub fn table(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
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

/// The processor, how many of them, and how busy they are.
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
