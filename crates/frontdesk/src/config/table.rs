//! Every setting of the platform with its default and a sentence.

use frontdesk_core::setting::{Setting, SettingKind};

const fn text(key: &'static str, default: &'static str, about: &'static str) -> Setting {
    Setting {
        key,
        default,
        env: None,
        kind: SettingKind::Text,
        about,
    }
}

const fn number(key: &'static str, default: &'static str, about: &'static str) -> Setting {
    Setting {
        kind: SettingKind::Number,
        ..text(key, default, about)
    }
}

const fn secret(key: &'static str, env: &'static str, about: &'static str) -> Setting {
    Setting {
        env: Some(env),
        kind: SettingKind::Secret,
        ..text(key, "", about)
    }
}

const fn known(env: &'static str, setting: Setting) -> Setting {
    Setting {
        env: Some(env),
        ..setting
    }
}

/// The platform's own settings, in the order of the example file.
pub const PLATFORM: &[Setting] = &[
    text(
        "data_dir",
        "./data",
        "Where the embedded database and files live.",
    ),
    Setting {
        key: "demo",
        default: "",
        env: None,
        kind: SettingKind::Flag,
        about: "Create demo people and data on the first start, and let demo people sign in on this machine. When empty: only with the embedded database, no secret or issuer, and a loopback address.",
    },
    text(
        "server.bind",
        "127.0.0.1:8080",
        "Address and port to listen on.",
    ),
    text(
        "server.public_url",
        "",
        "Where people reach this server; the bind address when empty.",
    ),
    number(
        "server.lease_seconds",
        "20",
        "How long a process may be silent, 1 to 20 seconds, before another goes on with its work.",
    ),
    number(
        "server.replay_minutes",
        "1440",
        "How long after its end a turn is told event by event to readers who come back, at least 15; later it is one snapshot.",
    ),
    text(
        "server.metrics_bind",
        "",
        "Address for /metrics alone, for an internal network; on a loopback bind it is at the server's own address as well.",
    ),
    secret(
        "database.url",
        "DATABASE_URL",
        "PostgreSQL to use instead of the embedded SQLite file.",
    ),
    number("database.pool_size", "10", "Connections to PostgreSQL."),
    number(
        "database.wait_seconds",
        "30",
        "How long a request waits for a free connection, 1 to 120 seconds, before it is told to come back.",
    ),
    text(
        "database.app_role",
        "fd_app",
        "The PostgreSQL role that statements of people run as.",
    ),
    secret(
        "auth.jwt_secret",
        "SUPABASE_JWT_SECRET",
        "Secret of at least 32 bytes that tokens are signed with (HS256).",
    ),
    known(
        "SUPABASE_URL",
        text(
            "auth.supabase_url",
            "",
            "Project address; its `/auth/v1` is the issuer that tokens must name. Its public keys are fetched when no secret is set.",
        ),
    ),
    text(
        "auth.issuer",
        "",
        "The issuer that tokens must name, when it is not that of supabase_url.",
    ),
    text(
        "auth.jwks_url",
        "",
        "Where that issuer's public keys are (RS256, ES256), when it is not supabase_url's.",
    ),
    text(
        "auth.audience",
        "authenticated",
        "Audience that tokens must name.",
    ),
    text(
        "auth.client_id",
        "",
        "What the issuer knows this installation by; when set, people sign in there from the page (OpenID Connect, authorization code with PKCE).",
    ),
    Setting {
        key: "auth.client_secret",
        default: "",
        env: None,
        kind: SettingKind::Secret,
        about: "Secret of that client, where the issuer gave it one.",
    },
    text(
        "auth.scope",
        "openid email profile",
        "What the issuer is asked for when somebody signs in from the page.",
    ),
    text(
        "search.embeddings",
        "auto",
        "How texts are embedded: `local`, `cohere`, `openai` (any compatible endpoint), `none` (keywords alone), or `auto`: cohere when its key is set, else local.",
    ),
    secret(
        "search.cohere_api_key",
        "COHERE_API_KEY",
        "Key for Cohere's embeddings.",
    ),
    text(
        "search.cohere_url",
        "https://api.cohere.com/v2",
        "Base address of Cohere's API.",
    ),
    text(
        "search.embeddings_url",
        "",
        "Base address of an OpenAI-compatible embeddings endpoint; model.base_url when empty.",
    ),
    secret(
        "search.embeddings_api_key",
        "EMBEDDINGS_API_KEY",
        "Key for that endpoint; model.api_key when empty.",
    ),
    known(
        "EMBEDDING_MODEL",
        text(
            "search.embedding_model",
            "",
            "Embedding model of Cohere (embed-english-v3.0) or of that endpoint (text-embedding-3-small).",
        ),
    ),
    known(
        "EMBEDDING_DIM",
        text(
            "search.embedding_dimension",
            "",
            "Numbers in that model's vectors; 1024 for Cohere's default, 1536 for OpenAI's.",
        ),
    ),
    Setting {
        key: "search.rerank",
        default: "false",
        env: None,
        kind: SettingKind::Flag,
        about: "Order hits by a reranking model: Cohere's, or the one at `search.rerank_url`.",
    },
    text(
        "search.rerank_url",
        "",
        "Address of a service with Cohere's `/rerank`, without that path.",
    ),
    secret(
        "search.rerank_api_key",
        "RERANK_API_KEY",
        "Key of that service.",
    ),
    text(
        "search.rerank_model",
        "",
        "Reranking model; rerank-v3.5 when empty.",
    ),
    known(
        "QDRANT_URL",
        text(
            "search.qdrant_url",
            "",
            "Qdrant to use instead of the embedded index; several nodes need it.",
        ),
    ),
    secret("search.qdrant_api_key", "QDRANT_API_KEY", "Key for Qdrant."),
    known(
        "CHUNK_SIZE",
        number(
            "search.chunk_size",
            "128",
            "Size of passages in tokens, 128 to 2048.",
        ),
    ),
    known(
        "CHUNK_OVERLAP",
        number(
            "search.chunk_overlap",
            "16",
            "Tokens that neighbouring passages share.",
        ),
    ),
    text(
        "search.allowed_hosts",
        "",
        "Hosts of your own, separated by commas, that may be taken in although they are not public.",
    ),
    text(
        "model.provider",
        "auto",
        "`openai` (any compatible endpoint), `offline`, or `auto`: openai when a key or base URL is set.",
    ),
    known(
        "OPENAI_BASE_URL",
        text(
            "model.base_url",
            "https://api.openai.com/v1",
            "Base address of the chat completions endpoint.",
        ),
    ),
    secret("model.api_key", "OPENAI_API_KEY", "Key for that endpoint."),
    known(
        "OPENAI_MODEL",
        text(
            "model.name",
            "",
            "Model for every assistant; each has its own default when empty.",
        ),
    ),
    text(
        "model.fallback",
        "none",
        "`offline`: answer with the built-in model when the real one fails. `none`: say that it failed.",
    ),
    number(
        "model.connect_timeout_seconds",
        "5",
        "How long to wait for a connection to the model.",
    ),
    number(
        "model.idle_timeout_seconds",
        "30",
        "How long the model may be silent, before its answer and within it.",
    ),
    number(
        "model.text_tokens",
        "24000",
        "Tokens for showing the model in full what somebody pastes or attaches; what does not fit it reads piece by piece.",
    ),
    text(
        "model.price_input",
        "",
        "What a million tokens cost that a model is sent, in your currency; with it and the next one, usage and evaluations say what was spent.",
    ),
    text(
        "model.price_output",
        "",
        "What a million tokens cost that a model writes.",
    ),
    text(
        "model.price_cached",
        "",
        "What a million tokens cost that the provider had in its cache; as any other when empty.",
    ),
    number(
        "limits.turns_in_flight",
        "20",
        "Messages of one person that may be worked on at once, on all nodes together; what waits for an approval does not count.",
    ),
    number(
        "limits.tokens_a_person_and_day",
        "200000",
        "Tokens that one person may use in a day (UTC); 0 for no limit. The offline model is free.",
    ),
    number(
        "limits.tokens_a_company_and_day",
        "2000000",
        "Tokens that the people of one company may use in its conversations in a day; 0 for no limit.",
    ),
    number(
        "limits.connections",
        "12000",
        "Connections that are served at once; more are turned away.",
    ),
    number(
        "limits.storage_megabytes",
        "2048",
        "Megabytes that the files of one person, or of one company, may take together; 0 for no limit.",
    ),
    number(
        "limits.header_seconds",
        "10",
        "How long a client may take to send the headers of a request.",
    ),
    number(
        "limits.body_seconds",
        "30",
        "How long a client may take to send the body of a request.",
    ),
    number(
        "limits.reader_seconds",
        "20",
        "How long a client may read nothing of what it is sent before its connection is closed; its turn goes on.",
    ),
    text(
        "embeddings.folder",
        "",
        "Where the local embedding model lies; `frontdesk/all-MiniLM-L6-v2` in the user's cache folder when empty.",
    ),
    known(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        text(
            "telemetry.otlp_endpoint",
            "",
            "Collector that traces are sent to over OTLP/HTTP, e.g. http://localhost:4318; none when empty.",
        ),
    ),
    known(
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        text(
            "telemetry.otlp_traces_endpoint",
            "",
            "The whole address for traces, when it is not `/v1/traces` below otlp_endpoint.",
        ),
    ),
    secret(
        "telemetry.otlp_headers",
        "OTEL_EXPORTER_OTLP_HEADERS",
        "Headers for the collector: name=value pairs, separated by commas.",
    ),
    known(
        "OTEL_EXPORTER_OTLP_PROTOCOL",
        text(
            "telemetry.otlp_protocol",
            "http/protobuf",
            "`http/protobuf` or `http/json`.",
        ),
    ),
    known(
        "OTEL_EXPORTER_OTLP_TIMEOUT",
        number(
            "telemetry.otlp_timeout_ms",
            "10000",
            "How long a collector may take, in milliseconds. Turns never wait for it.",
        ),
    ),
    known(
        "OTEL_SERVICE_NAME",
        text(
            "telemetry.service_name",
            "frontdesk",
            "What this installation is called in traces.",
        ),
    ),
    secret(
        "telemetry.langfuse_public_key",
        "LANGFUSE_PUBLIC_KEY",
        "Langfuse to send traces to: this key and the next one are enough.",
    ),
    secret(
        "telemetry.langfuse_secret_key",
        "LANGFUSE_SECRET_KEY",
        "Its secret key.",
    ),
    known(
        "LANGFUSE_BASE_URL",
        text(
            "telemetry.langfuse_base_url",
            "https://cloud.langfuse.com",
            "Its address.",
        ),
    ),
    known(
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT",
        Setting {
            key: "telemetry.content",
            default: "false",
            env: None,
            kind: SettingKind::Flag,
            about: "Say in traces what people and models wrote, too. Off, they say only who, when, how long and how much.",
        },
    ),
    text(
        "log.level",
        "info",
        "error, warn, info, debug or trace; or a filter such as `info,frontdesk=debug`.",
    ),
    text(
        "log.format",
        "text",
        "`text` for people, `json` for machines.",
    ),
    secret(
        "mail.smtp_url",
        "SMTP_URL",
        "Server that sends invitations, such as smtps://user:password@mail.example.com; without one, links are copied.",
    ),
    text(
        "mail.from",
        "Frontdesk <frontdesk@localhost>",
        "Who invitations come from.",
    ),
];

