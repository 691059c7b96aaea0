//! The goals of whole servers.

use frontdesk_bench::report::{Report, Requirement, requirement};
use frontdesk_bench::stats::median;

use crate::installation::Backing;
use crate::load::Cost;
use crate::memory::Memory;
use crate::trips::Trips;

const TURN: Requirement = requirement(
    "G5",
    "CPU of a turn above the baseline, 64 at once",
    "×",
    1.6,
    Some(1.3),
);
const TRIPS_FIRST: Requirement = requirement(
    "G12",
    "round trips before the model is asked",
    "",
    4.0,
    Some(1.0),
);
const TRIPS: Requirement = requirement("G12", "round trips of a turn in all", "", 12.0, Some(4.0));
pub const COLD: Requirement = requirement(
    "G13",
    "cold start to the first answer",
    "ms",
    100.0,
    Some(50.0),
);
const IDLE: Requirement = requirement("G14", "memory, idle", "MB", 30.0, Some(20.0));
const CROWDED: Requirement = requirement("G14", "memory after 256 clients", "MB", 80.0, Some(50.0));
const IDLE_STREAM: Requirement =
    requirement("G15", "memory per idle stream", "KB", 32.0, Some(12.0));
const IDLE_CONVERSATION: Requirement =
    requirement("G15", "memory per idle conversation", "KB", 1.0, Some(0.0));
const IN_FLIGHT: Requirement =
    requirement("G16", "memory per turn in flight", "KB", 84.0, Some(48.0));

/// Each sample has the baseline and the product with 64, then with 256 in flight.
pub fn add_turns(report: &mut Report, backing: Backing, samples: &[[Cost; 4]]) {
    let of = |index: usize, pick: fn(&Cost) -> f64| {
        median(samples.iter().map(|sample| pick(&sample[index])).collect())
    };
    let cpu = |cost: &Cost| cost.cpu_ms;
    report.add(backing.name(), TURN, of(1, cpu) / of(0, cpu));
    for (index, name) in [
        "the baseline, 64 at once",
        "ours, 64 at once",
        "the baseline, 256 at once",
        "ours, 256 at once",
    ]
    .into_iter()
    .enumerate()
    {
        report.note(format!(
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
pub fn add_trips(report: &mut Report, backing: Backing, trips: Trips) {
    let (first, all) = (trips.before_the_model, trips.in_all);
    if backing == Backing::Sqlite {
        let settings = backing.settings();
        report.note(format!(
            "{settings}: {first} statements before the model is asked, {all} in all"
        ));
        return;
    }
    report.add(backing.name(), TRIPS_FIRST, first as f64);
    report.add(backing.name(), TRIPS, all as f64);
}

pub fn add_memory(report: &mut Report, backing: Backing, memory: Memory) {
    let name = backing.name();
    report.add(name, IDLE, memory.idle / 1024.0);
    report.add(name, CROWDED, memory.after_crowd / 1024.0);
    report.add(name, IDLE_STREAM, memory.a_reader);
    report.add(name, IDLE_CONVERSATION, memory.a_conversation);
    report.add(name, IN_FLIGHT, memory.a_turn_in_flight);
}
