//! `frontdesk approvals`: what waits for a decision.

use anyhow::bail;
use clap::{Args, Subcommand};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::id::TurnId;
use frontdesk_core::store::PendingApproval;
use serde_json::json;

use super::paint::printable;
use super::remote::Remote;
use super::{Exit, Place, Setup};
use crate::app::App;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk approvals list --as admin\n  frontdesk approvals approve TURN CALL --as admin"
)]
pub(super) struct Approvals {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// What you may decide.
    List {
        #[command(flatten)]
        person: Person,
        #[arg(long)]
        json: bool,
    },
    /// Let it run, exactly as shown.
    Approve {
        #[command(flatten)]
        which: Which,
    },
    /// Turn it down.
    Reject {
        #[command(flatten)]
        which: Which,
    },
}

#[derive(Args)]
struct Person {
    /// Demo person to be.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
}

#[derive(Args)]
struct Which {
    /// The turn, as `list` shows it.
    turn: TurnId,
    /// The call, as `list` shows it.
    call: String,
    /// Why.
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    person: Person,
}

impl Approvals {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let app = match setup.place(self.persona(), None).await? {
            Place::Here(app) => app,
            Place::There { remote, .. } => return self.there(&remote).await,
        };
        match self.what {
            What::List { person, json } => {
                let who = sign_in(&app, &person).await?;
                list(&app, &who, json).await?;
            }
            What::Approve { which } => decide(&app, which, Decision::Approved).await?,
            What::Reject { which } => decide(&app, which, Decision::Rejected).await?,
        }
        app.close().await;
        Ok(Exit::Done)
    }
}

impl Approvals {
    fn persona(&self) -> Option<&str> {
        let person = match &self.what {
            What::List { person, .. } => person,
            What::Approve { which } | What::Reject { which } => &which.person,
        };
        person.persona.as_deref()
    }

    /// The same with a server that runs.
    async fn there(self, remote: &Remote) -> anyhow::Result<Exit> {
        match self.what {
            What::List { json, .. } => {
                let pending = remote.get("/approvals").await?;
                print_list(serde_json::from_value(pending)?, json)?;
            }
            What::Approve { which } => decide_there(remote, which, Decision::Approved).await?,
            What::Reject { which } => decide_there(remote, which, Decision::Rejected).await?,
        }
        Ok(Exit::Done)
    }
}

async fn decide_there(remote: &Remote, which: Which, decision: Decision) -> anyhow::Result<()> {
    let pending: Vec<PendingApproval> = serde_json::from_value(remote.get("/approvals").await?)?;
    let found = pending
        .iter()
        .find(|card| card.turn_id == which.turn && card.card.call_id == which.call);
    let Some(found) = found else {
        bail!("nothing of this turn and call waits for your decision");
    };
    let word = match decision {
        Decision::Approved => "approve",
        Decision::Rejected | Decision::Expired => "reject",
    };
    let path = format!(
        "/conversations/{}/turns/{}/approvals/{}",
        found.conversation_id, which.turn, which.call
    );
    let body = json!({ "decision": word, "reason": which.reason });
    remote.post(&path, &body).await?;
    tell_decided(decision, &found.card.title);
    Ok(())
}

async fn sign_in(app: &App, person: &Person) -> anyhow::Result<Principal> {
    match &person.persona {
        Some(name) => app.persona(name).await,
        None => bail!("say who decides with --as PERSONA"),
    }
}

async fn list(app: &App, who: &Principal, json: bool) -> anyhow::Result<()> {
    print_list(app.desk.pending_approvals(who).await?, json)
}

fn print_list(pending: Vec<PendingApproval>, json: bool) -> anyhow::Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(&pending)?);
        return Ok(());
    }
    if pending.is_empty() {
        println!("Nothing waits for you.");
    }
    for approval in pending {
        let card = approval.card;
        println!(
            "{} {}\n  {} asked by {} until {}\n  {}",
            approval.turn_id,
            printable(&card.call_id),
            printable(&card.title),
            printable(&card.requester),
            card.expires_at.format("%H:%M"),
            printable(&card.arguments.to_string()),
        );
    }
    Ok(())
}

async fn decide(app: &App, which: Which, decision: Decision) -> anyhow::Result<()> {
    let who = sign_in(app, &which.person).await?;
    let decided = app
        .desk
        .decide(&who, which.turn, &which.call, decision, which.reason)
        .await?;
    tell_decided(decision, &decided.card.title);
    Ok(())
}

fn tell_decided(decision: Decision, title: &str) {
    let word = match decision {
        Decision::Approved => "Approved",
        Decision::Rejected => "Rejected",
        Decision::Expired => "Expired",
    };
    println!("{word}: {}", printable(title));
}
