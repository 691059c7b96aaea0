//! The report of a suite: cases with transcripts, metrics, and the comparison with an earlier
//! report.

use std::fmt::Write;

use chrono::{DateTime, Utc};
use frontdesk_core::model::Usage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judge::{Judgement, Line};
use super::suite::Case;
use crate::price::Prices;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub id: String,
    /// `assistant/suite`.
    pub suite: String,
    pub model: String,
    pub at: DateTime<Utc>,
    pub summary: Summary,
    pub cases: Vec<CaseReport>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    pub cases: usize,
    /// Cases that passed in every run.
    pub passed: usize,
    pub repeats: usize,
    /// Percentage over all runs.
    pub pass_rate: f64,
    /// Required pass rate, in percent.
    pub threshold: f64,
    /// Probability that a case passes k runs in a row, in percent, for k from 1.
    pub pass_hat: Vec<f64>,
    pub messages: usize,
    /// Messages that resemble a declared example of a tool.
    pub like_examples: usize,
    pub right_tools: usize,
    pub with_calls: usize,
    pub right_arguments: usize,
    pub wrong_writes: usize,
    /// Messages that led to an unexpected tool call.
    pub wrong_calls: usize,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cached_tokens: u64,
    /// Some token counts are estimates, because the provider did not report them.
    pub estimated: bool,
    /// Cost of the tokens, if prices are set.
    pub cost: Option<f64>,
    /// Duration of a case in seconds: median and 95th percentile.
    pub seconds_p50: f64,
    pub seconds_p95: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CaseReport {
    pub name: String,
    #[serde(rename = "as")]
    pub persona: String,
    pub runs: Vec<RunReport>,
    #[serde(skip)]
    pub judgements: Vec<Judgement>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct RunReport {
    pub passed: bool,
    pub problems: Vec<String>,
    pub seconds: f64,
    pub usage: Usage,
    pub transcript: Vec<Line>,
}

impl CaseReport {
    pub fn new(case: &Case) -> Self {
        Self {
            name: case.title(),
            persona: case.persona.clone(),
            runs: Vec::new(),
            judgements: Vec::new(),
        }
    }

    pub fn passes(&self) -> usize {
        self.runs.iter().filter(|run| run.passed).count()
    }

    pub fn passed(&self) -> bool {
        !self.runs.is_empty() && self.passes() == self.runs.len()
    }
}

/// A ratio from 0 to 1; 1 if `whole` is 0.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 1.0;
    }
    part as f64 / whole as f64
}

impl Summary {
    pub fn of(cases: &[CaseReport], threshold: f64, prices: &Prices) -> Self {
        let runs = || cases.iter().flat_map(|case| &case.runs);
        let judged = || cases.iter().flat_map(|case| &case.judgements);
        let count = |is: fn(&Judgement) -> bool| judged().filter(|one| is(one)).count();
        let usage = runs().fold(Usage::default(), |sum, run| sum.plus(run.usage));
        let repeats = cases.iter().map(|case| case.runs.len()).max().unwrap_or(0);
        let mut seconds: Vec<f64> = runs().map(|run| run.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        Self {
            cases: cases.len(),
            passed: cases.iter().filter(|case| case.passed()).count(),
            repeats,
            pass_rate: 100.0 * share(runs().filter(|run| run.passed).count(), runs().count()),
            threshold,
            pass_hat: (1..=repeats).map(|k| 100.0 * pass_hat(cases, k)).collect(),
            messages: judged().count(),
            like_examples: count(|one| one.like_example),
            right_tools: count(|one| one.tools),
            with_calls: count(|one| one.asked_for_calls),
            right_arguments: count(|one| one.asked_for_calls && one.arguments),
            wrong_writes: judged().map(|one| one.wrong_writes).sum(),
            wrong_calls: count(|one| one.wrong_call),
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cached_tokens: usage.cached_tokens,
            estimated: usage.estimated,
            cost: prices.of(usage),
            seconds_p50: percentile(&seconds, 50),
            seconds_p95: percentile(&seconds, 95),
        }
    }

    pub fn holds(&self) -> bool {
        self.pass_rate >= self.threshold
    }

    /// The metrics, one per line.
    pub fn lines(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{} of {} cases passed ({:.1} %, {:.1} % needed)",
            self.passed, self.cases, self.pass_rate, self.threshold
        );
        if self.messages > 0 {
            let _ = writeln!(
                out,
                "right tool {:.1} %, all arguments {:.1} %, wrong writes {}",
                100.0 * share(self.right_tools, self.messages),
                100.0 * share(self.right_arguments, self.with_calls),
                self.wrong_writes
            );
        }
        if self.repeats > 1 {
            let all: Vec<String> = self
                .pass_hat
                .iter()
                .enumerate()
                .map(|(k, share)| format!("pass^{} {share:.1} %", k + 1))
                .collect();
            let _ = writeln!(out, "{}", all.join(", "));
        }
        let mark = if self.estimated { "about " } else { "" };
        let cost = self.cost.map(|cost| format!(", cost {cost:.4}"));
        let _ = writeln!(
            out,
            "{mark}{} tokens in ({} cached), {} out{}; a case took {:.2} s, 95 % at most {:.2} s",
            self.input_tokens,
            self.cached_tokens,
            self.output_tokens,
            cost.unwrap_or_default(),
            self.seconds_p50,
            self.seconds_p95
        );
        out
    }
}

