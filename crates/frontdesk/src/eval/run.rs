//! Runs a suite: repeats each case, several cases concurrently.

use std::sync::Arc;

use frontdesk_core::assistant::Assistant;
use frontdesk_core::model::{Model, Usage};
use frontdesk_core::phase::Phase;
use frontdesk_core::toolbox::Offer;
use futures_util::StreamExt;
use futures_util::stream;

use super::judge::{JudgeContext, Judgement, judge};
use super::model_only_run::{ModelOnlyRun, ModelSetup};
use super::report::{CaseReport, RunReport};
use super::sandbox::Sandbox;
use super::suite::{Case, Suite, Tools, Turn};

pub struct SuiteRun<'a> {
    pub suite: &'a Suite,
    pub assistant: &'a Arc<Assistant>,
    pub sandbox: &'a Sandbox,
    pub model: &'a dyn Model,
    pub repeats: usize,
    pub concurrency: usize,
}

/// One run of one case.
struct CaseResult {
    case: usize,
    run: RunReport,
    judgements: Vec<Judgement>,
}

impl SuiteRun<'_> {
    /// Calls `done` after each run with whether it passed.
    pub async fn run(&self, done: &(dyn Fn(bool) + Sync)) -> Vec<CaseReport> {
        let cases: Vec<&Case> = self.suite.cases.iter().map(|case| case.get_ref()).collect();
        let mut reports: Vec<CaseReport> = cases.iter().map(|case| CaseReport::new(case)).collect();
        let times = (0..self.repeats).flat_map(|_| cases.iter().enumerate());
        let mut played = stream::iter(times.map(|(index, case)| self.play(index, case)))
            .buffer_unordered(self.concurrency.max(1));
        while let Some(CaseResult {
            case,
            run,
            judgements,
        }) = played.next().await
        {
            done(run.passed);
            if let Some(report) = reports.get_mut(case) {
                report.runs.push(run);
                report.judgements.extend(judgements);
            }
        }
        reports
    }

    async fn play(&self, index: usize, case: &Case) -> CaseResult {
        let mut played = CaseResult {
            case: index,
            run: RunReport::default(),
            judgements: Vec::new(),
        };
        let outcome = match self.suite.tools {
            Tools::Described => self.describe(case, &mut played).await,
            Tools::Real => self.perform(case, &mut played).await,
        };
        if let Err(error) = outcome {
            played.run.problems.push(format!("{error:#}"));
        }
        played.run.passed = played.run.problems.is_empty();
        played
    }

    async fn describe(&self, case: &Case, played: &mut CaseResult) -> anyhow::Result<()> {
        let who = self.sandbox.person(&case.persona)?;
        let phase = match &case.phase {
            Some(phase) => Phase::stored(phase.clone()),
            None => self.assistant.first_phase(),
        };
        let offer = self.sandbox.offer(self.assistant, who, &phase);
        let instructions = self.assistant.system_prompt(&phase);
        let asked = ModelSetup {
            model: self.model,
            offer: &offer,
            settings: &self.assistant.model,
            instructions: &instructions,
        };
        let mut model_only_run = ModelOnlyRun::new(case, asked);
        let turns: Vec<Turn> = case.turns().collect();
        for (place, turn) in turns.iter().enumerate() {
            let result = model_only_run.say(turn).await;
            let rules = self.rules(&offer, turns.get(place + 1));
            played.take(judge(turn, rules, &result), result);
        }
        Ok(())
    }

    async fn perform(&self, case: &Case, played: &mut CaseResult) -> anyhow::Result<()> {
        let who = self.sandbox.person(&case.persona)?;
        let play = self.sandbox.begin(&self.assistant.name, case).await?;
        let offer = self
            .sandbox
            .offer(self.assistant, who, &play.conversation.phase);
        let turns: Vec<Turn> = case.turns().collect();
        for (place, turn) in turns.iter().enumerate() {
            let result = play.say(turn).await?;
            let rules = self.rules(&offer, turns.get(place + 1));
            played.take(judge(turn, rules, &result), result);
        }
        Ok(())
    }

    fn rules<'a>(&self, offer: &'a Offer, next: Option<&'a Turn>) -> JudgeContext<'a> {
        JudgeContext {
            offer,
            may_write: self.model.may_write(),
            next,
        }
    }
}

impl CaseResult {
    fn take(&mut self, judgement: Judgement, result: super::judge::MessageResult) {
        let run = &mut self.run;
        run.problems.extend(judgement.problems.iter().cloned());
        run.usage = Usage::plus(run.usage, result.usage);
        run.seconds += result.seconds;
        run.transcript.extend(result.lines);
        self.judgements.push(judgement);
    }
}
