//! A whole Frontdesk in a temporary folder, with a scripted model on a real socket.

use frontdesk::app::App;
use frontdesk::config::{Config, Sources};
use frontdesk_assistants::{Bundle, NAMES, SETTINGS, Surroundings};
use frontdesk_core::toolbox::ToolboxError;
use tempfile::TempDir;

/// Every assistant that ships, and the smallest one.
pub fn assistants(around: &Surroundings) -> Result<Vec<Bundle>, ToolboxError> {
    let mut bundles = frontdesk_assistants::all(around)?;
    bundles.push(crate::notes::bundle(around)?);
    Ok(bundles)
}

/// Settings with these values over the defaults, and nothing from this machine.
pub fn config(values: &[(&'static str, &str)]) -> Config {
    let sources = Sources {
        flags: values
            .iter()
            .map(|(key, value)| (*key, (*value).to_owned()))
            .collect(),
        ..Sources::default()
    };
    Config::load(sources, SETTINGS, NAMES).unwrap()
}

pub struct TestApp {
    pub app: App,
    pub folder: TempDir,
}

impl TestApp {
    /// Answers come from the model server at this address.
    pub async fn with_model(url: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let data = folder.path().to_string_lossy().into_owned();
        let config = config(&[
            ("data_dir", &data),
            ("model.provider", "openai"),
            ("model.base_url", url),
        ]);
        let app = App::open(config, assistants).await.unwrap();
        Self { app, folder }
    }
}
