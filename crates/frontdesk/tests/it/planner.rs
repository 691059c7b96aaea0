//! A test assistant with what the smallest one lacks: phases, documents, a step that waits for
//! approval, and people who share a company.

use frontdesk_bundle::{Bundle, SetupContext};
use frontdesk_core::access::{CompanyRole, Role};
use frontdesk_core::artifact::{
    Artifact, ArtifactEdit, ArtifactStatus, ExportFormat, NewArtifact, OutdatedDocument,
};
use frontdesk_core::assistant::{Assistant, Limits, MessageLimit, Suggestion};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::persona::Persona;
use frontdesk_core::phase::{Phase, PhaseSpec};
use frontdesk_core::preview::{Fact, ObjectFacts, PreviewSpec};
use frontdesk_core::tool::{ApprovalRule, ProducedFile, Tool, ToolContext, ToolError, ToolSpec};
use frontdesk_core::toolbox::{Toolbox, ToolboxError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The company of Paula (its owner) and Pete.
pub const COMPANY: &str = "Planners Ltd";

pub fn bundle(_: &SetupContext) -> Result<Bundle, ToolboxError> {
    let assistant = Assistant {
        name: "planner".into(),
        title: "Planner".into(),
        description: "Plans things in three steps.".into(),
        roles: vec![Role::BUYER],
        instructions: "You plan.".into(),
        phases: vec![
            phase("discovery", &[], "Current phase: discovery."),
            phase("roi", &[], "Current phase: ROI."),
            phase("selection", &["greenlight"], "Current phase: selection."),
        ],
        toolbox: Toolbox::builder()
            .tool(WritePlan)
            .tool(Advance)
            .tool(Publish)
            .tool(Reckon)
            .tool(ShowPlan)
            .tool(RetractPlan)
            .build()?,
        context: Vec::new(),
        reply_schema: None,
        model: ModelSettings {
            model: "gpt-4o".to_owned(),
            temperature: Some(0.7),
            max_tokens: Some(1_000),
        },
        limits: Limits {
            message: MessageLimit::Characters(4_000),
            messages_a_minute: 100,
            ..Limits::default()
        },
        greeting: "What shall we plan?".into(),
        suggestions: Suggestion::for_all(&["Plan a party"]),
    };
    let people = vec![
        person(
            "paula",
            "Paula Planner",
            Some((COMPANY, CompanyRole::Owner)),
        ),
        person("pete", "Pete Planner", Some((COMPANY, CompanyRole::Member))),
        person("quinn", "Quinn Quiet", None),
    ];
    Ok(Bundle {
        export: Some(export),
        edit: Some(edit),
        ..Bundle::new(assistant, people)
    })
}

fn phase(
    name: &'static str,
    aliases: &'static [&'static str],
    instructions: &'static str,
) -> PhaseSpec {
    PhaseSpec {
        phase: Phase::named(name),
        aliases,
        instructions: instructions.into(),
    }
}

fn person(
    name: &'static str,
    display_name: &'static str,
    company: Option<(&'static str, CompanyRole)>,
) -> Persona {
    Persona {
        name: name.into(),
        display_name: display_name.into(),
        email: "planner@example.com".into(),
        roles: vec![Role::BUYER],
        company,
    }
}

/// A plan is edited as a list of steps.
fn edit(plan: &Artifact, edit: ArtifactEdit) -> Result<NewArtifact, String> {
    let ArtifactEdit::Text(text) = edit else {
        return Err("a plan has no fields that can be set".to_owned());
    };
    let steps: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("- "))
        .collect();
    Ok(NewArtifact {
        kind: plan.kind.clone(),
        key: plan.key.clone(),
        status: plan.status,
        title: plan.title.clone(),
        content: json!({ "steps": steps }),
        built_from: plan.built_from.clone(),
    })
}

/// Plans have a PDF export; the product exports Markdown.
fn export(plan: &Artifact, format: ExportFormat) -> Result<Option<Vec<u8>>, OutdatedDocument> {
    if plan.title == OUTDATED {
        let sentence = "This plan is too old. Write it again.";
        return Err(OutdatedDocument { sentence });
    }
    Ok(match format {
        ExportFormat::Pdf => Some(format!("%PDF-1.7 {}\n%%EOF", plan.title).into_bytes()),
        ExportFormat::Markdown | ExportFormat::Docx => None,
    })
}

/// The title of a plan that can no longer be exported.
pub const OUTDATED: &str = "A plan of an earlier release";

struct WritePlan;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanArgs {
    /// Title of the plan.
    title: String,
    /// One line each.
    steps: Vec<String>,
}

#[derive(Serialize)]
struct Done {
    ok: bool,
}

