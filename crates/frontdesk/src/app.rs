//! The running application: everything that lives as long as the process.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::Router;
use frontdesk_bundle::{
    Bundle, DemoData, DemoDocuments, Import, OwnRoute, Procedure, RequiredSystem, SetupContext,
    SetupError, TraceNames,
};
use frontdesk_connect::TokenSources;
use frontdesk_connect::manifest::{SetUp, Variables};
use frontdesk_core::access::Principal;
use frontdesk_core::artifact::{EditArtifact, ExportArtifact};
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation_api::ConversationApi;
use frontdesk_core::env::Env;
use frontdesk_core::model::Model;
use frontdesk_core::persona::Persona;
use frontdesk_core::search::Search;
use frontdesk_core::store::StoreError;
use frontdesk_core::subject::Subjects;
use frontdesk_db::{Claims, Db, DbError, MigrationSet, PostgresOptions, SqliteOptions};
use frontdesk_models::Fallback as FallbackModel;
use frontdesk_models::openai::{OpenAi, OpenAiSettings, Timeouts};
use frontdesk_offline::OfflineModel;
use frontdesk_services::StatusReport;
use frontdesk_store::{Appliers, ApplyChange, Store};
use secrecy::{ExposeSecret, SecretString};

use crate::brand::Brand;
use crate::config::{Config, Fallback, IdentitySource, ModelOverride, Provider};
use crate::conversation_api::LateBoundApi;
use crate::identity::{self, KeySet, SignInClient, Tokens, Verified};
use crate::inbox::InboxSources;
use crate::knowledge_base::{KnowledgeBase, local_embedder};
use crate::mail::Mailer;
use crate::manifests::{self, Manifests};
use crate::people_seen::PeopleSeen;
use crate::runtime::{Rules, Runtime, RuntimeParts};
use crate::services::{self, Reach};
use crate::system_env::SystemEnv;
use crate::text_search::ObjectSearches;
use crate::trace::export::Exporter;
use crate::trace::tracer::Tracing;

const DATABASE_FILE: &str = "frontdesk.db";
/// Time limit for flushing traces on shutdown.
const LAST_TRACES: Duration = Duration::from_secs(1);
/// The role that the platform's own statements (signing in, lease scans) run as.
const WORKER_ROLE: &str = "fd_worker";

/// Builds the assistants; the product's own are [`frontdesk_assistants::all`].
pub type MakeBundles = fn(&SetupContext) -> Result<Vec<Bundle>, SetupError>;

pub struct App {
    pub config: Config,
    pub db: Db,
    pub runtime: Runtime,
    pub knowledge_base: Arc<KnowledgeBase>,
    pub env: Arc<dyn Env>,
    /// The assistant of a conversation that names none.
    pub default_assistant: String,
    /// Signs and checks this installation's tokens.
    pub tokens: Arc<Tokens>,
    /// `None` when no issuer offers a sign-in page.
    pub sign_in: Option<Arc<SignInClient>>,
    pub exports: BTreeMap<String, ExportArtifact>,
    pub edits: BTreeMap<String, EditArtifact>,
    pub services: Router,
    pub service_reports: Vec<(&'static str, StatusReport)>,
    /// Systems that the assistants need.
    pub systems: Vec<RequiredSystem>,
    /// Routes of assistants, under `/api/v1`. The caller must be signed in; the handler finds the
    /// principal in the request's extensions.
    pub routes: Vec<OwnRoute>,
    pub procedures: BTreeMap<&'static str, Procedure>,
    pub imports: BTreeMap<String, Arc<dyn Import>>,
    pub inbox: InboxSources,
    /// Assistants that manifests define.
    pub manifests: Arc<Manifests>,
    pub searches: ObjectSearches,
    /// `None` when no SMTP server is configured.
    pub mailer: Option<Arc<Mailer>>,
    pub brand: Brand,
    pub people_seen: PeopleSeen,
    pub model_retries: Arc<AtomicU64>,
}

impl App {
    /// Opens the database, migrates its schema and sets up every assistant.
    pub async fn open(
        config: Config,
        assistants: MakeBundles,
        reach: Reach,
    ) -> anyhow::Result<App> {
        App::open_in(Arc::new(SystemEnv), config, assistants, reach).await
    }

