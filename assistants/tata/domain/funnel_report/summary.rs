//! The funnel in a few sentences.

use super::stage::Chain;
use super::{Bottleneck, BottleneckSeverity, FunnelReportInput, FunnelStage};
use crate::tata::domain::text::words::one_line;
use crate::tata::domain::voice::Voice;

pub(super) fn summary(
    input: &FunnelReportInput,
    table: &[FunnelStage],
    bottlenecks: &[Bottleneck],
    voice: Voice<'_>,
) -> String {
    let phrases = &voice.pack.funnel;
    let title = one_line(&input.job_title);
    let manager = one_line(&input.hiring_manager_name);
    let positions = input.number_of_positions.to_string();
    let opening = [
        ("title", title.as_str()),
        ("positions", &positions),
        ("manager", &manager),
    ];
    let mut parts = vec![voice.say(&phrases.summary.opening, &opening)];
    let locations: Vec<String> = input
        .locations
        .iter()
        .map(|l| one_line(l))
        .filter(|l| !l.is_empty())
        .collect();
    if !locations.is_empty() {
        parts.push(voice.say(
            &phrases.summary.locations,
            &[("list", &voice.list(&locations))],
        ));
    }
    parts.extend(chain_sentence(
        Chain::Inbound,
        &phrases.inbound,
        table,
        voice,
    ));
    parts.extend(chain_sentence(
        Chain::Sourcing,
        &phrases.sourcing,
        table,
        voice,
    ));
    parts.push(bottleneck_sentence(bottlenecks, voice));
    parts.extend(
        input
            .time_to_fill
            .map(|d| voice.say(&phrases.summary.time_to_fill, &[("days", &voice.days(d))])),
    );
    parts.extend(
        input
            .offers_rejected
            .map(|n| voice.say(&phrases.summary.rejected, &[("n", &n.to_string())])),
    );
    parts.join(" ")
}

fn chain_sentence(
    chain: Chain,
    name: &str,
    table: &[FunnelStage],
    voice: Voice<'_>,
) -> Option<String> {
    let rows: Vec<&FunnelStage> = table.iter().filter(|r| r.chain == chain).collect();
    let [first, .., last] = rows.as_slice() else {
        return None;
    };
    let (from_count, to_count) = (first.count.to_string(), last.count.to_string());
    let percent = voice.percent(last.cumulative_conversion);
    let values = [
        ("chain", name),
        ("percent", &percent),
        ("from", &first.name),
        ("from_count", &from_count),
        ("to", &last.name),
        ("to_count", &to_count),
    ];
    Some(voice.say(&voice.pack.funnel.summary.chain, &values))
}

fn bottleneck_sentence(bottlenecks: &[Bottleneck], voice: Voice<'_>) -> String {
    let phrases = &voice.pack.funnel;
    let serious = bottlenecks
        .iter()
        .filter(|b| b.severity == BottleneckSeverity::High)
        .count();
    let urgent = bottlenecks
        .iter()
        .reduce(|a, b| if b.severity > a.severity { b } else { a });
    match urgent {
        None => voice.plain(&phrases.summary.clean),
        Some(urgent) => {
            let (n, high) = (bottlenecks.len().to_string(), serious.to_string());
            let values = [
                ("n", n.as_str()),
                ("high", &high),
                ("stage", phrases.stage(urgent.stage)),
            ];
            voice.say(&phrases.summary.bottlenecks, &values)
        }
    }
}
