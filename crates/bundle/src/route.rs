//! One HTTP operation: its handler and its documentation. The router, the OpenAPI document and the
//! tests use the same list, so they cannot differ.

use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{self, MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};

/// Generates the schema of a type into the document's components.
pub type Shape = fn(&mut SchemaGenerator) -> Schema;

/// An operation with its handler `H`, or only its description if `H` is `()`.
#[derive(Clone)]
pub struct Route<H = ()> {
    pub method: Method,
    pub path: String,
    pub handler: H,
    /// The operation's id in OpenAPI.
    pub id: &'static str,
    pub subject: &'static str,
    pub summary: &'static str,
    pub about: &'static str,
    /// True if the caller must be signed in.
    pub signed_in: bool,
    /// Path parameters that are not ids.
    pub names: Vec<PathName>,
    pub query: Option<Shape>,
    pub headers: Vec<Header>,
    pub takes: Option<RequestBody>,
    pub gives: Vec<ResponseSpec>,
    /// Error statuses beside the common ones.
    pub refuses: &'static [u16],
}

/// An assistant's own operation below `/api/v1`. It requires a sign-in: the handler gets the person
/// as `Extension<Principal>`.
pub type OwnRoute = Route<MethodRouter>;

#[derive(Clone, Copy)]
pub struct PathName {
    pub name: &'static str,
    pub about: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Header {
    IdempotencyKey,
    LastEventId,
}

#[derive(Clone, Copy)]
pub enum RequestBody {
    Json(Shape),
    /// The upload form of a conversation's file.
    Attachment,
    /// The upload form of a collection's documents.
    Files,
}

#[derive(Clone, Copy)]
pub struct ResponseSpec {
    pub status: u16,
    pub about: &'static str,
    pub content: Content,
}

#[derive(Clone, Copy)]
pub enum Content {
    Json(Shape),
    /// Server-sent events of a turn.
    TurnEvents,
    /// Server-sent events of a person's changes.
    PersonEvents,
    /// Server-sent events of an ingestion.
    IngestEvents,
    /// Bytes of these media types.
    File(&'static [&'static str]),
    Nothing,
}

impl<S: Clone + Send + Sync + 'static> Route<MethodRouter<S>> {
    pub fn get<H: Handler<T, S>, T: 'static>(path: &str, handler: H) -> Self {
        Route::described(Method::GET, path).answered_by(routing::get(handler))
    }

    pub fn post<H: Handler<T, S>, T: 'static>(path: &str, handler: H) -> Self {
        Route::described(Method::POST, path).answered_by(routing::post(handler))
    }

    pub fn put<H: Handler<T, S>, T: 'static>(path: &str, handler: H) -> Self {
        Route::described(Method::PUT, path).answered_by(routing::put(handler))
    }

    pub fn patch<H: Handler<T, S>, T: 'static>(path: &str, handler: H) -> Self {
        Route::described(Method::PATCH, path).answered_by(routing::patch(handler))
    }

    pub fn delete<H: Handler<T, S>, T: 'static>(path: &str, handler: H) -> Self {
        Route::described(Method::DELETE, path).answered_by(routing::delete(handler))
    }
}

impl Route {
    /// An operation without a handler.
    pub fn described(method: Method, path: &str) -> Self {
        Self {
            method,
            path: path.to_owned(),
            handler: (),
            id: "",
            subject: "",
            summary: "",
            about: "",
            signed_in: true,
            names: Vec::new(),
            query: None,
            headers: Vec::new(),
            takes: None,
            gives: Vec::new(),
            refuses: &[],
        }
    }
}

impl<H> Route<H> {
    /// Sets the handler.
    pub fn answered_by<G>(self, handler: G) -> Route<G> {
        Route {
            method: self.method,
            path: self.path,
            handler,
            id: self.id,
            subject: self.subject,
            summary: self.summary,
            about: self.about,
            signed_in: self.signed_in,
            names: self.names,
            query: self.query,
            headers: self.headers,
            takes: self.takes,
            gives: self.gives,
            refuses: self.refuses,
        }
    }

    /// Removes the handler.
    pub fn in_words(self) -> Route {
        self.answered_by(())
    }

    pub fn named(self, id: &'static str, subject: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            subject,
            summary,
            ..self
        }
    }

    pub fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Open to everyone, without sign-in. Routes of assistants are never public.
    pub fn public(self) -> Self {
        Self {
            signed_in: false,
            ..self
        }
    }

    /// Declares a path parameter as a text; all others are ids.
    pub fn path_name(mut self, name: &'static str, about: &'static str) -> Self {
        self.names.push(PathName { name, about });
        self
    }

    pub fn query<T: JsonSchema>(self) -> Self {
        Self {
            query: Some(|generator| T::json_schema(generator)),
            ..self
        }
    }

    pub fn header(mut self, header: Header) -> Self {
        self.headers.push(header);
        self
    }

    pub fn takes<T: JsonSchema>(self) -> Self {
        Self {
            takes: Some(RequestBody::Json(|generator| {
                generator.subschema_for::<T>()
            })),
            ..self
        }
    }

    pub fn takes_shape(self, shape: Shape) -> Self {
        Self {
            takes: Some(RequestBody::Json(shape)),
            ..self
        }
    }

    pub fn takes_form(self, form: RequestBody) -> Self {
        Self {
            takes: Some(form),
            ..self
        }
    }

    pub fn gives<T: JsonSchema>(self, status: u16, about: &'static str) -> Self {
        let shape = Content::Json(|generator| generator.subschema_for::<T>());
        self.gives_content(status, about, shape)
    }

    pub fn gives_content(mut self, status: u16, about: &'static str, content: Content) -> Self {
        self.gives.push(ResponseSpec {
            status,
            about,
            content,
        });
        self
    }

    pub fn refuses(self, refuses: &'static [u16]) -> Self {
        Self { refuses, ..self }
    }

    /// Prefixes the path.
    pub fn under(self, prefix: &str) -> Self {
        Self {
            path: format!("{prefix}{}", self.path),
            ..self
        }
    }
}
