//! Mail, if an SMTP server is configured: invitations, and notes that something waits. A failure loses
//! nothing: the link of an invitation can be copied, and the inbox stays.

use std::time::Duration;

use anyhow::Context;
use frontdesk_core::store::Invitation;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use secrecy::ExposeSecret;

use crate::card_words::PageLanguage;
use crate::config::Mail;

const TIMEOUT: Duration = Duration::from_secs(10);

pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// The installation's name.
    name: String,
}

impl Mailer {
    /// `None` if no server is configured.
    pub fn new(settings: &Mail, name: &str) -> anyhow::Result<Option<Mailer>> {
        let Some(url) = &settings.smtp_url else {
            return Ok(None);
        };
        // The URL contains a password, so neither it nor the cause is shown.
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose_secret())
            .ok()
            .context("setting `mail.smtp_url` (SMTP_URL) is not an address such as smtps://user:password@mail.example.com")?
            .timeout(Some(TIMEOUT))
            .build();
        let from = settings.from.parse::<Mailbox>().with_context(|| {
            format!(
                "setting `mail.from`: {:?} is not an address such as Frontdesk <desk@example.com>",
                settings.from
            )
        })?;
        Ok(Some(Mailer {
            transport,
            from,
            name: name.to_owned(),
        }))
    }

    /// Connects, encrypts and signs in as for a mail.
    pub async fn check(&self) -> anyhow::Result<()> {
        let answers = tokio::time::timeout(TIMEOUT, self.transport.test_connection());
        let answers = answers.await.context("the mail server took too long")?;
        anyhow::ensure!(
            answers.map_err(first_cause)?,
            "the mail server refuses commands"
        );
        Ok(())
    }

    /// Tells a person how many things wait, and nothing about them.
    pub async fn something_waits(
        &self,
        language: PageLanguage,
        to: &str,
        count: u64,
        page: &str,
    ) -> anyhow::Result<()> {
        let values = [
            ("brand", one_line(&self.name)),
            ("count", count.to_string()),
            ("inbox", format!("{page}/approvals")),
            ("settings", format!("{page}/settings")),
        ];
        let values = values.each_ref().map(|(key, value)| (*key, value.as_str()));
        let subject = language.phrase("mail.subject", &values);
        self.send(to, subject, language.phrase("mail.text", &values))
            .await
    }

    /// Sends the link of an invitation; returns whether the server accepted it.
    pub async fn invite(&self, invitation: &Invitation, inviter: &str, link: &str) -> bool {
        match self.send_invitation(invitation, inviter, link).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(invitation.id = %invitation.id, "an invitation was not mailed: {error:#}");
                false
            }
        }
    }

    async fn send_invitation(
        &self,
        invitation: &Invitation,
        inviter: &str,
        link: &str,
    ) -> anyhow::Result<()> {
        let (company, inviter) = (one_line(&invitation.company_name), one_line(inviter));
        let name = &self.name;
        let until = invitation.expires_at.format("%Y-%m-%d %H:%M");
        let text = format!(
            "{inviter} invites you to {company} on {name}.\n\nTo accept, sign in with this address and open:\n{link}\n\n\
             The invitation is valid until {until} UTC. If you did not expect it, do nothing.\n"
        );
        let subject = format!("{inviter} invites you to {company}");
        self.send(&invitation.email, subject, text).await
    }

    async fn send(&self, to: &str, subject: String, text: String) -> anyhow::Result<()> {
        let to = to.parse::<Address>().context("the address")?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .context("the message")?;
        let sending = self.transport.send(message);
        tokio::time::timeout(TIMEOUT, sending)
            .await
            .context("the mail server took too long")?
            .map_err(first_cause)?;
        Ok(())
    }
}

/// The messages of the library repeat those of their causes.
fn first_cause(error: lettre::transport::smtp::Error) -> anyhow::Error {
    let error = anyhow::Error::from(error);
    anyhow::anyhow!("the mail server: {}", error.root_cause())
}

/// Names are user input: a line break must not start a new line of the mail.
fn one_line(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    line.join(" ").chars().take(120).collect()
}