    /// [`Self::open`] with the caller's clock.
    pub async fn open_in(
        env: Arc<dyn Env>,
        config: Config,
        assistants: MakeBundles,
        reach: Reach,
    ) -> anyhow::Result<App> {
        Box::pin(App::open_with_model(env, config, assistants, reach, None)).await
    }

    /// [`Self::open_in`] with the caller's model instead of the configured one.
    pub async fn open_with_model(
        env: Arc<dyn Env>,
        config: Config,
        assistants: MakeBundles,
        reach: Reach,
        own_model: Option<Arc<dyn Model>>,
    ) -> anyhow::Result<App> {
        let (db, own_db) = Box::pin(databases(&config)).await?;
        let tokens = Arc::new(tokens(&config, &env)?);
        let sign_in = sign_in(&config, &env)?;
        let sets = std::iter::once(Store::migrations()).chain(services::migrations());
        db.migrate(&sets.collect::<Vec<_>>()).await?;
        let services = services::build(&config, &own_db, &tokens, &env, reach).await?;
        let embedder = local_embedder(&config);
        let knowledge_base = Arc::new(KnowledgeBase::open(&config, embedder)?);
        let front = Arc::new(LateBoundApi::default());
        let bundles = assistants(&SetupContext {
            db: db.clone(),
            settings: config.assistants.clone(),
            public_url: config.server.public_url.clone(),
            env: Arc::clone(&env),
            services: services.addresses,
            service_tokens: services::mint(Arc::clone(&tokens), Arc::clone(&env)),
            person_tokens: services::person_tokens(Arc::clone(&tokens), Arc::clone(&env)),
            search: Arc::clone(&knowledge_base) as Arc<dyn Search>,
            conversation_api: Arc::clone(&front) as Arc<dyn ConversationApi>,
        })?;
        migrate_assistants(&db, &bundles).await?;
        let merged = MergedBundles::from_bundles(bundles, &config);
        if config.demo.is_on() {
            knowledge_base.add_demo(merged.documents);
        }
        let store = store(&db, &config, merged.appliers);
        let model_retries = Arc::<AtomicU64>::default();
        let parts = RuntimeParts {
            model: match own_model {
                Some(model) => model,
                None => model(&config, &model_retries)?,
            },
            store,
            env: Arc::clone(&env),
            rules: rules(&config),
            tracing: tracing_for(&config, merged.traces)?,
            subjects: merged.subjects,
        };
        let set_up = manifest_set_up(&config, &env, &tokens, &knowledge_base);
        let manifests = Manifests::new(&config, set_up, merged.assistants, merged.personas);
        let manifests = Arc::new(manifests);
        manifests::log(&manifests.read());
        let runtime = Runtime::new(manifests.installed(), parts);
        front.open(&runtime);
        if config.demo.is_on() {
            create_demo_data(&runtime, &env, merged.demo_data).await?;
        }
        Ok(App {
            mailer: Mailer::new(&config.mail, &config.brand.name)?.map(Arc::new),
            brand: Brand::load(&config.brand)?,
            people_seen: PeopleSeen::default(),
            config,
            db,
            runtime,
            knowledge_base,
            env,
            default_assistant: merged.default_assistant,
            tokens,
            sign_in,
            exports: merged.exports,
            edits: merged.edits,
            services: services.router,
            service_reports: services.reports,
            systems: merged.systems,
            routes: merged.routes,
            imports: merged.imports,
            inbox: merged.inbox,
            manifests,
            searches: merged.searches,
            procedures: by_name(merged.procedures)?,
            model_retries,
        })
    }

    pub async fn persona(&self, name: &str) -> anyhow::Result<Principal> {
        if !self.config.personas_allowed() {
            bail!(
                "demo people can sign in only in demo mode: on a loopback address, with no token secret, issuer or DATABASE_URL configured"
            );
        }
        let installed = self.runtime.installed();
        let personas = installed.personas();
        let Some(persona) = personas.iter().find(|persona| persona.name == name) else {
            let names: Vec<&str> = personas.iter().map(|one| one.name.as_ref()).collect();
            bail!(
                "there is no demo person named {name}; there are {}",
                names.join(", ")
            );
        };
        let store = self.runtime.store();
        Ok(identity::sign_in_persona(store, self.env.as_ref(), persona).await?)
    }

