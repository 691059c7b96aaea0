//! `frontdesk approvals`: lists and decides pending approvals.

use anyhow::bail;
use clap::{Args, Subcommand};
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::id::TurnId;
use frontdesk_core::preview::Preview;
use frontdesk_core::store::{DecidedApproval, NewDecision, PendingApproval};
use futures_util::future::join_all;
use serde_json::Value;

use super::card::{card_lines, headline, preview_lines, terminal_language, with_settings};
use super::paint::printable;
use super::remote::{Remote, decision_body, load_preview};
use super::{DefaultPerson, Exit, Setup, print_json};
use crate::card_words::PageLanguage;
use crate::inbox::{AssistantWork, Inbox};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk approvals list --as admin\n  frontdesk approvals approve TURN --as admin\n  frontdesk approvals approve TURN --set 'visitor name=Sara Khan' --as hr"
)]
pub(super) struct Approvals {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List approvals that wait for you, and recent decisions.
    List {
        #[command(flatten)]
        person: Person,
        #[arg(long)]
        json: bool,
    },
    /// Approve a call as shown, or with changed fields.
    Approve {
        #[command(flatten)]
        which: Which,
        /// Set a field before approving; an empty value clears it. Can be repeated.
        #[arg(long, value_name = "FIELD=VALUE")]
        set: Vec<String>,
    },
    /// Reject a call; nothing is changed.
    #[command(visible_alias = "decline")]
    Reject {
        #[command(flatten)]
        which: Which,
    },
}

#[derive(Args)]
struct Person {
    /// Demo persona to act as.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
}

#[derive(Args)]
struct Which {
    /// Turn id, as `list` shows it.
    turn: TurnId,
    /// Call id, as `list` shows it. Needed only when several calls of the turn wait.
    call: Option<String>,
    /// Reason for the decision.
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    person: Person,
}

impl Approvals {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let connection = setup.connect(self.persona(), DefaultPerson::Nobody).await?;
        let remote = &connection.remote;
        match self.what {
            What::List { json, .. } => list(remote, json).await?,
            What::Approve { which, set } => {
                decide(remote, which, Decision::Approved, &set).await?;
            }
            What::Reject { which } => decide(remote, which, Decision::Rejected, &[]).await?,
        }
        connection.close().await;
        Ok(Exit::Done)
    }

    fn persona(&self) -> Option<&str> {
        let person = match &self.what {
            What::List { person, .. } => person,
            What::Approve { which, .. } | What::Reject { which } => &which.person,
        };
        person.persona.as_deref()
    }
}

async fn list(remote: &Remote, json: bool) -> anyhow::Result<()> {
    let inbox: Inbox = serde_json::from_value(remote.get("/inbox").await?)?;
    let previews = inbox
        .cards
        .iter()
        .filter(|_| !json)
        .map(async |approval| load_preview(remote, &card_path(approval), &approval.card).await);
    print_inbox(&inbox, &join_all(previews).await, json)
}

async fn decide(
    remote: &Remote,
    which: Which,
    decision: Decision,
    set: &[String],
) -> anyhow::Result<()> {
    let listed = Value::Array(remote.list("/approvals").await?);
    let pending: Vec<PendingApproval> = serde_json::from_value(listed)?;
    let found = which.find(&pending)?;
    let path = card_path(found);
    let decision = new_decision(&found.card, decision, which.reason.clone(), set)?;
    let word = decision.decision;
    let decided = remote.post(&path, &decision_body(decision)).await?;
    let decided: PendingApproval = serde_json::from_value(decided)?;
    println!(
        "{}: {}",
        decision_word(word),
        printable(&decided.card.title)
    );
    Ok(())
}

fn card_path(approval: &PendingApproval) -> String {
    format!(
        "/conversations/{}/turns/{}/approvals/{}",
        approval.conversation_id, approval.turn_id, approval.card.call_id
    )
}

impl Which {
    fn find<'p>(&self, pending: &'p [PendingApproval]) -> anyhow::Result<&'p PendingApproval> {
        let is_meant = |approval: &&PendingApproval| {
            approval.turn_id == self.turn
                && (self.call.as_ref()).is_none_or(|call| approval.card.call_id == *call)
        };
        let mut found = pending.iter().filter(is_meant);
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            (Some(_), Some(_)) => bail!("several calls of this turn wait; name one of them"),
            (None, _) => {
                bail!("no such call waits for your decision; `frontdesk approvals list` shows them")
            }
        }
    }
}

