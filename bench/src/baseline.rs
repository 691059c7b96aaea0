//! The baseline: the same two requests with hyper alone, without storage.

use anyhow::{Context, Result, bail};

use frontdesk_bench::baseline_model::{Model, Reply};
use frontdesk_bench::scene::{QUESTION, RESULT, SYSTEM, Scene, tools_json};

use crate::measure::Turns;

pub struct Baseline {
    model: Model,
    history: String,
}

impl Baseline {
    pub fn new(url: &str, scene: &Scene) -> Self {
        let history = scene.transcript().into_bytes();
        Self {
            model: Model::new(url, &tools_json(scene.tools), SYSTEM),
            history: String::from_utf8_lossy(&history).into_owned(),
        }
    }

    async fn ask(&self, new: &str) -> Result<Reply> {
        let lines = [self.history.as_str(), new];
        let from = usize::from(self.history.is_empty());
        self.model.ask(&lines[from..], |_| {}).await
    }
}

impl Turns for Baseline {
    async fn turn(&self) -> Result<()> {
        let user = format!(r#"{{"role":"user","content":"{QUESTION}"}}"#);
        let called = self.ask(&user).await?;
        let id = called.call.context("the model called no tool")?;
        let result = RESULT.replace('"', "\\\"");
        let tail = format!(
            r#"{user},{{"role":"assistant","tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"tool_0","arguments":"{{}}"}}}}]}},{{"role":"tool","content":"{result}","tool_call_id":"{id}"}}"#
        );
        if self.ask(&tail).await?.text.is_empty() {
            bail!("the model said nothing");
        }
        Ok(())
    }
}