    /// The person of a verified token, with the roles that are known here.
    pub async fn signed_in(&self, verified: Verified) -> Result<Principal, StoreError> {
        let installed = self.runtime.installed();
        let (store, env) = (self.runtime.store(), self.env.as_ref());
        let who = identity::sign_in_token(store, env, installed.roles(), verified).await?;
        self.people_seen.record(&who, env.now());
        Ok(who)
    }

    pub async fn check_database(&self) -> Result<(), DbError> {
        let claims = Claims::none();
        let answer = self.db.read(&claims, |tx| {
            Box::pin(async move { tx.row("SELECT 1 AS one", &[]).await })
        });
        answer.await.map(drop)
    }

    /// Indexes the demo documents in the background, so that the first search need not wait.
    pub fn warm_up(&self) {
        let knowledge_base = Arc::clone(&self.knowledge_base);
        tokio::spawn(async move {
            if let Err(error) = knowledge_base.index_demo().await {
                tracing::warn!("the demo documents could not be indexed: {error}");
            }
        });
    }

    /// Drains the workers, then closes the database.
    pub async fn close(&self) {
        self.runtime.drain(std::time::Duration::from_secs(5)).await;
        self.runtime.tracer().flush(LAST_TRACES).await;
        self.db.clone().close().await;
    }
}

#[derive(Default)]
struct MergedBundles {
    default_assistant: String,
    assistants: Vec<Arc<Assistant>>,
    appliers: Vec<(String, Arc<dyn ApplyChange>)>,
    personas: Vec<Persona>,
    exports: BTreeMap<String, ExportArtifact>,
    edits: BTreeMap<String, EditArtifact>,
    routes: Vec<OwnRoute>,
    procedures: Vec<Procedure>,
    documents: Vec<DemoDocuments>,
    demo_data: Vec<(Persona, Arc<dyn DemoData>)>,
    imports: BTreeMap<String, Arc<dyn Import>>,
    inbox: InboxSources,
    searches: ObjectSearches,
    traces: BTreeMap<String, TraceNames>,
    subjects: BTreeMap<String, Arc<dyn Subjects>>,
    systems: Vec<RequiredSystem>,
}

impl MergedBundles {
    fn from_bundles(bundles: Vec<Bundle>, config: &Config) -> Self {
        let mut merged = Self {
            default_assistant: bundles
                .iter()
                .find(|bundle| bundle.is_default)
                .or(bundles.first())
                .map_or_else(String::new, |bundle| bundle.assistant.name.to_string()),
            ..Self::default()
        };
        for bundle in bundles {
            let name = bundle.assistant.name.to_string();
            merged.routes.extend(bundle.routes);
            if let Some(export) = bundle.export {
                merged.exports.insert(name.clone(), export);
            }
            if let Some(edit) = bundle.edit {
                merged.edits.insert(name.clone(), edit);
            }
            let appliers = bundle.appliers.into_iter();
            merged
                .appliers
                .extend(appliers.map(|(kind, applier)| (kind.to_owned(), applier)));
            if let (Some(data), Some(persona)) = (bundle.demo_data, bundle.personas.first()) {
                merged.demo_data.push((persona.clone(), data));
            }
            if let Some(import) = bundle.import {
                merged.imports.insert(name.clone(), import);
            }
            if let Some(source) = bundle.inbox {
                merged.inbox.insert(name.clone(), source);
            }
            if let Some(search) = bundle.search {
                merged.searches.insert(name.clone(), search);
            }
            merged.personas.extend(bundle.personas);
            merged.procedures.extend(bundle.procedures);
            merged.traces.insert(name.clone(), bundle.trace);
            let subjects = bundle.subjects.map(|found| (name, found));
            merged.subjects.extend(subjects);
            merged.documents.extend(bundle.demo_documents);
            merged.systems.extend(bundle.systems);
            merged
                .assistants
                .push(Arc::new(with_overrides(bundle.assistant, config)));
        }
        merged
    }
}

fn manifest_set_up(
    config: &Config,
    env: &Arc<dyn Env>,
    tokens: &Arc<Tokens>,
    knowledge_base: &Arc<KnowledgeBase>,
) -> SetUp {
    SetUp {
        env: Arc::clone(env),
        tokens: TokenSources {
            mint: services::mint(Arc::clone(tokens), Arc::clone(env)),
            person: services::person_tokens(Arc::clone(tokens), Arc::clone(env)),
        },
        search: Arc::clone(knowledge_base) as Arc<dyn Search>,
        inherited: config.manifests.inherited(),
        variables: variables(config),
        model: config.model.name.clone(),
    }
}

fn variables(config: &Config) -> Variables {
    let variables = Arc::clone(&config.manifests.variables);
    Arc::new(move |name| {
        let value = variables.get(name)?;
        Some(value.expose_secret().to_owned())
    })
}

/// Creates the tables of the assistants. The store's hooks restrict the rights on them as well.
async fn migrate_assistants(db: &Db, bundles: &[Bundle]) -> anyhow::Result<()> {
    let sets: Vec<MigrationSet> = std::iter::once(Store::migrations())
        .chain(bundles.iter().filter_map(|bundle| bundle.migrations))
        .collect();
    Ok(db.migrate(&sets).await?)
}

fn store(db: &Db, config: &Config, appliers: Vec<(String, Arc<dyn ApplyChange>)>) -> Store {
    let quota = config.limits.storage_bytes.unwrap_or(u64::MAX);
    let store = Store::new(db.clone(), Appliers::new(appliers)).with_attachment_quota(quota);
    warm_up_connection(&store);
    store
}

/// Each assistant adds its demo data as its first persona.
async fn create_demo_data(
    runtime: &Runtime,
    env: &Arc<dyn Env>,
    data: Vec<(Persona, Arc<dyn DemoData>)>,
) -> anyhow::Result<()> {
    for (persona, data) in data {
        let who = identity::sign_in_persona(runtime.store(), env.as_ref(), &persona).await?;
        data.bring(&who)
            .await
            .map_err(|cause| anyhow::anyhow!("the demo data could not be created: {cause}"))?;
    }
    Ok(())
}

fn by_name(procedures: Vec<Procedure>) -> anyhow::Result<BTreeMap<&'static str, Procedure>> {
    let mut named = BTreeMap::new();
    for procedure in procedures {
        let name = procedure.name;
        if named.insert(name, procedure).is_some() {
            bail!("two assistants have a procedure named {name}");
        }
    }
    Ok(named)
}

