//! `frontdesk eval`: runs suites on any model, with a table, reports and a pass/fail result.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use frontdesk_assistants::EVALS;
use indicatif::{ProgressBar, ProgressStyle};

use super::paint::Paint;
use super::retrieval::{LabelledSet, measure};
use super::{Exit, Setup, print_json};
use crate::config::{Config, Provider};
use crate::eval::attack::Attacks;
use crate::eval::report::{CaseReport, Comparison, Report, Summary};
use crate::eval::report_store::ReportStore;
use crate::eval::run::SuiteRun;
use crate::eval::sandbox::{Sandbox, settings};
use crate::eval::suite::{Suite, assistant_of};
use crate::eval::{attack, page};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk eval                               the suites that come with the product\n  frontdesk eval ASSISTANT/SUITE\n  frontdesk eval my-suite.toml --repeat 5 --report report.html\n  OPENAI_API_KEY=… frontdesk eval ASSISTANT --model gpt-4o-mini --against before.json\n  frontdesk eval --compare before.json after.json\n  frontdesk eval --corpus ./pages --queries queries.tsv --qrels qrels.txt\n\nExit code 1 if fewer cases pass than the threshold requires, or if a case that passed before fails.\nThe format of a suite is described in docs/evaluation.md."
)]
pub(super) struct Eval {
    /// A file, `assistant/suite`, an assistant (all of its suites), or `all`.
    suite: Option<String>,
    /// Model to evaluate. Default: the configured one, otherwise the offline model.
    #[arg(long)]
    model: Option<String>,
    /// Number of runs of each case.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=100))]
    repeat: u16,
    /// Number of cases that run concurrently.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    concurrency: u16,
    /// Percentage of cases that must pass. Default: the suite's own threshold.
    #[arg(long)]
    threshold: Option<f64>,
    /// Write a report: `.html` with transcripts, or `.json`. Can be repeated.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
    /// Compare with this earlier JSON report.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Compare two JSON reports without running anything.
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], conflicts_with = "suite")]
    compare: Vec<PathBuf>,
    /// Folder with the documents of a labelled retrieval set.
    #[arg(long, requires_all = ["queries", "qrels"], conflicts_with = "suite")]
    corpus: Option<PathBuf>,
    /// File with one `id<TAB>question` per line.
    #[arg(long)]
    queries: Option<PathBuf>,
    /// File with one `id 0 path relevance` per line; paths are relative to the corpus.
    #[arg(long)]
    qrels: Option<PathBuf>,
    /// Questions that the documents do not answer, `id<TAB>question` a line: they must be refused.
    #[arg(long, requires = "corpus")]
    outside: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

struct SuiteFile {
    /// `assistant/suite`.
    name: String,
    assistant: Option<String>,
    text: String,
}

