//! One operation of the HTTP interface: its handler, and everything the reference says of it. The
//! router, the OpenAPI document and the tests are made from the same list, so none of them can have
//! what another lacks.

use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{self, MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};

/// The schema of a type, written where the document keeps its shapes.
pub type Shape = fn(&mut SchemaGenerator) -> Schema;

/// An operation with what answers it, or, as it is described before anything is set up, without.
#[derive(Clone)]
pub struct Route<H = ()> {
    pub method: Method,
    pub path: String,
    pub handler: H,
    /// The operation's name in programs.
    pub id: &'static str,
    pub subject: &'static str,
    pub summary: &'static str,
    pub about: &'static str,
    /// Whether one must be signed in.
    pub signed_in: bool,
    /// Parts of the path that say something other than an id.
    pub names: Vec<PathName>,
    pub query: Option<Shape>,
    pub headers: Vec<Header>,
    pub takes: Option<RequestBody>,
    pub gives: Vec<ResponseSpec>,
    /// Statuses of refusals beside those that every such operation may give.
    pub refuses: &'static [u16],
}

/// An operation of an assistant's own, below `/api/v1`, for people who signed in: its handler finds
/// them as `Extension<Principal>`.
pub type OwnRoute = Route<MethodRouter>;

/// A part of the path in plain letters.
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
    /// The form of a file beside a conversation.
    Attachment,
    /// The form of documents for a collection.
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
    /// Server-sent events of what concerns a person.
    PersonEvents,
    /// Server-sent events of documents that are taken in.
    IngestEvents,
    /// Bytes of these kinds.
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
    /// An operation that something else will answer.
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
    /// The same with this to answer it.
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

    /// Its words alone.
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

    /// For everyone, signed in or not. Routes of assistants are never public.
    pub fn public(self) -> Self {
        Self {
            signed_in: false,
            ..self
        }
    }

    /// A part of the path that is a text; all others are ids.
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

    /// The same operation below a common beginning.
    pub fn under(self, prefix: &str) -> Self {
        Self {
            path: format!("{prefix}{}", self.path),
            ..self
        }
    }
}
