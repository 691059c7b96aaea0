//! Results against goals.

use std::fmt::Write as _;

use serde::Serialize;

use crate::measure::TurnCost;
use crate::{HISTORY, LONG_HISTORY, MORE_TOOLS, TOOLS};

#[derive(Default, Serialize)]
pub struct Report {
    floor_cpu_us: f64,
    turn_cpu_us: f64,
    turn_allocations: f64,
    goals: Vec<Goal>,
}

#[derive(Serialize)]
struct Goal {
    name: &'static str,
    what: &'static str,
    value: f64,
    gate: f64,
    unit: &'static str,
    met: bool,
}

impl Report {
    /// `usual` has 22 tools and 50 messages; the others vary one of them.
    pub fn add_all(
        &mut self,
        baseline: TurnCost,
        usual: TurnCost,
        short: TurnCost,
        long: TurnCost,
        broad: TurnCost,
    ) {
        self.floor_cpu_us = baseline.cpu_us;
        self.turn_cpu_us = usual.cpu_us;
        self.turn_allocations = usual.allocations;
        self.add(
            "G1",
            "turn, CPU above the baseline",
            usual.cpu_us / baseline.cpu_us,
            2.0,
            "×",
        );
        let a_message = (long.cpu_us - short.cpu_us) / LONG_HISTORY as f64;
        self.add("G9", "CPU per earlier message", a_message, 0.2, "µs");
        let a_tool = (broad.cpu_us - usual.cpu_us) / (MORE_TOOLS - TOOLS) as f64;
        self.add("G10", "CPU per extra tool", a_tool, 1.0, "µs");
        let growth = (long.allocations / short.allocations - 1.0) * 100.0;
        self.add("G11", "allocations, growth with history", growth, 5.0, "%");
    }

    fn add(
        &mut self,
        name: &'static str,
        what: &'static str,
        value: f64,
        gate: f64,
        unit: &'static str,
    ) {
        self.goals.push(Goal {
            name,
            what,
            value,
            gate,
            unit,
            met: value <= gate,
        });
    }

    pub fn all_met(&self) -> bool {
        self.goals.iter().all(|goal| goal.met)
    }

    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    pub fn table(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "One turn with {TOOLS} tools and {HISTORY} earlier messages, streamed: {:.0} µs CPU and {:.0} allocations; the baseline {:.0} µs.\n",
            self.turn_cpu_us, self.turn_allocations, self.floor_cpu_us
        );
        for goal in &self.goals {
            let mark = if goal.met { "✓" } else { "✗" };
            let _ = writeln!(
                out,
                "{mark} {:<4} {:<34} {:>8.3} {:<2} (at most {} {})",
                goal.name, goal.what, goal.value, goal.unit, goal.gate, goal.unit
            );
        }
        out
    }
}
