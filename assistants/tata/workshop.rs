//! What the tools share: the company's words, earlier documents of the project, and one way to keep a new one.

use std::sync::{Arc, LazyLock};

use chrono::{DateTime, Utc};
use frontdesk_core::artifact::{Artifact, ArtifactStatus, BuiltFrom, NewArtifact};
use frontdesk_core::conversation::DEFAULT_TITLE;
use frontdesk_core::tool::{ToolContext, ToolError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::domain::desk::{Desk, Produced};
use super::domain::document::Document;
use super::domain::language::{GermanAddress, Language};
use super::domain::library::{DataError, Library};
use super::domain::module::Module;
use super::domain::print::Printed;
use super::domain::problem::{Problem, Problems};
use super::domain::requirement_profile::{ProfileStatus, RequirementProfile};
use super::domain::style_guide::StyleGuide;
use super::facts::Facts;
use super::guides::Guides;
use super::project;

/// The phrases of all languages, read once for the whole process.
pub(super) static LIBRARY: LazyLock<Result<Library, DataError>> = LazyLock::new(Library::load);

/// A pasted ad is not told to the model a second time in full.
const LONGEST_QUOTE: usize = 400;

pub(super) struct Workshop {
    pub(super) library: &'static Library,
    pub(super) guides: Guides,
    pub(super) facts: Facts,
}

/// Everything around one call.
pub(super) struct Bench {
    library: &'static Library,
    style: Arc<StyleGuide>,
    pub(super) language: Language,
    german_address: Option<GermanAddress>,
    recruiter: String,
    now: DateTime<Utc>,
}

impl Bench {
    pub(super) fn desk(&self) -> Desk<'_> {
        Desk {
            library: self.library,
            style: &self.style,
            language: self.language,
            german_address: self.german_address,
            recruiter: Some(&self.recruiter),
            now: self.now,
        }
    }
}

/// A document of the project together with where it is kept.
pub(super) struct Earlier<A> {
    pub(super) content: A,
    pub(super) from: BuiltFrom,
}

/// Where a new document goes.
pub(super) struct Place {
    pub(super) kind: &'static str,
    /// Tells apart several of one kind.
    pub(super) key: String,
    pub(super) status: ArtifactStatus,
    pub(super) built_from: Vec<BuiltFrom>,
}

impl Place {
    pub(super) fn of(module: Module, key: impl Into<String>) -> Self {
        Self {
            kind: module.facts().artifact,
            key: key.into(),
            status: ArtifactStatus::Confirmed,
            built_from: Vec::new(),
        }
    }

    pub(super) fn built_from(mut self, from: impl IntoIterator<Item = BuiltFrom>) -> Self {
        self.built_from = from.into_iter().collect();
        self
    }
}

/// What a tool answers: the document's own fields for the model, the document in words for people.
#[derive(Serialize)]
pub(super) struct Made {
    #[serde(flatten)]
    fields: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Problem>,
    #[serde(skip)]
    pub(super) told: String,
}

impl Workshop {
    pub(super) async fn open(&self, ctx: &ToolContext) -> Result<Bench, ToolError> {
        let conversation = ctx.conversation();
        let facts = self.facts.of(ctx.principal(), conversation).await;
        let style = self
            .guides
            .of(conversation.company_id, facts.map_err(ToolError::failed)?)
            .map_err(refused)?;
        Ok(Bench {
            library: self.library,
            style,
            language: project::language(conversation).unwrap_or_default(),
            german_address: project::german_address(conversation),
            recruiter: ctx.principal().name().to_owned(),
            now: ctx.now(),
        })
    }

    /// The newest document of a module, whichever series it is in.
    pub(super) async fn newest<A: DeserializeOwned>(
        &self,
        ctx: &ToolContext,
        module: Module,
    ) -> Result<Option<Earlier<A>>, ToolError> {
        let conversation = ctx.conversation().id;
        let kind = module.facts().artifact;
        let all = ctx.artifacts().all(ctx.principal(), conversation).await;
        let all = all.map_err(ToolError::failed)?;
        let Some((id, _)) = all.iter().rev().find(|(_, mark)| mark.kind == kind) else {
            return Ok(None);
        };
        let found = ctx
            .artifacts()
            .artifact(ctx.principal(), conversation, *id)
            .await
            .map_err(ToolError::failed)?;
        earlier(found).map(Some)
    }

    /// The newest version of every series of a module, oldest series first.
    pub(super) async fn series<A: DeserializeOwned>(
        &self,
        ctx: &ToolContext,
        module: Module,
    ) -> Result<Vec<Earlier<A>>, ToolError> {
        let conversation = ctx.conversation().id;
        let kind = module.facts().artifact;
        let all = ctx.artifacts().all(ctx.principal(), conversation).await;
        let all = all.map_err(ToolError::failed)?;
        let of_kind = || all.iter().filter(|(_, mark)| mark.kind == kind);
        let mut keys: Vec<&str> = Vec::new();
        for (_, mark) in of_kind() {
            if !keys.contains(&mark.key.as_str()) {
                keys.push(&mark.key);
            }
        }
        let mut found = Vec::new();
        for key in keys {
            let newest = of_kind()
                .filter(|(_, mark)| mark.key == key)
                .max_by_key(|(_, mark)| mark.version);
            if let Some((id, _)) = newest {
                let artifact = ctx
                    .artifacts()
                    .artifact(ctx.principal(), conversation, *id)
                    .await
                    .map_err(ToolError::failed)?;
                found.push(earlier(artifact)?);
            }
        }
        Ok(found)
    }