pub(crate) fn tokens(config: &Config, env: &Arc<dyn Env>) -> anyhow::Result<Tokens> {
    let auth = &config.auth;
    let audience = auth.audience.clone();
    Ok(match &auth.source {
        IdentitySource::Local => {
            Tokens::with_secret(local_secret(&config.data_dir)?, None, audience)
        }
        IdentitySource::Secret { secret, issuer } => {
            Tokens::with_secret(secret.clone(), issuer.clone(), audience)
        }
        IdentitySource::Keys { url, issuer } => {
            let keys = KeySet::new(url, Arc::clone(env))?;
            let local = local_secret(&config.data_dir)?;
            Tokens::with_keys(local, issuer.clone(), audience, keys)
        }
    })
}

fn local_secret(data_dir: &Path) -> anyhow::Result<SecretString> {
    make_data_dir(data_dir)?;
    identity::local_secret(data_dir).with_context(|| {
        format!(
            "cannot read or write the token secret in {}",
            data_dir.display()
        )
    })
}

/// `None` unless the issuer has a sign-in page.
fn sign_in(config: &Config, env: &Arc<dyn Env>) -> anyhow::Result<Option<Arc<SignInClient>>> {
    let Some(client) = &config.auth.client else {
        return Ok(None);
    };
    let client = SignInClient::new(client.clone(), Arc::clone(env))?;
    Ok(Some(Arc::new(client)))
}

fn rules(config: &Config) -> Rules {
    Rules {
        lease: config.server.lease,
        replay: config.server.replay,
        turns_in_flight: config.limits.turns_in_flight,
        budget: config.budget(),
        text_tokens: config.model.text_tokens,
    }
}

