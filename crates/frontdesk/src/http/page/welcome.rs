//! A placeholder if the web page was not built: names the assistants, the terminal commands and the
//! way to build the page.

use crate::app::App;

pub(in crate::http) fn render(app: &App) -> String {
    let assistants: String = app
        .runtime
        .assistants()
        .iter()
        .map(|assistant| {
            format!(
                "<section><h2>{}</h2><p>{}</p><pre>frontdesk chat {}</pre></section>",
                escape(&assistant.title),
                escape(&assistant.description),
                escape(&assistant.name)
            )
        })
        .collect();
    let people: String = if app.config.personas_allowed() {
        app.runtime
            .installed()
            .personas()
            .iter()
            .map(|persona| {
                let roles: Vec<&str> = persona.roles.iter().map(|role| role.as_str()).collect();
                format!(
                    "<li><code>--as {}</code> {} ({})</li>",
                    escape(&persona.name),
                    escape(&persona.display_name),
                    escape(&roles.join(", "))
                )
            })
            .collect()
    } else {
        "<li>with a token: <code>frontdesk token --help</code></li>".to_owned()
    };
    include_str!("welcome.html")
        .replace("{assistants}", &assistants)
        .replace("{people}", &people)
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