impl Eval {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        if let (Some(corpus), Some(queries), Some(qrels)) =
            (&self.corpus, &self.queries, &self.qrels)
        {
            let set = LabelledSet {
                corpus,
                queries,
                qrels,
                outside: self.outside.as_deref(),
            };
            return measure(set, self.json, &setup).await;
        }
        if let [before, after] = self.compare.as_slice() {
            return self.tell_difference(&read_report(before)?, &read_report(after)?);
        }
        let Some(wanted) = &self.suite else {
            for (assistant, suites) in EVALS {
                for (name, _) in *suites {
                    println!("{assistant}/{name}");
                }
            }
            return Ok(Exit::Done);
        };
        let found = find(wanted)?;
        if found.len() > 1 && (!self.report.is_empty() || self.against.is_some()) {
            bail!("--report and --against are for one suite at a time");
        }
        let mut reports = Vec::new();
        for suite in &found {
            let report = self.play(suite, &setup).await;
            match report.with_context(|| suite.name.clone())? {
                Some(report) => reports.push(report),
                None => println!(
                    "{}: skipped; it needs a language model, and none is configured.",
                    suite.name
                ),
            }
        }
        self.tell(&reports)
    }

    /// `None` if the suite needs a language model and none is configured.
    async fn play(&self, found: &SuiteFile, setup: &Setup) -> anyhow::Result<Option<Report>> {
        let own = setup.quiet_config()?;
        let at = chrono::Utc::now();
        let (cases, threshold, model) = if Attacks::is_one(&found.text) {
            let cases = self.attack(found, setup).await?;
            (cases, 100.0, attack::MODEL.to_owned())
        } else {
            match self.cases(found, setup).await? {
                Some(cases) => cases,
                None => return Ok(None),
            }
        };
        let threshold = self.threshold.unwrap_or(threshold);
        let report = Report {
            id: ReportStore::id(&found.name, at),
            suite: found.name.clone(),
            model,
            at,
            summary: Summary::of(&cases, threshold, &own.model.prices),
            cases,
        };
        let stored = ReportStore::of(&own.data_dir).save(&report);
        stored.with_context(|| format!("cannot store the report in {}", own.data_dir.display()))?;
        for path in &self.report {
            write_report(path, &report)?;
        }
        Ok(Some(report))
    }

    async fn cases(
        &self,
        found: &SuiteFile,
        setup: &Setup,
    ) -> anyhow::Result<Option<(Vec<CaseReport>, f64, String)>> {
        let suite = Suite::parse(&found.text)?;
        let name = suite.assistant.clone().or(found.assistant.clone());
        let name =
            name.context("the suite names no assistant; add `assistant = \"…\"` at its top")?;
        let folder = tempfile::tempdir()?;
        let sandbox = Sandbox::open(self.config(folder.path(), setup)?, None).await?;
        let assistant = sandbox.assistant(&name)?;
        let tools = assistant.toolbox.defs().map(|tool| tool.name.as_ref());
        let people: BTreeSet<&str> = sandbox.people().collect();
        suite.check(&found.text, &people, &tools.collect())?;
        if suite.language_model && !sandbox.app.runtime.model().can_draft() {
            sandbox.app.close().await;
            return Ok(None);
        }
        let model = match sandbox.app.config.model.provider {
            Provider::Offline => "offline".to_owned(),
            Provider::OpenAi => assistant.model.model.clone(),
        };
        let playing = SuiteRun {
            suite: &suite,
            assistant: &assistant,
            sandbox: &sandbox,
            model: sandbox.app.runtime.model().as_ref(),
            repeats: self.repeat.into(),
            concurrency: self.concurrency.into(),
        };
        let bar = self.bar(suite.cases.len() * usize::from(self.repeat));
        let cases = playing.run(&|passed| bar.done(passed)).await;
        bar.bar.finish_and_clear();
        sandbox.app.close().await;
        Ok(Some((cases, suite.threshold.unwrap_or(100.0), model)))
    }

    async fn attack(&self, found: &SuiteFile, setup: &Setup) -> anyhow::Result<Vec<CaseReport>> {
        let attacks = Attacks::parse(&found.text)?;
        let name = attacks.assistant.clone().or(found.assistant.clone());
        let name =
            name.context("the suite names no assistant; add `assistant = \"…\"` at its top")?;
        let bar = self.bar(attacks.count());
        let mut cases = Vec::new();
        for place in &attacks.places {
            let folder = tempfile::tempdir()?;
            let config = self.config(folder.path(), setup)?;
            let around = attack::AttackProbe {
                canary: "attacker.example",
                look: &String::new,
            };
            let attacked = attack::run(&attacks, place, &name, config, &around).await?;
            for case in attacked {
                bar.done(case.passed());
                cases.push(case);
            }
        }
        bar.bar.finish_and_clear();
        Ok(cases)
    }

    fn config(&self, folder: &Path, setup: &Setup) -> anyhow::Result<Config> {
        let mut flags = settings(folder.display().to_string());
        flags.push(("log.level", "error".to_owned()));
        if let Some(model) = &self.model {
            match model.as_str() {
                "offline" => flags.push(("model.provider", model.clone())),
                _ => flags.push(("model.name", model.clone())),
            }
        }
        setup.config(flags)
    }

    fn bar(&self, cases: usize) -> Bar {
        let bar = if self.json {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(cases as u64)
        };
        let template = "{bar:30} {pos}/{len} {msg} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Bar {
            bar,
            failed: AtomicU64::new(0),
        }
    }

    fn tell(&self, reports: &[Report]) -> anyhow::Result<Exit> {
        let mut exit = Exit::Done;
        if self.json {
            print_json(&reports)?;
        }
        for report in reports {
            if !self.json {
                print(report);
            }
            if !report.summary.holds() {
                exit = Exit::Failed;
            }
        }
        if let (Some(path), [report]) = (&self.against, reports)
            && self.tell_difference(&read_report(path)?, report)? != Exit::Done
        {
            exit = Exit::Failed;
        }
        Ok(exit)
    }

    fn tell_difference(&self, before: &Report, after: &Report) -> anyhow::Result<Exit> {
        let difference = Comparison::of(before, after);
        if self.json {
            print_json(&difference)?;
        } else {
            println!("against {}:", before.id);
            print!("{}", difference.lines());
        }
        Ok(Exit::of(!difference.is_worse()))
    }
}