/// Opens the configured database without touching its schema.
pub async fn open_database(config: &Config) -> anyhow::Result<Db> {
    let db = match &config.database.url {
        Some(url) => {
            let options = PostgresOptions {
                pool_size: config.database.pool_size,
                pool_wait: config.database.wait,
                app_role: Some(config.database.app_role.clone()),
                system_role: Some(WORKER_ROLE.to_owned()),
                schema: Some(config.database.schema.clone()),
                ..PostgresOptions::default()
            };
            Db::connect_postgres(url, options).await?
        }
        None => {
            make_data_dir(&config.data_dir)?;
            let path = config.data_dir.join(DATABASE_FILE);
            Db::open_sqlite(&path, SqliteOptions::default()).await?
        }
    };
    Ok(db)
}

/// Local files (keys, embedded index) live in the data folder with either database.
pub(crate) fn make_data_dir(data_dir: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(data_dir).with_context(|| {
        format!(
            "cannot create the data folder {}; set FRONTDESK_DATA_DIR to a folder you can write to",
            data_dir.display()
        )
    })
}

/// Runs in the background while the rest is set up.
fn warm_up_connection(store: &Store) {
    let store = store.clone();
    tokio::spawn(async move { store.warm_up().await });
}

/// The product's database and the bundled services' own pool, opened concurrently.
async fn databases(config: &Config) -> anyhow::Result<(Db, Db)> {
    if config.database.url.is_none() {
        let db = open_database(config).await?;
        return Ok((db.clone(), db));
    }
    tokio::try_join!(open_database(config), services_database(config))
}

/// Bundled services are separate systems. On PostgreSQL they have their own pool, without the roles
/// of user transactions.
pub(crate) async fn services_database(config: &Config) -> anyhow::Result<Db> {
    match &config.database.url {
        Some(url) => {
            let options = PostgresOptions {
                schema: Some(config.database.schema.clone()),
                ..PostgresOptions::default()
            };
            Ok(Db::connect_postgres(url, options).await?)
        }
        None => open_database(config).await,
    }
}

fn with_overrides(mut assistant: Assistant, config: &Config) -> Assistant {
    if let Some(name) = &config.model.name {
        assistant.model.model.clone_from(name);
    }
    if let Some(ModelOverride {
        model,
        temperature,
        max_tokens,
    }) = config.overrides.get(assistant.name.as_ref())
    {
        if let Some(model) = model {
            assistant.model.model.clone_from(model);
        }
        assistant.model.temperature = temperature.or(assistant.model.temperature);
        assistant.model.max_tokens = max_tokens.or(assistant.model.max_tokens);
    }
    assistant
}

fn tracing_for(config: &Config, names: BTreeMap<String, TraceNames>) -> anyhow::Result<Tracing> {
    let targets = config.telemetry.targets.iter();
    let exporters: Result<Vec<Exporter>, _> = targets.cloned().map(Exporter::start).collect();
    Ok(Tracing {
        exporters: exporters.context("traces cannot be sent")?,
        content: config.telemetry.content,
        provider: match config.model.provider {
            Provider::Offline => "frontdesk.offline",
            Provider::OpenAi => "openai",
        },
        names,
    })
}

fn model(config: &Config, retried: &Arc<AtomicU64>) -> anyhow::Result<Arc<dyn Model>> {
    let offline = || Arc::new(OfflineModel::default());
    if config.model.provider == Provider::Offline {
        return Ok(offline());
    }
    let openai = Arc::new(OpenAi::new(OpenAiSettings {
        base_url: config.model.base_url.clone(),
        api_key: config.model.api_key.clone(),
        timeouts: Timeouts {
            connect: config.model.connect_timeout,
            head: config.model.idle_timeout,
            idle: config.model.idle_timeout,
        },
        retried: Arc::clone(retried),
        ..OpenAiSettings::default()
    })?);
    Ok(match config.model.fallback {
        Fallback::None => openai,
        Fallback::Offline => Arc::new(FallbackModel {
            first: openai,
            second: offline(),
        }),
    })
}