/// The platform's settings, those of the bundled services, and what assistants declared.
pub(super) fn all(declared: &[Setting]) -> impl Iterator<Item = &Setting> {
    let services = frontdesk_services::SETTINGS;
    PLATFORM.iter().chain(services).chain(declared)
}

/// The example file: every setting with its default and its sentence.
pub fn example_file(declared: &[Setting]) -> String {
    let mut out = String::from(
        "# Frontdesk settings. Copy to frontdesk.toml and change what you need.\n\
         # Order: built-in default < this file < environment < command line.\n",
    );
    let mut section = "";
    for setting in all(declared) {
        let (in_section, name) = setting.key.rsplit_once('.').unwrap_or(("", setting.key));
        if in_section != section {
            section = in_section;
            out.push_str(&format!("\n[{section}]\n"));
        } else {
            out.push('\n');
        }
        let known = match setting.env {
            Some(env) => format!("{} or {env}", setting.own_env()),
            None => setting.own_env(),
        };
        out.push_str(&format!("# {} ({known})\n", setting.about));
        let value = match setting.kind {
            SettingKind::Number | SettingKind::Flag if !setting.default.is_empty() => {
                setting.default.to_owned()
            }
            SettingKind::Number | SettingKind::Flag | SettingKind::Text | SettingKind::Secret => {
                format!("{:?}", setting.default)
            }
        };
        out.push_str(&format!("# {name} = {value}\n"));
    }
    out.push_str(
        "\n# Each assistant's model can be set on its own:\n\
         # [assistant.NAME]\n# model = \"gpt-4o\"\n# temperature = 0.7\n# max_tokens = 1000\n",
    );
    out
}
