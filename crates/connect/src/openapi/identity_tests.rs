//! Names of the acting person.

use super::{Identity, identity, object};
use crate::operation::{Binding, Parameter, ParameterType, Place};

fn found(path: &str, name: &str, place: Place, kind: ParameterType) -> Option<Identity> {
    let parameter = Parameter {
        place: Some(place),
        kind: Some(kind),
        ..Parameter::default()
    };
    identity(path, name, &parameter)
}

fn in_body(path: &str, name: &str) -> Option<Identity> {
    found(path, name, Place::Body, ParameterType::String)
}

#[test]
fn parameters_of_the_acting_person_are_bound() {
    for (path, name, expected) in [
        ("/tickets", "created_by", Binding::PersonName),
        ("/tickets", "createdById", Binding::PersonId),
        ("/tickets", "requester_email", Binding::PersonEmail),
        ("/tickets", "user_id", Binding::PersonId),
        ("/tickets", "userId", Binding::PersonId),
        ("/tickets", "X-User-Email", Binding::PersonEmail),
        ("/tickets", "email", Binding::PersonEmail),
        ("/passes/{id}/approve", "approver", Binding::PersonName),
        ("/users", "created_by", Binding::PersonName),
    ] {
        assert_eq!(
            in_body(path, name),
            Some(Identity::Bound(expected)),
            "{path} {name}"
        );
    }
}

#[test]
fn fields_of_an_entry_about_a_person_stay_free() {
    for (path, name) in [
        ("/users", "email"),
        ("/contacts/{id}", "email"),
        ("/auth/login", "username"),
        ("/tickets", "title"),
        ("/tickets", "ticket_id"),
        ("/tickets", "name"),
    ] {
        assert_eq!(in_body(path, name), None, "{path} {name}");
    }
    let directory = found(
        "/users/{user_id}",
        "user_id",
        Place::Path,
        ParameterType::String,
    );
    assert_eq!(directory, None);
}

#[test]
fn a_person_that_the_server_cannot_fill_in_is_pointed_out() {
    let number = found("/tickets", "user_id", Place::Query, ParameterType::Integer);
    assert_eq!(number, Some(Identity::Doubtful));
    let path = found(
        "/users/{user_id}/tickets",
        "user_id",
        Place::Path,
        ParameterType::String,
    );
    assert_eq!(path, Some(Identity::Doubtful));
}

#[test]
fn an_object_is_named_by_the_parameter_of_its_id() {
    let named = [
        "ticket_id",
        "payeeLocationId",
        "order-uuid",
        "id",
        "uuid",
        "username",
    ]
    .map(object);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        named,
        [
            some("ticket"),
            some("payee location"),
            some("order"),
            None,
            None,
            None
        ]
    );
}
