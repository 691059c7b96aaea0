//! Every setting of the platform with its default and description.

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

const fn flag(key: &'static str, default: &'static str, about: &'static str) -> Setting {
    Setting {
        kind: SettingKind::Flag,
        ..text(key, default, about)
    }
}

const fn hidden(key: &'static str, about: &'static str) -> Setting {
    Setting {
        kind: SettingKind::Secret,
        ..text(key, "", about)
    }
}

const fn secret(key: &'static str, env: &'static str, about: &'static str) -> Setting {
    known(env, hidden(key, about))
}

const fn known(env: &'static str, setting: Setting) -> Setting {
    Setting {
        env: Some(env),
        ..setting
    }
}

/// The platform's own settings, in the order of the example file, a row each.
#[rustfmt::skip]
pub const PLATFORM: &[Setting] = &[
    text("data_dir", "./data", "Folder of the embedded database and files."),
    flag("demo", "",
        "Create demo personas and data on the first start, and let the personas sign in on this machine. If empty: only with the embedded database, without a secret or issuer, on a loopback address."),

    text("server.bind", "127.0.0.1:8080", "Address and port to listen on."),
    text("server.public_url", "", "Address at which people reach this server; the bind address if empty."),
    number("server.lease_seconds", "20",
        "Seconds without a heartbeat, 1 to 20, after which another process takes over the work of a dead one."),
    number("server.replay_minutes", "1440",
        "Minutes after its end, at least 15, during which a turn is replayed event by event to a reader that reconnects; later it is one snapshot."),
    text("server.metrics_bind", "",
        "Separate address for /metrics, for an internal network; a loopback bind serves it on the server's own address as well."),

    secret("database.url", "DATABASE_URL", "PostgreSQL to use instead of the embedded SQLite file."),
    number("database.pool_size", "10", "Connections to PostgreSQL."),
    number("database.wait_seconds", "30",
        "Seconds that a request waits for a free connection, 1 to 120, before it is refused with 503."),
    text("database.app_role", "fd_app",
        "PostgreSQL role for statements on behalf of people. Migrations create it. Not a role that people have tokens for."),
    text("database.schema", "frontdesk",
        "PostgreSQL schema of all tables. Migrations create it. Tables that an earlier release created in public stay there."),

    secret("auth.jwt_secret", "SUPABASE_JWT_SECRET", "Secret that signs tokens (HS256), at least 32 bytes."),
    known("SUPABASE_URL", text("auth.supabase_url", "",
        "Supabase project address; its `/auth/v1` is the required issuer of tokens. Its public keys are fetched if no secret is set.")),
    text("auth.issuer", "", "Required issuer of tokens, if it is not that of supabase_url."),
    text("auth.jwks_url", "",
        "Address of that issuer's public keys (RS256, ES256), if it is not that of supabase_url."),
    text("auth.audience", "authenticated", "Required audience of tokens."),
    text("auth.client_id", "",
        "Client id of this installation at the issuer; if set, people sign in there from the page (OpenID Connect, authorization code with PKCE)."),
    hidden("auth.client_secret", "Secret of that client, if the issuer issued one."),
    text("auth.scope", "openid email profile", "Scopes to request when a person signs in from the page."),

    text("search.embeddings", "auto",
        "Embedder: `local` (English), `multilingual` (local, 16 languages; `scripts/setup multilingual` fetches it), `cohere`, `openai` (any compatible endpoint), `none` (keywords only), or `auto`: cohere if its key is set, otherwise local."),
    secret("search.cohere_api_key", "COHERE_API_KEY", "Key for Cohere's embeddings."),
    text("search.cohere_url", "https://api.cohere.com/v2", "Base address of Cohere's API."),
    text("search.embeddings_url", "",
        "Base address of an OpenAI-compatible embeddings endpoint; model.base_url if empty."),
    secret("search.embeddings_api_key", "EMBEDDINGS_API_KEY", "Key for that endpoint; model.api_key if empty."),
    known("EMBEDDING_MODEL", text("search.embedding_model", "",
        "Embedding model of Cohere (embed-multilingual-v3.0) or of that endpoint (text-embedding-3-small).")),
    known("EMBEDDING_DIM", text("search.embedding_dimension", "",
        "Dimension of that model's vectors; 1024 for Cohere's default, 1536 for OpenAI's.")),
    flag("search.rerank", "false", "Order hits by a reranking model: Cohere's, or the one at `search.rerank_url`."),
    text("search.rerank_url", "", "Address of a service with a `/rerank` like Cohere's, Jina's, Voyage's or Text Embeddings Inference's, without that path."),
    secret("search.rerank_api_key", "RERANK_API_KEY", "Key of that service."),
    text("search.rerank_model", "", "Reranking model; rerank-v3.5 when empty."),
    known("QDRANT_URL", text("search.qdrant_url", "",
        "Qdrant to use instead of the embedded index; required for several nodes.")),
    secret("search.qdrant_api_key", "QDRANT_API_KEY", "Key for Qdrant."),
    known("CHUNK_SIZE", number("search.chunk_size", "128", "Size of passages in tokens, 128 to 2048.")),
    known("CHUNK_OVERLAP", number("search.chunk_overlap", "16", "Tokens that neighbouring passages share.")),
    text("search.allowed_hosts", "",
        "Internal hosts, separated by commas, whose pages may be indexed although they are not public."),

    text("model.provider", "auto",
        "`openai` (any compatible endpoint), `offline`, or `auto`: openai if a key or base URL is set."),
    known("OPENAI_BASE_URL", text("model.base_url", "https://api.openai.com/v1",
        "Base address of the chat completions endpoint.")),
    secret("model.api_key", "OPENAI_API_KEY", "Key for that endpoint."),
    known("OPENAI_MODEL", text("model.name", "", "Model of every assistant; each assistant's own default if empty.")),
    text("model.fallback", "none",
        "`offline`: answer with the built-in model if the real one fails. `none`: report the failure."),
    number("model.connect_timeout_seconds", "5", "Timeout for connecting to the model, in seconds."),
    number("model.idle_timeout_seconds", "30",
        "Maximum seconds without output from the model, before and during its answer."),
    number("model.text_tokens", "24000",
        "Tokens for showing pasted or attached text to the model in full; it reads longer text piece by piece."),
    text("model.price_input", "",
        "Price of a million input tokens, in your currency; with this and the next setting, usage and evaluations include the cost."),
    text("model.price_output", "", "Price of a million output tokens."),
    text("model.price_cached", "", "Price of a million cached input tokens; the input price if empty."),

    number("limits.turns_in_flight", "20",
        "Turns of one person that may run concurrently on all nodes; turns that wait for an approval do not count."),
    number("limits.tokens_a_person_and_day", "1000000",
        "Tokens per person and day (UTC); 0 for no limit. The offline model is free."),
    number("limits.tokens_a_company_and_day", "10000000",
        "Tokens per company and day (UTC), for all conversations of the company; 0 for no limit."),
    number("limits.connections", "12000", "Maximum number of concurrent connections; further ones are closed."),
    number("limits.storage_megabytes", "2048",
        "Total size of the files of one person, or of one company, in megabytes; 0 for no limit."),
    number("limits.header_seconds", "10", "Seconds for a client to send the headers of a request."),
    number("limits.body_seconds", "30", "Seconds for a client to send the body of a request."),
    number("limits.reader_seconds", "20",
        "Seconds without reading after which a client is disconnected; its turn continues."),

    text("embeddings.folder", "",
        "Folder of the local embedding model; `frontdesk/all-MiniLM-L6-v2` or `frontdesk/use-multilingual` in the user's cache folder if empty."),

    known("OTEL_EXPORTER_OTLP_ENDPOINT", text("telemetry.otlp_endpoint", "",
        "Collector for traces over OTLP/HTTP, e.g. http://localhost:4318; none if empty.")),
    known("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", text("telemetry.otlp_traces_endpoint", "",
        "Full address for traces, if it is not `/v1/traces` below otlp_endpoint.")),
    secret("telemetry.otlp_headers", "OTEL_EXPORTER_OTLP_HEADERS",
        "Headers for the collector: name=value pairs, separated by commas."),
    known("OTEL_EXPORTER_OTLP_PROTOCOL", text("telemetry.otlp_protocol", "http/protobuf",
        "`http/protobuf` or `http/json`.")),
    known("OTEL_EXPORTER_OTLP_TIMEOUT", number("telemetry.otlp_timeout_ms", "10000",
        "Timeout of requests to a collector, in milliseconds. Turns never wait for it.")),
    known("OTEL_SERVICE_NAME", text("telemetry.service_name", "frontdesk",
        "Service name of this installation in traces.")),
    secret("telemetry.langfuse_public_key", "LANGFUSE_PUBLIC_KEY",
        "Langfuse public key; traces are sent to Langfuse if this and the secret key are set."),
    secret("telemetry.langfuse_secret_key", "LANGFUSE_SECRET_KEY", "Langfuse secret key."),
    known("LANGFUSE_BASE_URL", text("telemetry.langfuse_base_url", "https://cloud.langfuse.com",
        "Address of Langfuse.")),
    known("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", flag("telemetry.content", "false",
        "Include the text of people and models in traces. If off, traces contain only ids, names, times and counts.")),

    text("log.level", "info",
        "`error`, `warn`, `info`, `debug` or `trace`, or a filter such as `info,frontdesk=debug`."),
    text("log.format", "text", "`text` for people, `json` for machines."),

    text("manifests.folder", "./assistants.d",
        "Folder of assistants without code: one folder with an assistant.toml for each."),

    secret("mail.smtp_url", "SMTP_URL",
        "SMTP server for invitations and mails about the inbox, e.g. smtps://user:password@mail.example.com, or smtp://user:password@mail.example.com:587?tls=required for STARTTLS."),
    text("mail.from", "Frontdesk <frontdesk@localhost>", "Sender address of mails."),

    text("brand.name", "Frontdesk", "Name of this installation on the page and in mail, at most 40 characters."),
    text("brand.logo", "", "SVG or PNG file with a square logo, at most 256 kB; the built-in bell if empty."),
    text("brand.accent", "",
        "Accent colour of the page, e.g. #0d6b5d. Shades for light and dark mode are derived from it and are always legible."),
];

/// The settings of the platform, the bundled services and the assistants.
pub(super) fn all(declared: &[Setting]) -> impl Iterator<Item = &Setting> {
    let services = frontdesk_services::SETTINGS;
    PLATFORM.iter().chain(services).chain(declared)
}

/// The example file: every setting with its default and description.
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
        "\n# Values of ${NAME} in manifests; the environment comes first.\n\
         # [variables]\n# DESK_TOKEN = \"…\"\n",
    );
    out.push_str(
        "\n# Each assistant's model can be set on its own:\n\
         # [assistant.NAME]\n# model = \"gpt-4o\"\n# temperature = 0.7\n# max_tokens = 1000\n",
    );
    out
}
