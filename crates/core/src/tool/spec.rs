//! A tool's declaration.

use std::borrow::Cow;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::Role;
use crate::phase::Phase;
use crate::preview::PreviewSpec;

/// A tool's side effects, which determine recovery after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// No side effects: may run concurrently and again.
    Read,
    /// May run again with the same key and takes effect once.
    Idempotent,
    /// Returns changes that are committed together with the record of the call.
    Transactional,
    /// Must not run again: without a recorded result, its outcome is unknown.
    AtMostOnce,
}

impl Effect {
    pub fn writes(self) -> bool {
        self != Effect::Read
    }

    /// True if a call that started and has no recorded result may run again.
    pub fn may_run_again(self) -> bool {
        match self {
            Effect::Read | Effect::Idempotent | Effect::Transactional => true,
            Effect::AtMostOnce => false,
        }
    }

    /// True if a started call may have taken effect without a record. A transactional call takes
    /// effect only with its record.
    pub fn leaves_doubt(self) -> bool {
        match self {
            Effect::Read | Effect::Transactional => false,
            Effect::Idempotent | Effect::AtMostOnce => true,
        }
    }
}

/// A precondition of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// An artifact of this kind; `words` is its name for people.
    Artifact {
        kind: Cow<'static, str>,
        words: Cow<'static, str>,
        confirmed: bool,
    },
    /// Another tool has succeeded in this conversation.
    Tool(Cow<'static, str>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalRule {
    /// A write waits unless the person's current message requests it, see [`crate::consent`].
    UnlessOrdered,
    /// Always waits: for tools that delete, decide about people or cannot be undone. Holders of
    /// these roles may decide; empty means the requester.
    Always { approvers: Vec<Role> },
}

/// A phrasing and its arguments; shown to models and used by the offline model.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    pub say: Cow<'static, str>,
    pub arguments: Value,
}

/// A tool's declaration without its name and parameters.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// For the model.
    pub description: Cow<'static, str>,
    /// For people, in a few words; defaults to the name with spaces.
    pub title: Option<Cow<'static, str>>,
    /// Label of the confirm button, e.g. "Create the pass"; defaults to the title.
    pub verb: Option<Cow<'static, str>>,
    /// Label of the decline button, e.g. "Don't reject"; derived from the verb by default.
    pub decline: Option<Cow<'static, str>>,
    /// The title of a card with `{argument}` placeholders, e.g. "Reject gate pass {pass_number}";
    /// the plain title if absent or while a value is missing.
    pub card_title: Option<Cow<'static, str>>,
    /// The effect of an approval, in a sentence for people.
    pub consequence: Option<Cow<'static, str>>,
    /// It deletes something permanently.
    pub destructive: bool,
    /// Loads the target for the person who decides.
    pub preview: Option<PreviewSpec>,
    /// Empty means everyone signed in.
    pub roles: Vec<Role>,
    /// Empty means every phase.
    pub phases: Vec<Phase>,
    pub needs: Vec<Need>,
    /// The kind of artifact that it creates.
    pub produces: Option<Cow<'static, str>>,
    pub effect: Effect,
    /// Only creates a draft document or stores a fact about this conversation; both can be undone.
    /// Runs directly even if the model may not write.
    pub undoable: bool,
    pub approval: ApprovalRule,
    /// The argument that names the object to change, e.g. a pass number.
    pub target: Option<Cow<'static, str>>,
    /// The argument that names the acting person: always the signed-in one.
    pub own_name: Option<Cow<'static, str>>,
    /// Its context contains the person's own words.
    pub gets_user_text: bool,
    pub timeout: Duration,
    pub examples: Vec<Example>,
}

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

impl ToolSpec {
    pub fn read(description: impl Into<Cow<'static, str>>) -> Self {
        Self::with_effect(description, Effect::Read)
    }

    pub fn idempotent(description: impl Into<Cow<'static, str>>) -> Self {
        Self::with_effect(description, Effect::Idempotent)
    }

    pub fn transactional(description: impl Into<Cow<'static, str>>) -> Self {
        Self::with_effect(description, Effect::Transactional)
    }

    pub fn at_most_once(description: impl Into<Cow<'static, str>>) -> Self {
        Self::with_effect(description, Effect::AtMostOnce)
    }

    fn with_effect(description: impl Into<Cow<'static, str>>, effect: Effect) -> Self {
        Self {
            description: description.into(),
            title: None,
            verb: None,
            decline: None,
            card_title: None,
            consequence: None,
            destructive: false,
            preview: None,
            roles: Vec::new(),
            phases: Vec::new(),
            needs: Vec::new(),
            produces: None,
            effect,
            undoable: false,
            approval: ApprovalRule::UnlessOrdered,
            target: None,
            own_name: None,
            gets_user_text: false,
            timeout: DEFAULT_TIMEOUT,
            examples: Vec::new(),
        }
    }

    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    pub fn verb(mut self, verb: impl Into<Cow<'static, str>>) -> Self {
        self.verb = Some(verb.into());
        self
    }

