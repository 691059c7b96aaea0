//! A test assistant whose answers follow a schema, with its own check.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_bundle::{Bundle, SetupContext, SetupError};
use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits, Suggestion};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::persona::Persona;
use frontdesk_core::reply::{CheckReply, Extras, FinalAnswer, ReplySchema};
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use frontdesk_core::toolbox::Toolbox;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// This assistant alone.
pub fn alone(ctx: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    Ok(vec![bundle(ctx)?])
}

fn bundle(_: &SetupContext) -> Result<Bundle, SetupError> {
    let assistant = Assistant {
        name: "scout".into(),
        title: "Scout".into(),
        description: "Knows two people.".into(),
        roles: vec![Role::READER],
        instructions: "You know Ann and Bob.".into(),
        phases: Vec::new(),
        toolbox: Toolbox::builder().tool(CountPeople).build()?,
        context: Vec::new(),
        reply_schema: Some(schema()?),
        model: ModelSettings {
            model: "gpt-4o-mini".to_owned(),
            temperature: None,
            max_tokens: None,
        },
        limits: Limits::default(),
        greeting: "Whom are you looking for?".into(),
        suggestions: Suggestion::for_all(&["Who is there?"]),
    };
    let person = Persona {
        name: "rae".into(),
        display_name: "Rae Lindqvist".into(),
        email: "rae@example.com".into(),
        roles: vec![Role::READER],
        company: None,
    };
    Ok(Bundle {
        procedures: crate::procedures::all(),
        ..Bundle::new(assistant, vec![person])
    })
}

fn schema() -> Result<ReplySchema, SetupError> {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let schema = ReplySchema::new(json!({
        "type": "object",
        "properties": {
            "message": { "type": "string" },
            "quickReplies": texts,
            "candidatesMentioned": texts,
            "analysisType": { "type": "string", "enum": ["ranking", "general"] },
        },
        "required": ["message", "quickReplies", "candidatesMentioned", "analysisType"],
        "additionalProperties": false,
    }))?;
    Ok(schema.checked_by(Arc::new(OnlyKnown)))
}

struct OnlyKnown;

#[async_trait]
impl CheckReply for OnlyKnown {
    async fn check(&self, said: &FinalAnswer<'_>, mut extras: Extras) -> Extras {
        if let Some(Value::Array(named)) = extras.fields.get_mut("candidatesMentioned") {
            let before = named.len();
            named.retain(|name| name == "ann" || name == "bob");
            let dropped = before - named.len();
            if dropped > 0 {
                tracing::warn!(conversation.id = %said.conversation.id, dropped, "people that do not exist");
            }
        }
        extras
    }
}

/// Counts the people.
struct CountPeople;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoArgs {}

impl Tool for CountPeople {
    const NAME: &'static str = "count_people";
    type Args = NoArgs;
    type Output = u32;

    fn spec() -> ToolSpec {
        ToolSpec::read("Count the people.")
            .title("Count people")
            .example("how many people are there?", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, _: NoArgs) -> Result<u32, ToolError> {
        ctx.suggest(["Who is there?".to_owned()]);
        Ok(2)
    }

    fn summary(count: &u32) -> String {
        format!("There are {count} people.")
    }
}