impl Tool for WritePlan {
    const NAME: &'static str = "write_plan";
    type Args = PlanArgs;
    type Output = Done;

    fn spec() -> ToolSpec {
        ToolSpec::transactional("Write a plan down.").title("Write a plan")
    }

    async fn call(&self, ctx: &ToolContext, args: PlanArgs) -> Result<Done, ToolError> {
        ctx.save(NewArtifact {
            kind: "plan".to_owned(),
            key: String::new(),
            status: ArtifactStatus::Draft,
            title: args.title.clone(),
            content: json!({ "steps": args.steps }),
            built_from: Vec::new(),
        });
        ctx.attach(ProducedFile {
            name: "plan.txt".to_owned(),
            media_type: "text/plain".to_owned(),
            bytes: args.steps.join("\n").into(),
        });
        Ok(Done { ok: true })
    }
}

struct Advance;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AdvanceArgs {
    /// The phase to move to.
    phase: String,
}

impl Tool for Advance {
    const NAME: &'static str = "advance";
    type Args = AdvanceArgs;
    type Output = Done;

    fn spec() -> ToolSpec {
        ToolSpec::transactional("Move to another phase.")
    }

    async fn call(&self, ctx: &ToolContext, args: AdvanceArgs) -> Result<Done, ToolError> {
        ctx.move_to(Phase::stored(args.phase), "enough is known");
        Ok(Done { ok: true })
    }
}

struct Publish;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PublishArgs {}

impl Tool for Publish {
    const NAME: &'static str = "publish_plan";
    type Args = PublishArgs;
    type Output = Done;

    fn spec() -> ToolSpec {
        let spec = ToolSpec::transactional("Publish the plan.").title("Publish the plan");
        ToolSpec {
            approval: ApprovalRule::Always {
                approvers: Vec::new(),
            },
            ..spec
        }
    }

    async fn call(&self, _: &ToolContext, _: PublishArgs) -> Result<Done, ToolError> {
        Ok(Done { ok: true })
    }
}

/// Available in one phase only.
struct Reckon;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReckonArgs {}

impl Tool for Reckon {
    const NAME: &'static str = "reckon";
    type Args = ReckonArgs;
    type Output = Done;

    fn spec() -> ToolSpec {
        ToolSpec::read("Reckon what the plan saves.")
            .title("Reckon what it saves")
            .phases([Phase::named("roi")])
    }

    async fn call(&self, _: &ToolContext, _: ReckonArgs) -> Result<Done, ToolError> {
        Ok(Done { ok: true })
    }
}

/// Shows a published plan; its title decides whether that succeeds, fails or hangs.
struct ShowPlan;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShownArgs {
    /// Title of the plan.
    title: String,
}

impl Tool for ShowPlan {
    const NAME: &'static str = "show_plan";
    type Args = ShownArgs;
    type Output = Value;

    fn spec() -> ToolSpec {
        ToolSpec::read("Show a published plan.").title("Show a plan")
    }

    async fn call(&self, ctx: &ToolContext, args: ShownArgs) -> Result<Value, ToolError> {
        match args.title.as_str() {
            "Hang" => std::future::pending().await,
            "Fail" => Err(ToolError::failed("the database has the secret hunter2")),
            "Panic" => std::panic::resume_unwind(Box::new("hunter2")),
            "Odd" => Ok(json!(["not a plan"])),
            title => Ok(json!({ "title": title, "reader": ctx.principal().name() })),
        }
    }
}

/// Waits for a colleague's approval, with a preview of the plan.
struct RetractPlan;

impl Tool for RetractPlan {
    const NAME: &'static str = "retract_plan";
    type Args = ShownArgs;
    type Output = Done;

    fn spec() -> ToolSpec {
        let describe = |plan: &Value| {
            let reader = plan.get("reader")?.as_str()?;
            Some(ObjectFacts {
                subject: Some("everybody".to_owned()),
                state: Some("published".to_owned()),
                facts: vec![Fact::new("reader", "Read by", reader)],
            })
        };
        ToolSpec::transactional("Retract a published plan.")
            .title("Retract a plan")
            .card_title("Retract the plan {title}")
            .verb("Retract the plan")
            .decline("Don't retract")
            .target("title")
            .approval([Role::BUYER])
            .preview(PreviewSpec::new(describe).read("show_plan", "title"))
    }

    async fn call(&self, ctx: &ToolContext, args: ShownArgs) -> Result<Done, ToolError> {
        ctx.attach(ProducedFile {
            name: "retracted.txt".to_owned(),
            media_type: "text/plain".to_owned(),
            bytes: args.title.into(),
        });
        Ok(Done { ok: true })
    }
}
