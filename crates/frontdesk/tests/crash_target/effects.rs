//! An assistant with one tool for each kind of effect. Each tool reports three points (before,
//! during and after its effect) to the harness's effects server, which counts the effects and may
//! hold the tool by not answering.

use std::io;
use std::marker::PhantomData;

use frontdesk_bundle::{Bundle, SetupContext, SetupError};
use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::setting::{Setting, SettingKind};
use frontdesk_core::tool::{Effect, Tool, ToolContext, ToolError, ToolSpec};
use frontdesk_core::toolbox::Toolbox;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

pub const SERVER: Setting = Setting {
    key: "crash.effects",
    default: "",
    env: None,
    kind: SettingKind::Text,
    about: "Where effects are counted.",
};

/// Name of the transactional change that stores a note in our own database.
const KEEP_NOTE: &str = "notes.keep";

pub fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let server = ctx.settings.get(SERVER.key).cloned().unwrap_or_default();
    let assistant = Assistant {
        name: "effects".into(),
        title: "Effects".into(),
        description: "Does things that can be counted.".into(),
        roles: Vec::new(),
        instructions: "Do what you are told.".into(),
        phases: Vec::new(),
        toolbox: Toolbox::builder()
            .tool(Act::<Look>::new(&server))
            .tool(Act::<Put>::new(&server))
            .tool(Act::<Keep>::new(&server))
            .tool(Act::<Post>::new(&server))
            .build()?,
        context: Vec::new(),
        reply_schema: None,
        model: ModelSettings {
            model: "scripted".to_owned(),
            temperature: None,
            max_tokens: None,
        },
        limits: Limits {
            messages_a_minute: 1_000_000,
            ..Limits::default()
        },
        greeting: "".into(),
        suggestions: Vec::new(),
    };
    Ok(Bundle {
        is_default: true,
        ..Bundle::new(assistant, Vec::new())
    })
}

trait Kind: Send + Sync + 'static {
    const NAME: &'static str;
    const EFFECT: Effect;
}

macro_rules! kinds {
    ($($kind:ident, $name:literal, $effect:expr;)*) => {
        $(
            struct $kind;
            impl Kind for $kind {
                const NAME: &'static str = $name;
                const EFFECT: Effect = $effect;
            }
        )*
    };
}

kinds! {
    Look, "look", Effect::Read;
    Put, "put", Effect::Idempotent;
    Keep, "keep", Effect::Transactional;
    Post, "send", Effect::AtMostOnce;
}

struct Act<K> {
    server: String,
    kind: PhantomData<K>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Tag of the message that the call belongs to.
    tag: String,
}

impl<K: Kind> Act<K> {
    fn new(server: &str) -> Self {
        Self {
            server: server.to_owned(),
            kind: PhantomData,
        }
    }

    /// Reports a point to the effects server and waits until the server lets the call continue.
    async fn at(&self, point: &str, key: &str, tag: &str) -> io::Result<()> {
        let mut stream = BufReader::new(TcpStream::connect(&self.server).await?);
        let line = format!("{point} {} {key} {tag}\n", K::NAME);
        stream.write_all(line.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_line(&mut answer).await?;
        match answer.as_str() {
            "on\n" => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    async fn act(&self, key: &str, tag: &str) -> io::Result<()> {
        self.at("before", key, tag).await?;
        self.at("effect", key, tag).await?;
        self.at("after", key, tag).await
    }
}

impl<K: Kind> Tool for Act<K> {
    const NAME: &'static str = K::NAME;
    type Args = Args;
    type Output = String;

    fn spec() -> ToolSpec {
        let spec = match K::EFFECT {
            Effect::Read => ToolSpec::read("Reads."),
            Effect::Idempotent => ToolSpec::idempotent("Writes under a key."),
            Effect::Transactional => ToolSpec::transactional("Writes to our own tables."),
            Effect::AtMostOnce => ToolSpec::at_most_once("Writes without a key."),
        };
        // These tests are about crashes, not consent: no call waits for approval.
        spec.undoable()
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<String, ToolError> {
        let key = ctx.idempotency_key();
        self.act(&key, &args.tag).await.map_err(|error| {
            if K::EFFECT.leaves_doubt() {
                ToolError::unknown(error)
            } else {
                ToolError::failed(error)
            }
        })?;
        if K::EFFECT == Effect::Transactional {
            ctx.change(KEEP_NOTE, json!({ "text": args.tag, "at": ctx.now() }));
        }
        Ok(format!("did {}", args.tag))
    }
}
