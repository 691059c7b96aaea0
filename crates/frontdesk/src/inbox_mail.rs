//! Mails people who asked for it when something waits for them: one mail for all that waits, and none
//! about the same things again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::id::ProfileId;
use frontdesk_store::InboxMail;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::card_words::PageLanguage;
use crate::identity::{self, Verified};
use crate::inbox::Inbox;
use crate::mail::Mailer;

const LOOK_EVERY: Duration = Duration::from_secs(30);
/// Time for deciding on the page before a mail is sent.
const DELAY: TimeDelta = TimeDelta::minutes(2);
/// Time between two mails to one person.
const QUIET: TimeDelta = TimeDelta::minutes(30);
/// Mails end when nobody signed in for so long: the roles may have changed meanwhile.
const SIGNED_IN: TimeDelta = TimeDelta::days(90);
/// How long the rebuilt identity is valid.
const IDENTITY: TimeDelta = TimeDelta::minutes(5);

/// When each waiting item was first seen, by person.
type FirstSeen = BTreeMap<ProfileId, BTreeMap<String, DateTime<Utc>>>;

/// Until the server stops. Does nothing without a mail server.
pub async fn follow(app: Arc<App>, stopping: CancellationToken) {
    let Some(mailer) = app.mailer.clone() else {
        return;
    };
    let mut first_seen = FirstSeen::new();
    let mut failed = false;
    loop {
        tokio::select! {
            () = stopping.cancelled() => return,
            () = app.env.sleep(LOOK_EVERY) => {}
        }
        let outcome = look(&app, &mailer, &mut first_seen).await;
        // A mail server that is down is logged once, not twice a minute.
        match &outcome {
            Err(error) if !failed => tracing::warn!("mails about the inbox fail: {error:#}"),
            Ok(sent) if failed && *sent > 0 => {
                tracing::info!("mails about the inbox are sent again");
            }
            Err(_) | Ok(_) => {}
        }
        failed = outcome.map_or(true, |sent| failed && sent == 0);
    }
}

/// Returns the number of mails sent; the last error, if a person could not be written to.
async fn look(app: &App, mailer: &Mailer, first_seen: &mut FirstSeen) -> anyhow::Result<u32> {
    let since = app.env.now() - SIGNED_IN;
    let mut outcome = Ok(0);
    for mail in app.runtime.store().inbox_mails(since).await? {
        match write_to(app, mailer, first_seen, mail).await {
            Ok(true) => outcome = outcome.map(|sent| sent + 1),
            Ok(false) => {}
            Err(error) => outcome = Err(error),
        }
    }
    outcome
}

/// Returns whether a mail was sent.
async fn write_to(
    app: &App,
    mailer: &Mailer,
    first_seen: &mut FirstSeen,
    mail: InboxMail,
) -> anyhow::Result<bool> {
    let (store, env, now) = (app.runtime.store(), app.env.as_ref(), app.env.now());
    let Some(verified) = Verified::from_json(&mail.identity, now + IDENTITY) else {
        return Ok(false);
    };
    let installed = app.runtime.installed();
    let who = identity::sign_in_token(store, env, installed.roles(), verified).await?;
    let Some(address) = who.email() else {
        return Ok(false);
    };
    let inbox = Inbox::load(&app.runtime, &app.inbox, env, &who).await?;
    let waiting = items(&inbox);
    let known = first_seen.entry(who.profile()).or_default();
    known.retain(|item, _| waiting.contains(item));
    for item in &waiting {
        known.entry(item.clone()).or_insert(now);
    }
    let mailed: Vec<String> = serde_json::from_str(&mail.mailed).unwrap_or_default();
    let due = |item: &String| {
        !mailed.contains(item) && known.get(item).is_some_and(|seen| now - *seen >= DELAY)
    };
    let quiet = mail.mailed_at.is_some_and(|at| now - at < QUIET);
    if quiet || !waiting.iter().any(due) {
        return Ok(false);
    }
    // Recorded first: of several nodes one sends, and a failure is not repeated before `QUIET` has passed.
    let text = serde_json::to_string(&with_unseen(&inbox, &waiting, &mailed))?;
    if !store
        .record_inbox_mail(&who, mail.mailed_at, text, now)
        .await?
    {
        return Ok(false);
    }
    let language = PageLanguage::of_locale(&mail.language);
    let page = &app.config.server.public_url;
    let sent = mailer
        .something_waits(language, address, inbox.count, page)
        .await;
    if sent.is_err() {
        store
            .record_inbox_mail(&who, Some(now), mail.mailed, now)
            .await?;
    }
    sent.map(|()| true)
}

/// The items that a mail covers. Those of an assistant that cannot be reached now are still waiting.
fn with_unseen(inbox: &Inbox, waiting: &[String], mailed: &[String]) -> BTreeSet<String> {
    let mut covered: BTreeSet<String> = waiting.iter().cloned().collect();
    if inbox.work.iter().any(|work| work.problem.is_some()) {
        covered.extend(mailed.iter().cloned());
    }
    covered
}

/// A stable name of each waiting thing, without its content.
fn items(inbox: &Inbox) -> Vec<String> {
    let cards = inbox
        .cards
        .iter()
        .map(|one| format!("{} {}", one.turn_id, one.card.call_id));
    let work = inbox.work.iter().flat_map(|work| {
        let items = work.items.iter();
        items.map(move |item| format!("{} {} {}", work.assistant, item.link, item.title))
    });
    let digest = |name: String| BASE64.encode(&Sha256::digest(name.as_bytes())[..12]);
    cards.chain(work).map(digest).collect()
}
