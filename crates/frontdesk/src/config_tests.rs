//! Reading and checking settings.

use std::path::Path;

use frontdesk_core::setting::SettingKind;
use tempfile::TempDir;

use super::*;

const ASSISTANTS: &[&str] = &["helper"];

const DECLARED: &[Setting] = &[Setting {
    key: "helper.time_zone",
    default: "UTC",
    env: Some("HELPER_TIME_ZONE"),
    kind: SettingKind::Text,
    about: "Where the helper is.",
}];

fn load(file: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("settings.toml");
    std::fs::write(&path, file).unwrap();
    let sources = Sources {
        file: Some(path),
        environment: environment
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        flags: Vec::new(),
    };
    Config::load(sources, DECLARED, ASSISTANTS)
}

fn check_error(file: &str, environment: &[(&str, &str)], sentence: &str) {
    let error = load(file, environment).unwrap_err().to_string();
    assert!(error.contains(sentence), "{error}");
}

#[test]
fn defaults_start_with_nothing() {
    let config = load("", &[]).unwrap();
    assert_eq!(config.server.bind.to_string(), "127.0.0.1:8080");
    assert_eq!(config.server.public_url, "http://127.0.0.1:8080");
    assert_eq!(config.data_dir, Path::new("./data"));
    assert_eq!(config.model.provider, Provider::Offline);
    assert_eq!(config.model.fallback, Fallback::None);
    assert_eq!(config.assistants["helper.time_zone"], "UTC");
    assert!(config.personas_allowed());
}

#[test]
fn the_environment_overrides_the_file() {
    let file = "data_dir = \"/a\"\n[server]\nbind = \"127.0.0.1:1\"\n";
    let config = load(file, &[("FRONTDESK_SERVER_BIND", "127.0.0.1:2")]).unwrap();
    assert_eq!(config.server.bind.port(), 2);
    assert_eq!(config.data_dir, Path::new("/a"));
}

// design: 003 unit configuration file
#[test]
fn settings_of_an_assistant_come_from_the_file() {
    let config = load("[helper]\ntime_zone = \"Asia/Karachi\"\n", &[]).unwrap();
    assert_eq!(config.assistants["helper.time_zone"], "Asia/Karachi");
}

#[test]
fn flags_override_everything() {
    let sources = Sources {
        environment: vec![("FRONTDESK_SERVER_BIND".into(), "127.0.0.1:2".into())],
        flags: vec![("server.bind", "127.0.0.1:3".into())],
        ..Sources::default()
    };
    let config = Config::load(sources, DECLARED, ASSISTANTS).unwrap();
    assert_eq!(config.server.bind.port(), 3);
}

// design: 001 AgentConfig.openai_api_key
#[test]
fn well_known_environment_names_work() {
    let config = load(
        "",
        &[
            ("OPENAI_API_KEY", "sk-x"),
            ("OPENAI_MODEL", "m"),
            ("HELPER_TIME_ZONE", "Asia/Karachi"),
        ],
    )
    .unwrap();
    assert_eq!(config.model.provider, Provider::OpenAi);
    assert!(config.model.api_key.is_some());
    assert_eq!(config.model.name.as_deref(), Some("m"));
    assert_eq!(config.assistants["helper.time_zone"], "Asia/Karachi");
}

#[test]
fn a_base_url_alone_is_a_real_model() {
    let config = load("", &[("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")]).unwrap();
    assert_eq!(config.model.provider, Provider::OpenAi);
    assert!(config.model.api_key.is_none());
}

#[test]
fn an_assistant_has_its_own_model() {
    let file = "[assistant.helper]\nmodel = \"m\"\ntemperature = 0.5\nmax_tokens = 7\n";
    let config = load(file, &[]).unwrap();
    assert_eq!(
        config.overrides["helper"],
        ModelOverride {
            model: Some("m".into()),
            temperature: Some(0.5),
            max_tokens: Some(7),
        }
    );
}