fn new_decision(
    card: &ApprovalCard,
    decision: Decision,
    reason: Option<String>,
    set: &[String],
) -> anyhow::Result<NewDecision> {
    let arguments = match set {
        [] => None,
        set => Some(with_settings(card, set)?),
    };
    Ok(NewDecision {
        decision,
        reason,
        arguments,
        state: None,
    })
}

/// JSON output holds the cards alone: a stable format for scripts.
fn print_inbox(inbox: &Inbox, previews: &[Option<Preview>], json: bool) -> anyhow::Result<()> {
    if json {
        return print_json(&inbox.cards).map(drop);
    }
    let language = terminal_language();
    if inbox.count == 0 {
        println!("{}.", language.phrase("approval.none", &[]));
    }
    for (approval, preview) in inbox.cards.iter().zip(previews) {
        print_card(language, approval, &inbox.cards, preview.as_ref());
    }
    for work in &inbox.work {
        print_work(language, work);
    }
    if !inbox.decided.is_empty() {
        println!("\n{}", language.phrase("inbox.decided", &[]));
    }
    for decided in &inbox.decided {
        println!("  {}", printable(&decided_line(language, decided)));
    }
    Ok(())
}

fn print_card(
    language: PageLanguage,
    approval: &PendingApproval,
    all: &[PendingApproval],
    preview: Option<&Preview>,
) {
    let card = &approval.card;
    println!("{}", printable(&language.title(card, preview)));
    println!("  {}", printable(&headline(language, card)));
    let arguments = card.arguments.as_object().cloned().unwrap_or_default();
    let facts = preview.map(|preview| preview_lines(language, preview));
    let lines = card_lines(language, card, &arguments);
    for line in facts.unwrap_or_default().into_iter().chain(lines) {
        println!("  {line}");
    }
    let same_turn = |other: &&PendingApproval| other.turn_id == approval.turn_id;
    let call = match all.iter().filter(same_turn).count() {
        1 => String::new(),
        _ => format!(" {}", printable(&card.call_id)),
    };
    println!("  frontdesk approvals approve {}{call}", approval.turn_id);
}

fn print_work(language: PageLanguage, work: &AssistantWork) {
    let title = printable(&language.name("assistant", &work.assistant, &work.title));
    if work.problem.is_some() {
        println!("\n{title}\n  {}", language.phrase("inbox.unreachable", &[]));
        return;
    }
    let about = language.name("inbox", &work.assistant, &work.about);
    println!("\n{title}: {} ({})", printable(&about), work.count);
    for item in &work.items {
        let several = match item.count {
            1 => String::new(),
            count => format!(" ({count})"),
        };
        println!("  {}{several}", printable(&item.title));
    }
    if !work.decided.is_empty() {
        println!("  {}", language.phrase("inbox.decided", &[]));
    }
    for item in &work.decided {
        let state = language.name("choice.status", &item.state, &item.state);
        let at = item.at.format("%Y-%m-%d %H:%M");
        let line = format!("{}: {state}, {} {at}", item.title, item.by);
        println!("    {}", printable(&line));
    }
}

fn decided_line(language: PageLanguage, decided: &DecidedApproval) -> String {
    let by = decided.decided_by.as_ref().map(|by| by.name.as_str());
    let name = [("name", by.unwrap_or_default())];
    let outcome = match (decided.decision, by) {
        (Decision::Expired, _) | (_, None) => language.phrase("inbox.expired", &[]),
        (Decision::Approved, Some(by)) if by == decided.card.requester => {
            format!("{}.", language.phrase("approval.confirmedBy", &name))
        }
        (Decision::Approved, Some(_)) => language.phrase("inbox.approved", &name),
        (Decision::Rejected, Some(_)) => language.phrase("inbox.rejected", &name),
    };
    let at = decided.decided_at.format("%Y-%m-%d %H:%M");
    format!("{}: {outcome} {at}", language.title(&decided.card, None))
}

fn decision_word(decision: Decision) -> &'static str {
    match decision {
        Decision::Approved => "Approved",
        Decision::Rejected => "Cancelled",
        Decision::Expired => "Expired",
    }
}
