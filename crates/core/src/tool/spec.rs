//! What a tool declares about itself.

use std::borrow::Cow;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::Role;
use crate::phase::Phase;
use crate::preview::PreviewSpec;

/// What running a tool does to the world, and so what may be done after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Changes nothing: may run in parallel and again.
    Read,
    /// May run again with the same key and has one effect.
    Idempotent,
    /// Hands over changes that are committed together with the record of the call.
    Transactional,
    /// May not run again: if its outcome was not recorded, it is unknown.
    AtMostOnce,
}

impl Effect {
    pub fn writes(self) -> bool {
        self != Effect::Read
    }

    /// Whether a call that was started but has no recorded result may simply be run again.
    pub fn may_run_again(self) -> bool {
        match self {
            Effect::Read | Effect::Idempotent | Effect::Transactional => true,
            Effect::AtMostOnce => false,
        }
    }

    /// Whether a call that was started may have taken effect although nothing of it was
    /// recorded. What a transactional call hands over counts only with its record.
    pub fn leaves_doubt(self) -> bool {
        match self {
            Effect::Read | Effect::Transactional => false,
            Effect::Idempotent | Effect::AtMostOnce => true,
        }
    }
}

/// What must exist before a tool may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// An artifact of this kind; `words` is what people call it.
    Artifact {
        kind: Cow<'static, str>,
        words: Cow<'static, str>,
        confirmed: bool,
    },
    /// Another tool has succeeded in this conversation.
    Tool(Cow<'static, str>),
}

/// When a call waits for a person's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalRule {
    /// A write waits unless the person's current message asks for it, see [`crate::consent`].
    UnlessOrdered,
    /// Always waits: for tools that delete, decide about people or cannot be undone. Those who
    /// hold one of the roles may decide; empty means the requester.
    Always { approvers: Vec<Role> },
}

/// A phrasing with the arguments it means: shown to models and used by the offline one.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    pub say: Cow<'static, str>,
    pub arguments: Value,
}

/// Everything about a tool but its name and its parameters.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// For the model.
    pub description: Cow<'static, str>,
    /// For people, in a few words; the name with spaces when absent.
    pub title: Option<Cow<'static, str>>,
    /// The button that confirms a call, e.g. "Create the pass"; the title when absent.
    pub verb: Option<Cow<'static, str>>,
    /// The button that turns a call down, e.g. "Don't reject"; made of the verb when absent.
    pub decline: Option<Cow<'static, str>>,
    /// The title of a card with `{argument}` in place of values, e.g. "Reject gate pass
    /// {pass_number}"; the title when absent or while a value is missing.
    pub card_title: Option<Cow<'static, str>>,
    /// What happens when a call is approved, in a sentence for people.
    pub consequence: Option<Cow<'static, str>>,
    /// It deletes something for good, and so always waits for a person.
    pub destructive: bool,
    /// Loads the object that the target names, for whoever decides.
    pub preview: Option<PreviewSpec>,
    /// Empty: everyone who is signed in.
    pub roles: Vec<Role>,
    /// Empty: every phase.
    pub phases: Vec<Phase>,
    pub needs: Vec<Need>,
    /// The kind of artifact it makes.
    pub produces: Option<Cow<'static, str>>,
    pub effect: Effect,
    /// Only makes a new draft document, or keeps a fact about this conversation; both can be
    /// undone. Runs directly even when the model may not write.
    pub undoable: bool,
    pub approval: ApprovalRule,
    /// The argument that says what is written to, e.g. a pass number.
    pub target: Option<Cow<'static, str>>,
    /// The argument that says who acts: always the signed-in person's name.
    pub own_name: Option<Cow<'static, str>>,
    /// It may read the person's own words through its context.
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

    /// Declares that a call only makes a new draft document or keeps a fact about this
    /// conversation, see [`ToolSpec::undoable`].
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

    /// Asks for an artifact of this kind, in any state.
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

    /// Asks for an artifact of this kind that a person has confirmed. Where there is a draft,
    /// the person is asked to agree with it and with the call at once; the tool then builds on
    /// the draft and keeps it as confirmed.
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

    /// The argument that names what is written to.
    pub fn target(mut self, argument: impl Into<Cow<'static, str>>) -> Self {
        self.target = Some(argument.into());
        self
    }

    /// The argument that says who acts. The grant puts the signed-in person's name there,
    /// whatever the model wrote, before the arguments are checked.
    pub fn own_name(mut self, argument: impl Into<Cow<'static, str>>) -> Self {
        self.own_name = Some(argument.into());
        self
    }

    /// Gives the tool the person's own words, which no model can change.
    pub fn gets_user_text(mut self) -> Self {
        self.gets_user_text = true;
        self
    }

    /// Waits for a decision each time; empty `approvers` means the requester decides.
    pub fn approval(mut self, approvers: impl IntoIterator<Item = Role>) -> Self {
        self.approval = ApprovalRule::Always {
            approvers: approvers.into_iter().collect(),
        };
        self
    }

    /// Those who decide instead of the requester; empty means the requester.
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

/// A whole tool as everyone else sees it.
#[derive(Clone, Debug)]
pub struct ToolDef {
    pub name: Cow<'static, str>,
    /// JSON Schema of an object.
    pub parameters: Value,
    pub spec: ToolSpec,
}

impl ToolDef {
    /// The tool in words: its title, or its name with spaces.
    pub fn title(&self) -> String {
        match &self.spec.title {
            Some(title) => title.to_string(),
            None => self.name.replace('_', " "),
        }
    }

    /// What the button that confirms a call says.
    pub fn verb(&self) -> String {
        match &self.spec.verb {
            Some(verb) => verb.to_string(),
            None => self.title(),
        }
    }

    /// What the button that turns a call down says.
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