    /// The profile that a document builds on. The call was granted, so a draft has just been agreed with: it is kept as
    /// confirmed.
    pub(super) async fn agreed_profile(
        &self,
        ctx: &ToolContext,
        bench: &Bench,
    ) -> Result<Earlier<RequirementProfile>, ToolError> {
        let found = self.newest(ctx, Module::RequirementProfile).await?;
        let profile: Earlier<RequirementProfile> = found.ok_or_else(|| {
            ToolError::refused("There is no requirement profile in this project yet.")
        })?;
        match profile.content.status {
            ProfileStatus::Confirmed => Ok(profile),
            ProfileStatus::Draft => confirm(ctx, bench, &profile),
        }
    }
}

/// Keeps a confirmed version of a draft.
pub(super) fn confirm(
    ctx: &ToolContext,
    bench: &Bench,
    draft: &Earlier<RequirementProfile>,
) -> Result<Earlier<RequirementProfile>, ToolError> {
    let confirmed = draft.content.confirm(&bench.desk());
    let place = Place::of(Module::RequirementProfile, "").built_from([draft.from.clone()]);
    save(ctx, bench, &place, &confirmed)?;
    Ok(Earlier {
        content: confirmed,
        from: BuiltFrom {
            version: draft.from.version + 1,
            ..draft.from.clone()
        },
    })
}

/// Keeps a new document and says what it is.
pub(super) fn keep<A: Serialize + Printed>(
    ctx: &ToolContext,
    bench: &Bench,
    place: &Place,
    produced: &Produced<A>,
) -> Result<Made, ToolError> {
    let fields = save(ctx, bench, place, &produced.artifact)?;
    let document = produced.artifact.document(bench.library);
    Ok(made(fields, &document, produced.warnings.clone()))
}

/// A result without a new document.
pub(super) fn made(
    fields: Map<String, Value>,
    document: &Document,
    warnings: Vec<Problem>,
) -> Made {
    let document = format!("Ready: {}\n\n{}", document.title, document.to_markdown());
    let notes: Vec<String> = warnings
        .iter()
        .map(|w| format!("* {}", w.message))
        .collect();
    let told = match notes.is_empty() {
        true => document,
        false => format!("{document}\n**Please note**\n\n{}\n", notes.join("\n")),
    };
    Made {
        fields: fields.into_iter().map(quoted).collect(),
        warnings,
        told,
    }
}

fn save<A: Serialize + Printed>(
    ctx: &ToolContext,
    bench: &Bench,
    place: &Place,
    artifact: &A,
) -> Result<Map<String, Value>, ToolError> {
    let content = serde_json::to_value(artifact).map_err(ToolError::failed)?;
    let fields = content.as_object().cloned().unwrap_or_default();
    let profile = Module::RequirementProfile.facts().artifact;
    if let Some(on) = place.built_from.iter().find(|from| from.kind == profile)
        && place.kind != profile
    {
        ctx.remember(
            &project::built_on(place.kind, &place.key),
            json!(on.version),
        );
    }
    ctx.save(NewArtifact {
        kind: place.kind.to_owned(),
        key: place.key.clone(),
        status: place.status,
        title: artifact.document(bench.library).title,
        content,
        built_from: place.built_from.clone(),
    });
    Ok(fields)
}

/// The project takes its name and its language from the first document that says them.
pub(super) fn name_project(ctx: &ToolContext, position: &str, language: Option<Language>) {
    let conversation = ctx.conversation();
    if project::position(conversation).is_none() && !position.trim().is_empty() {
        ctx.remember(project::POSITION, json!(position.trim()));
        if conversation.title == DEFAULT_TITLE {
            ctx.retitle(position.trim());
        }
    }
    if let Some(language) = language
        && project::language(conversation).is_none()
    {
        ctx.remember(project::LANGUAGE, json!(language));
    }
}

fn earlier<A: DeserializeOwned>(artifact: Artifact) -> Result<Earlier<A>, ToolError> {
    Ok(Earlier {
        content: serde_json::from_value(artifact.content).map_err(ToolError::failed)?,
        from: BuiltFrom {
            kind: artifact.kind,
            key: artifact.key,
            version: artifact.version,
        },
    })
}

/// What a processor asks the recruiter to put right, in its own words.
pub(super) fn refused(problems: Problems) -> ToolError {
    ToolError::refused(problems.to_string())
}

fn quoted((name, value): (String, Value)) -> (String, Value) {
    let value = match value {
        Value::String(text) if name == "original_text" => {
            Value::String(text.chars().take(LONGEST_QUOTE).collect())
        }
        other @ (Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_)) => other,
    };
    (name, value)
}
