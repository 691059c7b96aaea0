//! Writing a document: one request to the model with instructions, sources and language, or the
//! composer that does without one; then the notes, and keeping the result.

use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::draft::{Draft, DraftError, Drafted};
use frontdesk_core::grounding::{SourceText, Topics};
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use frontdesk_db::Db;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::document::{Document, Item, MadeWith};
use super::documents::{DocumentOutput, Place, keep};
use super::examples::with_examples;
use super::facts;
use super::guides::Guides;
use super::inclusion;
use super::labels::labels;
use super::language::Language;
use super::module::Module;
use super::sources::Sources;
use super::style_guide::StyleGuide;

/// Two requests to a slow model, with room for their answers.
pub(super) const TIMEOUT: Duration = Duration::from_secs(240);

/// Benefits that candidates may be promised only if a source names them.
static BENEFITS: LazyLock<Topics> = LazyLock::new(|| Topics::parse(include_str!("benefits.txt")));

/// Resources that all tools share.
pub(super) struct Resources {
    pub(super) guides: Guides,
    pub(super) db: Db,
}

/// A call with the company's style guide.
pub(super) struct Call<'a> {
    pub(super) ctx: &'a ToolContext,
    pub(super) guide: StyleGuide,
}

/// The material and the destination of a document.
pub(super) struct Brief {
    /// The subject, for the title.
    pub(super) of: String,
    pub(super) language: Language,
    pub(super) sources: Sources,
    /// Wishes of this call, for the model.
    pub(super) details: Vec<String>,
    /// Values of the call that figures and dates may come from.
    pub(super) known: Vec<String>,
    pub(super) place: Place,
}

impl Brief {
    /// A brief without wishes; figures and dates may come from the sources and the subject.
    pub(super) fn new(of: &str, language: Language, sources: Sources, place: Place) -> Self {
        Self {
            of: of.to_owned(),
            language,
            sources,
            details: Vec::new(),
            known: vec![of.to_owned()],
            place,
        }
    }
}

/// A document that the model writes, and that code fills in without one.
pub(super) trait Writes: Sized + Send + Sync + 'static {
    const MODULE: Module;
    /// Its file of `instructions/documents`: title, description and progress, then the instructions.
    const FILE: &'static str;
    type Args: DeserializeOwned + JsonSchema + Send;
    type Draft: DeserializeOwned + JsonSchema + Send;

    /// Checks the arguments and gathers the sources.
    fn prepare(
        call: &Call<'_>,
        args: Self::Args,
    ) -> impl Future<Output = Result<(Self, Brief), ToolError>> + Send;

    fn document(&self, draft: Self::Draft, document: &mut Document);

    /// Fills the same sections from the sources alone.
    fn fallback(&self, sources: &[SourceText], document: &mut Document);

    /// Completes a checked document and updates the project; `aside` is unfit for candidates.
    fn finish(&self, _: &ToolContext, _: &mut Document, _aside: Vec<Item>) {}
}

/// The tool that writes one kind of document.
pub(super) struct Writer<W>(Arc<Resources>, PhantomData<W>);

impl<W> Writer<W> {
    pub(super) fn new(resources: &Arc<Resources>) -> Self {
        Self(Arc::clone(resources), PhantomData)
    }
}

impl<W: Writes> Tool for Writer<W> {
    const NAME: &'static str = W::MODULE.facts().tool;
    type Args = W::Args;
    type Output = DocumentOutput;

    fn spec() -> ToolSpec {
        spec_of(W::MODULE, W::FILE)
    }

    async fn call(&self, ctx: &ToolContext, args: W::Args) -> Result<DocumentOutput, ToolError> {
        let call = Call {
            ctx,
            guide: self.0.guide(ctx).await?,
        };
        let (subject, mut brief) = W::prepare(&call, args).await?;
        let language = brief.language;
        let draft = write(&call, W::FILE, &brief).await?;
        let title = labels(language).title(W::MODULE.facts().artifact, &brief.of);
        let mut document = Document::new(title, language, MadeWith::Fallback);
        match draft {
            Some((draft, notes)) => {
                document.made_with = MadeWith::Model;
                document.notes = notes;
                subject.document(draft, &mut document);
            }
            None => subject.fallback(&brief.sources.texts, &mut document),
        }
        let aside = inclusion::check(&mut document, W::MODULE, &brief.sources.texts, &call.guide);
        subject.finish(ctx, &mut document, aside);
        document.notes.append(&mut brief.sources.notes);
        keep(ctx, brief.place, &document)
    }

