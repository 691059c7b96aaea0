//! The Gate Pass API as a bundled service, and its settings.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use chrono_tz::Tz;
use frontdesk_core::setting::{Setting, SettingKind};
use frontdesk_service_gatepass::{
    Bucket, GatePass, MAX_FILE_SIZE, MIGRATIONS, Photos, ScriptCoverage, Settings, router,
    seed_demo,
};

use super::{MountableService, Service, ServiceContext, Values};

const SITE_NAME: &str = "gatepass.service.site_name";
const FONTS: &str = "gatepass.service.fonts_dir";
const ENDPOINT: &str = "gatepass.bucket.endpoint";
const REGION: &str = "gatepass.bucket.region";
const BUCKET: &str = "gatepass.bucket.name";
const ACCESS_KEY: &str = "gatepass.bucket.access_key_id";
const SECRET_KEY: &str = "gatepass.bucket.secret_access_key";
/// The assistant's settings that also apply to the service.
const TIME_ZONE: &str = "gatepass.time_zone";
const LARGEST_PHOTO: &str = "gatepass.max_file_size";

const fn text(key: &'static str, default: &'static str, about: &'static str) -> Setting {
    Setting {
        key,
        default,
        env: None,
        kind: SettingKind::Text,
        about,
    }
}

pub(super) const SETTINGS: &[Setting] = &[
    text(
        SITE_NAME,
        "Frontdesk",
        "Name of the site, printed at the head of a gate pass.",
    ),
    text(
        FONTS,
        "./fonts",
        "Folder with fonts for scripts that are not built in (Chinese, Japanese, Korean ...); `scripts/setup` fills it.",
    ),
    text(
        ENDPOINT,
        "",
        "S3-compatible store for photos, e.g. https://s3.eu-central-1.amazonaws.com; used instead of the data folder if a bucket name is set.",
    ),
    text(REGION, "us-east-1", "Region of that store."),
    text(
        BUCKET,
        "",
        "Bucket for photos; if empty, photos go to the data folder.",
    ),
    text(ACCESS_KEY, "", "Access key for that bucket."),
    Setting {
        kind: SettingKind::Secret,
        ..text(SECRET_KEY, "", "Secret for that access key.")
    },
];

pub(super) fn service() -> Service {
    Service {
        name: "gatepass",
        migrations: MIGRATIONS,
        build,
    }
}

fn build(ctx: &ServiceContext) -> anyhow::Result<MountableService> {
    let photos = match bucket(&ctx.settings)? {
        Some(bucket) => Photos::bucket(&bucket)?,
        None => Photos::folder(ctx.folder.join("photos"))?,
    };
    let env = Arc::clone(&ctx.env);
    let clock = Arc::new(move || env.now());
    let service = GatePass::new(ctx.db.clone(), settings(ctx)?, photos, clock)?;
    let (seeded, asked) = (service.clone(), service.clone());
    let fonts = ctx.settings.text(FONTS).unwrap_or_default().to_owned();
    Ok(MountableService {
        router: router(service),
        seed: Box::new(move || {
            Box::pin(async move {
                seed_demo(&seeded).await?;
                Ok(())
            })
        }),
        report: Box::new(move || report(&asked.scripts(), &fonts)),
    })
}

fn settings(ctx: &ServiceContext) -> anyhow::Result<Settings> {
    let values = &ctx.settings;
    let mut settings = Settings {
        token_issuer: ctx.token_issuer.clone(),
        fonts_dir: values.text(FONTS).map(PathBuf::from),
        time_zone: Tz::UTC,
        ..Settings::new(ctx.token_secret.clone(), ctx.public_url.clone())
    };
    if let Some(zone) = values.text(TIME_ZONE) {
        settings.time_zone = zone.parse().map_err(|_| {
            anyhow::anyhow!(
                "{TIME_ZONE}: {zone:?} is not a time zone; use a name such as Asia/Karachi or UTC"
            )
        })?;
    }
    if let Some(name) = values.text(SITE_NAME) {
        name.clone_into(&mut settings.site_name);
    }
    if let Some(size) = values.text(LARGEST_PHOTO) {
        let size: usize = size
            .parse()
            .with_context(|| format!("{LARGEST_PHOTO}: {size:?} must be a whole number"))?;
        settings.max_file_size = size.min(MAX_FILE_SIZE);
    }
    Ok(settings)
}

/// The configured bucket, if any. A partial configuration is an error.
fn bucket(values: &Values) -> anyhow::Result<Option<Bucket>> {
    let Some(name) = values.text(BUCKET) else {
        if values.text(ENDPOINT).is_some() {
            bail!("{ENDPOINT} is set but {BUCKET} is not; set both, or neither");
        }
        return Ok(None);
    };
    let needed = |key: &'static str| {
        let value = values.text(key);
        value.with_context(|| format!("{BUCKET} is set, so {key} must be set too"))
    };
    let endpoint = needed(ENDPOINT)?.trim_end_matches('/');
    let on_this_machine = ["http://127.0.0.1", "http://localhost", "http://[::1]"]
        .iter()
        .any(|local| endpoint.starts_with(local));
    if !endpoint.starts_with("https://") && !on_this_machine {
        bail!("{ENDPOINT}: must begin with https://, or be an http:// address of this machine");
    }
    needed(SECRET_KEY)?;
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Ok(Some(Bucket {
        endpoint: endpoint.to_owned(),
        region: needed(REGION)?.to_owned(),
        name: name.to_owned(),
        access_key_id: needed(ACCESS_KEY)?.to_owned(),
        secret_access_key: values.secret(SECRET_KEY).unwrap_or_default(),
        allow_http: on_this_machine,
    }))
}

/// Lists the scripts that a printed pass supports, and the fix for missing ones.
fn report(scripts: &[ScriptCoverage], fonts: &str) -> String {
    let list = |covered: bool| {
        let names: Vec<&str> = scripts
            .iter()
            .filter(|script| script.covered == covered)
            .map(|script| script.script)
            .collect();
        names.join(", ")
    };
    let missing = list(false);
    if missing.is_empty() {
        return format!("prints {}", list(true));
    }
    format!(
        "prints {}; no font for {missing}: `scripts/setup fonts` installs Chinese, Japanese and Korean, and any font in {fonts} is used",
        list(true)
    )
}

#[cfg(test)]
#[path = "gatepass_tests.rs"]
mod gatepass_tests;