struct Bar {
    bar: ProgressBar,
    failed: AtomicU64,
}

impl Bar {
    fn done(&self, passed: bool) {
        if !passed {
            let failed = self.failed.fetch_add(1, Ordering::Relaxed) + 1;
            self.bar.set_message(format!("{failed} failed"));
        }
        self.bar.inc(1);
    }
}

fn print(report: &Report) {
    let paint = Paint::for_stdout();
    println!(
        "{}",
        paint.bold(&format!("{} on {}", report.suite, report.model))
    );
    for case in report.cases.iter().filter(|case| !case.passed()) {
        let times = format!("{}/{}", case.passes(), case.runs.len());
        println!(
            "{} {times:>5}  {:<10} {}",
            paint.bad("✗"),
            case.persona,
            case.name
        );
        let problems: BTreeSet<&String> = case.runs.iter().flat_map(|run| &run.problems).collect();
        for problem in problems {
            println!("{}", paint.dim(&format!("         {problem}")));
        }
    }
    let mark = if report.summary.holds() {
        paint.good("✓")
    } else {
        paint.bad("✗")
    };
    println!("{mark} {}", report.summary.lines());
}

fn find(wanted: &str) -> anyhow::Result<Vec<SuiteFile>> {
    let path = Path::new(wanted);
    if path
        .extension()
        .is_some_and(|extension| extension == "toml")
    {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let assistant = assistant_of(path);
        return Ok(vec![SuiteFile {
            name: match &assistant {
                Some(assistant) => format!("{assistant}/{stem}"),
                None => stem.into_owned(),
            },
            assistant,
            text,
        }]);
    }
    let all = EVALS.iter().flat_map(|(assistant, suites)| {
        suites.iter().map(move |(name, text)| SuiteFile {
            name: format!("{assistant}/{name}"),
            assistant: Some((*assistant).to_owned()),
            text: (*text).to_owned(),
        })
    });
    let meant = |found: &SuiteFile| {
        wanted == "all" || found.name == wanted || found.assistant.as_deref() == Some(wanted)
    };
    let found: Vec<SuiteFile> = all.filter(meant).collect();
    if found.is_empty() {
        bail!(
            "there is no suite named {wanted}; `frontdesk eval` lists them, or name a .toml file"
        );
    }
    Ok(found)
}

fn read_report(path: &Path) -> anyhow::Result<Report> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let reports: Result<Vec<Report>, _> = serde_json::from_slice(&bytes);
    match reports {
        Ok(mut several) if several.len() == 1 => Ok(several.remove(0)),
        Ok(_) => bail!(
            "{} has several reports; compare one at a time",
            path.display()
        ),
        Err(_) => serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is not a report of `frontdesk eval`", path.display())),
    }
}

fn write_report(path: &Path, report: &Report) -> anyhow::Result<()> {
    let text = match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => page::page(report),
        Some("json") => serde_json::to_string_pretty(report)?,
        Some(_) | None => bail!("{}: a report is .html or .json", path.display()),
    };
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
