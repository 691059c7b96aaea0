//! The design's four configuration tests, and the messages for wrong values.

use std::collections::BTreeMap;

use frontdesk_core::setting::SettingKind;

use super::*;

fn settings(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn read(pairs: &[(&str, &str)]) -> Config {
    Config::new(&settings(pairs), None).unwrap()
}

fn check_wrong(key: &str, value: &str, says: &str) {
    let error = Config::new(&settings(&[(key, value)]), None).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with(&format!("{key}: ")) && text.contains(says),
        "{text}"
    );
}

// design: 003 unit configuration file
#[test]
fn configuration_is_loaded_from_settings() {
    let config = read(&[
        (BASE_URL, "https://gate.example.com/api/"),
        (TIMEOUT, "12"),
        (MAX_FILE_SIZE, "1048576"),
        (FORMATS, "PNG, jpg"),
        (ENVIRONMENT, "staging"),
        (TIME_ZONE, "Asia/Karachi"),
    ]);
    assert_eq!(
        config,
        Config {
            base_url: Url::parse("https://gate.example.com/api/").unwrap(),
            timeout: Duration::from_secs(12),
            max_file_size: 1_048_576,
            formats: vec![Format::Png, Format::Jpeg],
            environment: Environment::Staging,
            zone: Tz::Asia__Karachi,
            delete_approvers: Vec::new(),
        }
    );
}

// design: 003 unit configuration environment
#[test]
fn the_environment_decides_how_the_api_may_be_reached() {
    for environment in ["development", "staging", "production"] {
        for address in [
            "https://gate.example.com",
            "http://localhost:8000",
            "http://127.0.0.1:81",
            "http://[::1]:8000",
        ] {
            read(&[(ENVIRONMENT, environment), (BASE_URL, address)]);
        }
    }
    let plain = [(BASE_URL, "http://gate.example.com")];
    assert_eq!(read(&plain).environment, Environment::Development);
    for environment in ["staging", "production"] {
        let set = [plain[0], (ENVIRONMENT, environment)];
        let error = Config::new(&settings(&set), None).unwrap_err();
        assert!(error.to_string().contains("must be https"), "{error}");
    }
}

#[test]
fn a_deletion_may_need_another_approver() {
    let read = read(&[(DELETE_APPROVER, "HR_User")]);
    assert_eq!(read.delete_approvers, [Role::HR_USER]);
    check_wrong(DELETE_APPROVER, "Boss", "is no role");
}

// design: 003 GatePassAPIClient, unit configuration missing
#[test]
fn missing_configuration_has_the_documented_defaults() {
    let config = read(&[]);
    assert_eq!(
        config,
        Config {
            base_url: Url::parse("http://localhost:8000").unwrap(),
            timeout: Duration::from_secs(30),
            max_file_size: 5_242_880,
            formats: vec![Format::Jpeg, Format::Png, Format::Heic],
            environment: Environment::Development,
            zone: Tz::UTC,
            delete_approvers: Vec::new(),
        }
    );
    // An empty value counts as missing, and the bundled API takes precedence over the default.
    let bundled = "http://127.0.0.1:4321/services/gatepass";
    let config = Config::new(&settings(&[(BASE_URL, " "), (TIMEOUT, "")]), Some(bundled)).unwrap();
    assert_eq!(
        (config.base_url.as_str(), config.timeout.as_secs()),
        (bundled, 30)
    );
    let set = settings(&[(BASE_URL, "https://other.example.com")]);
    let config = Config::new(&set, Some(bundled)).unwrap();
    assert_eq!(config.base_url.as_str(), "https://other.example.com/");
}

// design: 003 unit configuration invalid
#[test]
fn invalid_values_are_named_with_the_allowed_ones() {
    check_wrong(
        BASE_URL,
        "localhost:8000",
        "begins with http:// or https://",
    );
    check_wrong(
        BASE_URL,
        "ftp://gate.example.com",
        "begins with http:// or https://",
    );
    check_wrong(
        BASE_URL,
        "not an address",
        "begins with http:// or https://",
    );
    check_wrong(BASE_URL, "https://gate.example.com?x=1", "query");
    check_wrong(TIMEOUT, "0", "from 1 to 120");
    check_wrong(TIMEOUT, "soon", "from 1 to 120");
    check_wrong(TIMEOUT, "-3", "from 1 to 120");
    check_wrong(MAX_FILE_SIZE, "5 MB", "whole number");
    check_wrong(FORMATS, "jpeg,gif", "\"gif\" is not a kind of photo");
    check_wrong(FORMATS, ",", "at least one");
    check_wrong(
        ENVIRONMENT,
        "Production",
        "development, staging or production",
    );
    check_wrong(TIME_ZONE, "Karachi", "Asia/Karachi");
    let error = Config::new(
        &settings(&[(BASE_URL, "https://me:hunter2@gate.example.com")]),
        None,
    );
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("password") && !text.contains("hunter2"),
        "{text}"
    );
}

#[test]
fn every_setting_is_declared_with_its_well_known_name() {
    let declared: Vec<(&str, Option<&str>)> = SETTINGS.iter().map(|s| (s.key, s.env)).collect();
    assert_eq!(
        declared,
        [
            ("gatepass.api_base_url", Some("API_BASE_URL")),
            ("gatepass.api_timeout", Some("API_TIMEOUT")),
            ("gatepass.max_file_size", Some("MAX_FILE_SIZE")),
            (
                "gatepass.allowed_file_formats",
                Some("ALLOWED_FILE_FORMATS")
            ),
            ("gatepass.environment", Some("ENVIRONMENT")),
            ("gatepass.time_zone", None),
            ("gatepass.delete_approver", None),
        ]
    );
    assert!(
        SETTINGS
            .iter()
            .all(|s| s.kind != SettingKind::Secret && s.about.ends_with('.'))
    );
}
