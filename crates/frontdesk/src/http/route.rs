//! One operation of the API: its handler, and everything the reference says of it. The router and the OpenAPI
//! document are made from the same list, so neither can have what the other lacks.

use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{self, MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::Shared;

/// The schema of a type, written where the document keeps its shapes.
pub(super) type Shape = fn(&mut SchemaGenerator) -> Schema;

pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(super) handler: MethodRouter<Shared>,
    /// The operation's name in programs.
    pub(super) id: &'static str,
    pub(super) subject: &'static str,
    pub(super) summary: &'static str,
    pub(super) about: &'static str,
    /// Whether one must be signed in.
    pub(crate) signed_in: bool,
    pub(super) query: Option<Shape>,
    pub(super) headers: Vec<Header>,
    pub(super) takes: Option<Takes>,
    pub(super) gives: Vec<Gives>,
    /// Statuses of refusals beside those that every such operation may give.
    pub(super) refuses: &'static [u16],
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    IdempotencyKey,
    LastEventId,
}

pub(super) enum Takes {
    Json(Shape),
    /// The upload form.
    Form,
}

pub(super) struct Gives {
    pub(super) status: u16,
    pub(super) about: &'static str,
    pub(super) content: Content,
}

pub(super) enum Content {
    Json(Shape),
    /// Server-sent events of a turn.
    TurnEvents,
    /// Server-sent events of what concerns a person.
    PersonEvents,
    /// Bytes of these kinds.
    File(&'static [&'static str]),
    Nothing,
}

impl Route {
    pub(super) fn get<H: Handler<T, Shared>, T: 'static>(path: &str, handler: H) -> Self {
        Self::new(Method::GET, path, routing::get(handler))
    }

    pub(super) fn post<H: Handler<T, Shared>, T: 'static>(path: &str, handler: H) -> Self {
        Self::new(Method::POST, path, routing::post(handler))
    }

    pub(super) fn put<H: Handler<T, Shared>, T: 'static>(path: &str, handler: H) -> Self {
        Self::new(Method::PUT, path, routing::put(handler))
    }

    pub(super) fn patch<H: Handler<T, Shared>, T: 'static>(path: &str, handler: H) -> Self {
        Self::new(Method::PATCH, path, routing::patch(handler))
    }

    pub(super) fn delete<H: Handler<T, Shared>, T: 'static>(path: &str, handler: H) -> Self {
        Self::new(Method::DELETE, path, routing::delete(handler))
    }

    fn new(method: Method, path: &str, handler: MethodRouter<Shared>) -> Self {
        Self {
            method,
            path: path.to_owned(),
            handler,
            id: "",
            subject: "",
            summary: "",
            about: "",
            signed_in: true,
            query: None,
            headers: Vec::new(),
            takes: None,
            gives: Vec::new(),
            refuses: &[],
        }
    }

    pub(super) fn named(
        self,
        id: &'static str,
        subject: &'static str,
        summary: &'static str,
    ) -> Self {
        Self {
            id,
            subject,
            summary,
            ..self
        }
    }

    pub(super) fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// For everyone, signed in or not.
    pub(super) fn public(self) -> Self {
        Self {
            signed_in: false,
            ..self
        }
    }

    pub(super) fn query<T: JsonSchema>(self) -> Self {
        Self {
            query: Some(|generator| T::json_schema(generator)),
            ..self
        }
    }

    pub(super) fn header(mut self, header: Header) -> Self {
        self.headers.push(header);
        self
    }

    pub(super) fn takes<T: JsonSchema>(self) -> Self {
        Self {
            takes: Some(Takes::Json(|generator| generator.subschema_for::<T>())),
            ..self
        }
    }

    pub(super) fn takes_form(self) -> Self {
        Self {
            takes: Some(Takes::Form),
            ..self
        }
    }

    pub(super) fn gives<T: JsonSchema>(self, status: u16, about: &'static str) -> Self {
        self.gives_content(
            status,
            about,
            Content::Json(|generator| generator.subschema_for::<T>()),
        )
    }

    pub(super) fn gives_content(
        mut self,
        status: u16,
        about: &'static str,
        content: Content,
    ) -> Self {
        self.gives.push(Gives {
            status,
            about,
            content,
        });
        self
    }

    pub(super) fn refuses(self, refuses: &'static [u16]) -> Self {
        Self { refuses, ..self }
    }

    /// The same operation below a common beginning.
    pub(super) fn under(self, prefix: &str) -> Self {
        Self {
            path: format!("{prefix}{}", self.path),
            ..self
        }
    }
}

/// A router of these operations.
pub(super) fn router(routes: Vec<Route>) -> Router<Shared> {
    routes.into_iter().fold(Router::new(), |router, route| {
        router.route(&route.path, route.handler)
    })
}
