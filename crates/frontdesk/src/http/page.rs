//! A plain page that says what runs here and how to use it.

use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse};

use super::Shared;
use crate::app::App;

const CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) async fn welcome(State(shared): State<Shared>) -> impl IntoResponse {
    (
        [
            (header::CONTENT_SECURITY_POLICY, CSP),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
        ],
        Html(shared.welcome.to_string()),
    )
}

/// The page, made once at start.
pub(super) fn render(app: &App) -> String {
    let assistants: String = app
        .desk
        .assistants()
        .map(|assistant| {
            format!(
                "<section><h2>{}</h2><p>{}</p><pre>frontdesk chat {}</pre></section>",
                escape(assistant.title),
                escape(assistant.description),
                escape(assistant.name)
            )
        })
        .collect();
    let people: String = if app.config.personas_allowed() {
        app.personas
            .iter()
            .map(|persona| {
                let roles: Vec<&str> = persona.roles.iter().map(|role| role.as_str()).collect();
                format!(
                    "<li><code>--as {}</code> {} ({})</li>",
                    escape(persona.name),
                    escape(persona.display_name),
                    escape(&roles.join(", "))
                )
            })
            .collect()
    } else {
        "<li>with a token: <code>frontdesk token --help</code></li>".to_owned()
    };
    include_str!("page.html")
        .replace("{assistants}", &assistants)
        .replace("{people}", &people)
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