/// Probability that k runs in a row all pass, estimated from the runs of each case.
fn pass_hat(cases: &[CaseReport], k: usize) -> f64 {
    let one = |case: &CaseReport| {
        let (n, c) = (case.runs.len(), case.passes());
        if k > n {
            return 0.0;
        }
        // C(c, k) / C(n, k), factor by factor.
        (0..k).map(|i| share(c.saturating_sub(i), n - i)).product()
    };
    let sum: f64 = cases.iter().map(one).sum();
    if cases.is_empty() {
        return 1.0;
    }
    sum * share(1, cases.len())
}

/// The given percentile of sorted values.
pub fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let rank = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(rank.min(last)).copied().unwrap_or_default()
}

#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    pub broken: Vec<String>,
    pub mended: Vec<String>,
    pub added: Vec<String>,
    pub gone: Vec<String>,
    /// Change in percentage points.
    pub pass_rate: f64,
    pub seconds_p50: f64,
    pub tokens: i64,
    pub cost: Option<f64>,
}

impl Comparison {
    pub fn of(before: &Report, after: &Report) -> Self {
        let mut found = Comparison {
            pass_rate: after.summary.pass_rate - before.summary.pass_rate,
            seconds_p50: after.summary.seconds_p50 - before.summary.seconds_p50,
            tokens: tokens(&after.summary) - tokens(&before.summary),
            cost: after
                .summary
                .cost
                .zip(before.summary.cost)
                .map(|(after, before)| after - before),
            ..Comparison::default()
        };
        let known = |report: &Report, case: &CaseReport| {
            let mut cases = report.cases.iter();
            cases
                .find(|other| other.name == case.name && other.persona == case.persona)
                .map(CaseReport::passed)
        };
        for case in &after.cases {
            match (known(before, case), case.passed()) {
                (None, _) => found.added.push(case.name.clone()),
                (Some(true), false) => found.broken.push(case.name.clone()),
                (Some(false), true) => found.mended.push(case.name.clone()),
                (Some(true), true) | (Some(false), false) => {}
            }
        }
        let gone = before.cases.iter();
        let gone = gone.filter(|case| known(after, case).is_none());
        found.gone = gone.map(|case| case.name.clone()).collect();
        found
    }

    /// True if a case that passed before fails now.
    pub fn is_worse(&self) -> bool {
        !self.broken.is_empty()
    }

    pub fn lines(&self) -> String {
        let mut out = String::new();
        let cost = self.cost.map(|cost| format!(", cost {cost:+.4}"));
        let _ = writeln!(
            out,
            "pass rate {:+.1} points, tokens {:+}, a case {:+.2} s{}",
            self.pass_rate,
            self.tokens,
            self.seconds_p50,
            cost.unwrap_or_default()
        );
        for (what, names) in [
            ("broken", &self.broken),
            ("mended", &self.mended),
            ("added", &self.added),
            ("gone", &self.gone),
        ] {
            for name in names {
                let _ = writeln!(out, "{what:<7} {name}");
            }
        }
        out
    }
}

fn tokens(summary: &Summary) -> i64 {
    let all = summary.input_tokens.saturating_add(summary.output_tokens);
    i64::try_from(all).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod report_tests;