    pub fn decline(mut self, words: impl Into<Cow<'static, str>>) -> Self {
        self.decline = Some(words.into());
        self
    }

    pub fn card_title(mut self, template: impl Into<Cow<'static, str>>) -> Self {
        self.card_title = Some(template.into());
        self
    }

    pub fn consequence(mut self, sentence: impl Into<Cow<'static, str>>) -> Self {
        self.consequence = Some(sentence.into());
        self
    }

    pub fn destructive(mut self) -> Self {
        self.destructive = true;
        self
    }

    pub fn preview(mut self, preview: PreviewSpec) -> Self {
        self.preview = Some(preview);
        self
    }

    pub fn undoable(mut self) -> Self {
        self.undoable = true;
        self
    }

    pub fn roles(mut self, roles: impl IntoIterator<Item = Role>) -> Self {
        self.roles = roles.into_iter().collect();
        self
    }

    pub fn phases(mut self, phases: impl IntoIterator<Item = Phase>) -> Self {
        self.phases = phases.into_iter().collect();
        self
    }

    /// Requires an artifact of this kind in any state.
    pub fn needs_artifact(
        mut self,
        kind: impl Into<Cow<'static, str>>,
        words: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.needs.push(Need::Artifact {
            kind: kind.into(),
            words: words.into(),
            confirmed: false,
        });
        self
    }

    /// Requires a confirmed artifact of this kind. If only a draft exists, the person confirms it
    /// together with the call; the tool then builds on the draft and stores it as confirmed.
    pub fn needs_confirmed(
        mut self,
        kind: impl Into<Cow<'static, str>>,
        words: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.needs.push(Need::Artifact {
            kind: kind.into(),
            words: words.into(),
            confirmed: true,
        });
        self
    }

    pub fn needs_tool(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.needs.push(Need::Tool(name.into()));
        self
    }

    pub fn produces(mut self, kind: impl Into<Cow<'static, str>>) -> Self {
        self.produces = Some(kind.into());
        self
    }

    pub fn target(mut self, argument: impl Into<Cow<'static, str>>) -> Self {
        self.target = Some(argument.into());
        self
    }

    /// The argument that names the acting person. The grant sets it to the signed-in person before
    /// it checks the arguments.
    pub fn own_name(mut self, argument: impl Into<Cow<'static, str>>) -> Self {
        self.own_name = Some(argument.into());
        self
    }

    /// Gives the tool the person's own words, which no model can change.
    pub fn gets_user_text(mut self) -> Self {
        self.gets_user_text = true;
        self
    }

    /// Every call waits for a decision; empty `approvers` means the requester decides.
    pub fn approval(mut self, approvers: impl IntoIterator<Item = Role>) -> Self {
        self.approval = ApprovalRule::Always {
            approvers: approvers.into_iter().collect(),
        };
        self
    }

    /// Roles that decide instead of the requester; empty means the requester.
    pub fn approvers(&self) -> &[Role] {
        match &self.approval {
            ApprovalRule::Always { approvers } => approvers,
            ApprovalRule::UnlessOrdered => &[],
        }
    }

    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    pub fn example(mut self, say: impl Into<Cow<'static, str>>, arguments: Value) -> Self {
        self.examples.push(Example {
            say: say.into(),
            arguments,
        });
        self
    }
}

/// A tool's name, parameters and declaration.
#[derive(Clone, Debug)]
pub struct ToolDef {
    pub name: Cow<'static, str>,
    /// JSON Schema of an object.
    pub parameters: Value,
    pub spec: ToolSpec,
}

impl ToolDef {
    /// The title, or the name with spaces.
    pub fn title(&self) -> String {
        match &self.spec.title {
            Some(title) => title.to_string(),
            None => self.name.replace('_', " "),
        }
    }

    pub fn verb(&self) -> String {
        match &self.spec.verb {
            Some(verb) => verb.to_string(),
            None => self.title(),
        }
    }

    pub fn decline(&self) -> String {
        if let Some(decline) = &self.spec.decline {
            return decline.to_string();
        }
        let verb = self.verb();
        let mut rest = verb.chars();
        let first = rest.next().map(char::to_lowercase);
        format!(
            "Don't {}",
            first.into_iter().flatten().chain(rest).collect::<String>()
        )
    }

    /// The entry in OpenAI's `tools` array.
    pub fn to_openai_format(&self) -> Value {
        serde_json::json!({
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.spec.description,
                "parameters": super::schema::without_handle_keywords(&self.parameters),
            }
        })
    }
}