    fn summary(made: &DocumentOutput) -> String {
        made.summary()
    }
}

/// The specification of a module's tool, with its dependencies. Each call makes a new version, so no
/// earlier one is lost.
pub(super) fn spec_of(module: Module, file: &'static str) -> ToolSpec {
    let facts = module.facts();
    let spec = drafting_spec(file, &module.requires_sentence(), facts.tool);
    let needs = facts.needs.iter().map(|need| need.facts());
    needs.fold(spec.produces(facts.artifact), |spec, need| {
        let words = format!("the {}", need.words);
        match need.module == Module::RequirementProfile {
            true => spec.needs_confirmed(need.artifact, words),
            false => spec.needs_artifact(need.artifact, words),
        }
    })
}

/// A tool that writes a new version: it reads the person's own words and may take its time.
pub(super) fn drafting_spec(file: &'static str, requires: &str, name: &str) -> ToolSpec {
    let description = format!("{} {requires}", header(file, "what: "));
    let spec = ToolSpec::transactional(description.trim().to_owned())
        .title(header(file, "title: "))
        .roles([Role::RECRUITER])
        .timeout(TIMEOUT)
        .undoable()
        .gets_user_text();
    with_examples(spec, name)
}

/// A line at the head of a file of instructions.
fn header(file: &'static str, name: &str) -> &'static str {
    let mut lines = file.lines();
    lines
        .find_map(|line| line.strip_prefix(name))
        .unwrap_or_default()
}

impl Resources {
    /// The company's style guide with the facts that were approved in conversations.
    pub(super) async fn guide(&self, ctx: &ToolContext) -> Result<StyleGuide, ToolError> {
        let conversation = ctx.conversation();
        let facts = facts::load(&self.db, ctx.principal(), conversation).await;
        let guide = self.guides.of(conversation.company_id);
        let mut guide = guide.map_err(ToolError::refused)?;
        for fact in facts.map_err(ToolError::failed)? {
            guide.add_fact(fact.language, &fact.sentence);
        }
        Ok(guide)
    }
}

/// The model's content, with notes about the parts that failed the check; `None` without a language
/// model.
pub(super) async fn write<T>(
    call: &Call<'_>,
    file: &'static str,
    brief: &Brief,
) -> Result<Option<(T, Vec<String>)>, ToolError>
where
    T: DeserializeOwned + JsonSchema,
{
    let language = brief.language;
    let mut parts = vec![
        file.split_once("\n\n")
            .map_or("", |(_, text)| text.trim())
            .to_owned(),
        format!(
            "Write in {}. Quotes stay in the language of their source.",
            language.name()
        ),
        call.guide.wording(language),
    ];
    parts.extend(brief.details.iter().cloned());
    let is_public =
        Module::of_artifact(brief.place.kind).is_some_and(Module::is_read_by_candidates);
    let draft = Draft {
        instructions: parts.join("\n\n"),
        progress: header(file, "progress: ").to_owned(),
        sources: brief.sources.texts.clone(),
        known: brief.known.clone(),
        topics: is_public.then_some(&*BENEFITS),
    };
    match call.ctx.draft::<T>(draft).await {
        Ok(Drafted { content, left_out }) => {
            let note = |text: &str| labels(language).note("left_out", &[("text", text)]);
            let mut notes: Vec<String> = left_out.iter().map(|part| note(&part.text)).collect();
            if is_public && brief.sources.texts.iter().any(|source| source.is_foreign) {
                notes.push(labels(language).note("translated", &[]));
            }
            Ok(Some((content, notes)))
        }
        Err(DraftError::Unavailable) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
