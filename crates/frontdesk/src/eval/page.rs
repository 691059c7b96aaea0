//! A report as one HTML file: metrics, cases, transcripts. It has no scripts or external resources,
//! and escapes the text of people and models.

use std::fmt::Write;

use super::judge::{Line, Speaker};
use super::report::{CaseReport, Report, RunReport};
use crate::http::escape;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1c2024}\
h1{font-size:1.4rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #e3e5e8}\
td.n,th.n{text-align:right}.ok{color:#18794e}.no{color:#b42318}summary{cursor:pointer}details{margin:.2rem 0}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0;padding:.4rem .6rem;border-radius:6px;background:#f4f5f7}\
pre.person{background:#e8f0fe}pre.call{background:#fff6e0}pre.result{background:#f4f5f7;color:#555}\
svg{width:100%;height:4.5rem}@media(prefers-color-scheme:dark){body{background:#16181b;color:#e6e8ea}td,th{border-color:#33373c}\
pre,pre.result{background:#22262a;color:#c9cdd2}pre.person{background:#1d2b45}pre.call{background:#3a3016}.ok{color:#4cc38a}.no{color:#ff8b7b}}";

pub fn page(report: &Report) -> String {
    let mut out = String::new();
    let title = escape(&format!("{} on {}", report.suite, report.model));
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{title}</title><style>{STYLE}</style><h1>{title}</h1><p>{} · {}</p><pre>{}</pre>",
        report.at.format("%Y-%m-%d %H:%M UTC"),
        escape(&report.id),
        escape(&report.summary.lines())
    );
    plot(&mut out, report);
    out.push_str("<table><tr><th>Case</th><th>As</th><th class=\"n\">Passed</th><th class=\"n\">Seconds</th><th class=\"n\">Tokens</th></tr>");
    for case in &report.cases {
        row(&mut out, case);
    }
    out.push_str("</table></html>\n");
    out
}

fn row(out: &mut String, case: &CaseReport) {
    let seconds: f64 = case.runs.iter().map(|run| run.seconds).sum();
    let tokens: u64 = case.runs.iter().map(|run| run.usage.total()).sum();
    let class = if case.passed() { "ok" } else { "no" };
    let _ = write!(
        out,
        "<tr><td><details{}><summary class=\"{class}\">{}</summary>",
        if case.passed() { "" } else { " open" },
        escape(&case.name)
    );
    for (number, run) in case.runs.iter().enumerate() {
        transcript(out, number + 1, run);
    }
    let _ = write!(
        out,
        "</details></td><td>{}</td><td class=\"n {class}\">{} of {}</td><td class=\"n\">{seconds:.2}</td><td class=\"n\">{tokens}</td></tr>",
        escape(&case.persona),
        case.passes(),
        case.runs.len()
    );
}

fn transcript(out: &mut String, number: usize, run: &RunReport) {
    let _ = write!(out, "<p>Time {number}, {:.2} s</p>", run.seconds);
    for problem in &run.problems {
        let _ = write!(out, "<p class=\"no\">{}</p>", escape(problem));
    }
    for Line { who, text } in &run.transcript {
        let class = match who {
            Speaker::Person => "person",
            Speaker::Assistant => "assistant",
            Speaker::Call => "call",
            Speaker::Result => "result",
        };
        let _ = write!(out, "<pre class=\"{class}\">{}</pre>", escape(text));
    }
}

/// A bar chart of the duration of each case; failed cases are highlighted.
fn plot(out: &mut String, report: &Report) {
    const HEIGHT: f64 = 60.0;
    const STEP: usize = 6;
    let longest = |case: &CaseReport| case.runs.iter().map(|run| run.seconds).fold(0.0, f64::max);
    let top = report.cases.iter().map(longest).fold(0.001, f64::max);
    let width = report.cases.len() * STEP;
    let _ = write!(
        out,
        "<svg viewBox=\"0 0 {width} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Seconds of each case, {top:.2} at most\">"
    );
    for (index, case) in report.cases.iter().enumerate() {
        let height = (longest(case) / top * (HEIGHT - 2.0)).max(1.0);
        let colour = if case.passed() { "#30a46c" } else { "#e5484d" };
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{:.1}\" width=\"{}\" height=\"{height:.1}\" fill=\"{colour}\"/>",
            index * STEP,
            HEIGHT - height,
            STEP - 1
        );
    }
    out.push_str("</svg>");
}