#[test]
fn unknown_keys_name_the_nearest_known_one() {
    check_error(
        "[server]\nbnid = \"x\"",
        &[],
        "unknown setting `server.bnid`",
    );
    check_error("[server]\nbnid = \"x\"", &[], "did you mean `server.bind`?");
    check_error(
        "",
        &[("FRONTDESK_SERVER_BNID", "x")],
        "did you mean `FRONTDESK_SERVER_BIND`?",
    );
    check_error(
        "[assistant.nobody]\nmodel = \"m\"",
        &[],
        "unknown setting `assistant.nobody.model`",
    );
}

#[test]
fn a_malformed_file_is_reported_in_one_line_without_its_content() {
    let file = "[model]\napi_key = \"sk-secret\" oops";
    let error = load(file, &[]).unwrap_err().to_string();
    assert!(error.ends_with("in line 2; correct that line"), "{error}");
    assert!(!error.contains("secret"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn bad_files_and_values_give_a_clear_error() {
    check_error(
        "data_dir = \"a\"\ndata_dir = \"b\"",
        &[],
        "is not valid TOML: duplicate key in line 2; correct that line",
    );

    check_error("[server]\nbind = \"nowhere\"", &[], "setting `server.bind`");
    check_error(
        "[model]\nfallback = \"maybe\"",
        &[],
        "\"maybe\" is not one of none, offline",
    );
    check_error("demo = \"perhaps\"", &[], "setting `demo`");
    for lease in ["0", "0.9", "20.1", "-1", "nan"] {
        let file = format!("[server]\nlease_seconds = \"{lease}\"");
        check_error(&file, &[], "setting `server.lease_seconds`");
    }
    for limit in ["header_seconds", "body_seconds", "reader_seconds"] {
        for none in ["0", "-1", "nan", "soon"] {
            let file = format!("[limits]\n{limit} = \"{none}\"");
            check_error(&file, &[], &format!("setting `limits.{limit}`"));
        }
    }
    let config = load("[limits]\nstorage_megabytes = 0", &[]).unwrap();
    assert_eq!(config.limits.storage_bytes, None);
    for wait in ["0", "121", "soon"] {
        let file = format!("[database]\nwait_seconds = \"{wait}\"");
        check_error(&file, &[], "setting `database.wait_seconds`");
    }
    for minutes in ["0", "14", "-1", "1.5"] {
        let file = format!("[server]\nreplay_minutes = \"{minutes}\"");
        check_error(&file, &[], "setting `server.replay_minutes`");
    }
    check_error("", &[("SUPABASE_JWT_SECRET", "short")], "at least 32 bytes");
    let missing = Sources {
        file: Some("/nowhere/frontdesk.toml".into()),
        ..Sources::default()
    };
    let error = Config::load(missing, DECLARED, ASSISTANTS).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("cannot read /nowhere/frontdesk.toml")
    );
}

#[test]
fn demo_personas_sign_in_only_on_a_local_machine() {
    let secret = "0123456789abcdef0123456789abcdef";
    for environment in [
        ("FRONTDESK_SERVER_BIND", "0.0.0.0:8080"),
        ("FRONTDESK_DEMO", "false"),
        ("SUPABASE_JWT_SECRET", secret),
        ("SUPABASE_URL", "https://x.example"),
        ("DATABASE_URL", "postgres://x"),
        ("FRONTDESK_SERVER_PUBLIC_URL", "https://desk.example.com"),
    ] {
        let config = load("", &[environment]).unwrap();
        assert!(!config.personas_allowed(), "{environment:?}");
    }
    let own = ("FRONTDESK_SERVER_PUBLIC_URL", "http://localhost:8080/");
    assert!(load("", &[own]).unwrap().personas_allowed());
}

#[test]
fn demo_data_is_the_default_only_on_a_local_machine() {
    let demo = |file: &str, environment: &[(&str, &str)]| load(file, environment).unwrap().demo;
    assert_eq!(demo("", &[]), Demo::OwnMachine);
    assert_eq!(demo("demo = false", &[]), Demo::SwitchedOff);
    for environment in [
        ("FRONTDESK_SERVER_BIND", "0.0.0.0:8080"),
        ("SUPABASE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
        ("SUPABASE_URL", "https://x.example"),
        ("DATABASE_URL", "postgres://x"),
        ("FRONTDESK_SERVER_PUBLIC_URL", "https://desk.example.com"),
    ] {
        let unasked = demo("", &[environment]);
        assert!(matches!(unasked, Demo::Deployed(_)), "{environment:?}");
        assert!(!unasked.is_on() && unasked.reason().contains("no demo data"));
        if environment.0 != "FRONTDESK_SERVER_BIND" {
            assert_eq!(demo("demo = true", &[environment]), Demo::AskedFor);
        }
    }
}

/// Promise A9, and every other combination that would admit the wrong people.
// design: promises A9
#[test]
fn unsafe_combinations_are_refused() {
    let secret = ("SUPABASE_JWT_SECRET", "0123456789abcdef0123456789abcdef");
    check_error("", &[("SUPABASE_JWT_SECRET", "short")], "at least 32 bytes");
    let keys = "[auth]\njwks_url = \"https://issuer.example/keys\"\nissuer = \"i\"\n";
    check_error(keys, &[secret], "never both");
    check_error(
        "[auth]\njwks_url = \"https://issuer.example/keys\"\n",
        &[],
        "setting `auth.issuer`: must be set with auth.jwks_url",
    );
    check_error(
        "[auth]\nissuer = \"i\"\n",
        &[],
        "its tokens cannot be verified",
    );
    check_error(
        "",
        &[("SUPABASE_URL", "http://issuer.example")],
        "must be an https address",
    );
    check_error("[auth]\naudience = \"\"\n", &[], "setting `auth.audience`");
    check_error(
        "[auth]\nclient_id = \"us\"\n",
        &[],
        "setting `auth.client_id`: needs an issuer",
    );
    check_error(
        &format!("{keys}client_id = \"us\"\n"),
        &[],
        "must be an https address for people to sign in there",
    );
    let public = ("FRONTDESK_SERVER_BIND", "0.0.0.0:8080");
    check_error(
        "demo = true",
        &[public],
        "demo people sign in without a password",
    );
    check_error(
        "demo = true",
        &[public, secret],
        "demo people sign in without a password",
    );

    let nobody_knows_who = load("", &[public]).unwrap();
    let elsewhere = "192.0.2.1:80".parse().unwrap();
    let error = nobody_knows_who.check_serving(elsewhere).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("SUPABASE_URL or SUPABASE_JWT_SECRET"),
        "{error}"
    );
    let here = "127.0.0.1:80".parse().unwrap();
    nobody_knows_who.check_serving(here).unwrap();
    for known in [secret, ("SUPABASE_URL", "https://x.example")] {
        load("", &[public, known])
            .unwrap()
            .check_serving(elsewhere)
            .unwrap();
    }
}

#[test]
fn a_project_address_names_the_issuer_and_its_keys() {
    let config = load("", &[("SUPABASE_URL", "https://x.example/")]).unwrap();
    let IdentitySource::Keys { url, issuer } = config.auth.source else {
        panic!("{:?}", config.auth.source);
    };
    assert_eq!(issuer, "https://x.example/auth/v1");
    assert_eq!(url, "https://x.example/auth/v1/.well-known/jwks.json");
    let secret = ("SUPABASE_JWT_SECRET", "0123456789abcdef0123456789abcdef");
    let config = load("", &[("SUPABASE_URL", "https://x.example"), secret]).unwrap();
    let IdentitySource::Secret { issuer, .. } = config.auth.source else {
        panic!("{:?}", config.auth.source);
    };
    assert_eq!(issuer.as_deref(), Some("https://x.example/auth/v1"));
}

#[test]
fn secrets_are_not_shown() {
    let config = load(
        "",
        &[
            ("OPENAI_API_KEY", "sk-canary"),
            ("DATABASE_URL", "postgres://u:canary@h/d"),
        ],
    )
    .unwrap();
    assert!(!format!("{config:?}").contains("canary"));
}
