//! Subscriptions of people to the changes that concern them, indexed by topic: a change wakes only
//! the subscribers it concerns.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_core::access::{CompanyRole, Membership, Principal, Role};
use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::id::{CompanyId, ProfileId};
use tokio::sync::mpsc;

/// Undelivered changes per subscription; a subscriber with more gets a gap.
const CAPACITY: usize = 256;

/// An item of a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    Notice(Arc<ChangeNotice>),
    /// Changes may be missing: read the state again.
    Gap,
}

#[derive(Default)]
pub(super) struct Subscriptions(Mutex<Registry>);

#[derive(Default)]
struct Registry {
    last_id: u64,
    subscribers: HashMap<u64, Subscriber>,
    by_topic: HashMap<Topic, BTreeSet<u64>>,
}

struct Subscriber {
    /// With a superset of the person's companies: an extra one costs a spurious wake-up, a missing
    /// one loses changes.
    who: Principal,
    queue: mpsc::Sender<Delivery>,
    overflowed: Arc<AtomicBool>,
}

/// A key by which changes find their subscribers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Topic {
    Person(ProfileId),
    Company(CompanyId),
    Role(Role),
    Address(String),
}

/// A person's subscription; dropping it unsubscribes.
pub struct Subscription {
    subscriptions: Arc<Subscriptions>,
    id: u64,
    queue: mpsc::Receiver<Delivery>,
    overflowed: Arc<AtomicBool>,
}

impl Subscription {
    pub async fn next(&mut self) -> Delivery {
        let Some(delivery) = self.queue.recv().await else {
            // The registry, which this subscription shares, holds the sender.
            return std::future::pending().await;
        };
        if delivery == Delivery::Gap || self.overflowed.swap(false, Ordering::AcqRel) {
            // Reading the state again covers what is still queued.
            while self.queue.try_recv().is_ok() {}
            return Delivery::Gap;
        }
        delivery
    }

    /// Subscribes to the changes of these companies as well.
    pub fn add_companies(&self, companies: &[Membership]) {
        let mut registry = self.subscriptions.registry();
        for membership in companies {
            registry.join(self.id, membership.company);
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.subscriptions.registry().remove(self.id);
    }
}

impl Subscriptions {
    pub(super) fn add(self: &Arc<Self>, who: &Principal) -> Subscription {
        let (sender, queue) = mpsc::channel(CAPACITY);
        let overflowed = Arc::<AtomicBool>::default();
        let subscriber = Subscriber {
            who: who.clone(),
            queue: sender,
            overflowed: Arc::clone(&overflowed),
        };
        Subscription {
            subscriptions: Arc::clone(self),
            id: self.registry().add(subscriber),
            queue,
            overflowed,
        }
    }

    pub(super) fn deliver(&self, notice: ChangeNotice) {
        self.registry().deliver(notice);
    }

    pub(super) fn report_gap(&self) {
        for subscriber in self.registry().subscribers.values() {
            subscriber.send(Delivery::Gap);
        }
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber {
    fn send(&self, delivery: Delivery) {
        if self.queue.try_send(delivery).is_err() {
            self.overflowed.store(true, Ordering::Release);
        }
    }
}

impl Registry {
    fn add(&mut self, subscriber: Subscriber) -> u64 {
        self.last_id += 1;
        for topic in topics_of(&subscriber.who) {
            self.by_topic.entry(topic).or_default().insert(self.last_id);
        }
        self.subscribers.insert(self.last_id, subscriber);
        self.last_id
    }

    fn remove(&mut self, id: u64) {
        if let Some(subscriber) = self.subscribers.remove(&id) {
            for topic in topics_of(&subscriber.who) {
                self.remove_topic(&topic, id);
            }
        }
    }

    /// A membership counts before its notice if the person joined, and after it if they left.
    fn deliver(&mut self, notice: ChangeNotice) {
        let membership = match &notice {
            ChangeNotice::Membership {
                profile,
                company,
                joined,
            } => Some((Topic::Person(*profile), *company, *joined)),
            ChangeNotice::Conversation { .. }
            | ChangeNotice::Approval { .. }
            | ChangeNotice::Presence { .. }
            | ChangeNotice::Invitation { .. } => None,
        };
        if let Some((person, company, true)) = &membership {
            for id in self.ids(person) {
                self.join(id, *company);
            }
        }
        let notice = Arc::new(notice);
        let ids: BTreeSet<u64> = topics(&notice)
            .iter()
            .flat_map(|topic| self.ids(topic))
            .collect();
        for id in ids {
            if let Some(subscriber) = self.subscribers.get(&id)
                && notice.concerns(&subscriber.who)
            {
                subscriber.send(Delivery::Notice(Arc::clone(&notice)));
            }
        }
        if let Some((person, company, false)) = &membership {
            for id in self.ids(person) {
                self.leave(id, *company);
            }
        }
    }

    fn ids(&self, topic: &Topic) -> Vec<u64> {
        let ids = self.by_topic.get(topic).into_iter().flatten();
        ids.copied().collect()
    }

    fn join(&mut self, id: u64, company: CompanyId) {
        let Some(subscriber) = self.subscribers.get_mut(&id) else {
            return;
        };
        if subscriber.who.is_member_of(company) {
            return;
        }
        let mut companies = subscriber.who.companies().to_vec();
        companies.push(Membership {
            company,
            standing: CompanyRole::Member,
        });
        subscriber.who = subscriber.who.clone().with_companies(companies);
        let topic = Topic::Company(company);
        self.by_topic.entry(topic).or_default().insert(id);
    }

    fn leave(&mut self, id: u64, company: CompanyId) {
        let Some(subscriber) = self.subscribers.get_mut(&id) else {
            return;
        };
        let mut companies = subscriber.who.companies().to_vec();
        companies.retain(|membership| membership.company != company);
        subscriber.who = subscriber.who.clone().with_companies(companies);
        self.remove_topic(&Topic::Company(company), id);
    }

    fn remove_topic(&mut self, topic: &Topic, id: u64) {
        if let Some(ids) = self.by_topic.get_mut(topic) {
            ids.remove(&id);
            if ids.is_empty() {
                self.by_topic.remove(topic);
            }
        }
    }
}

fn topics_of(who: &Principal) -> Vec<Topic> {
    let companies = who.companies().iter();
    let mut topics = vec![Topic::Person(who.profile())];
    topics.extend(companies.map(|membership| Topic::Company(membership.company)));
    topics.extend(who.roles().iter().cloned().map(Topic::Role));
    topics.extend(who.email().map(address));
    topics
}

/// Everyone whom the notice concerns has one of these topics.
fn topics(notice: &ChangeNotice) -> Vec<Topic> {
    match notice {
        ChangeNotice::Conversation { owner, company, .. } => {
            let company = company.map(Topic::Company);
            std::iter::once(Topic::Person(*owner))
                .chain(company)
                .collect()
        }
        ChangeNotice::Approval {
            requester,
            company,
            approvers,
            ..
        } => {
            let mut topics = vec![Topic::Person(*requester)];
            match company {
                Some(company) => topics.push(Topic::Company(*company)),
                None => topics.extend(approvers.iter().cloned().map(Topic::Role)),
            }
            topics
        }
        ChangeNotice::Membership {
            profile, company, ..
        } => vec![Topic::Person(*profile), Topic::Company(*company)],
        ChangeNotice::Presence { company, .. } => vec![Topic::Company(*company)],
        ChangeNotice::Invitation { email, .. } => vec![address(email)],
    }
}

/// Addresses are compared without regard to case.
fn address(email: &str) -> Topic {
    Topic::Address(email.to_ascii_lowercase())
}

#[cfg(test)]
#[path = "subscriptions_tests.rs"]
mod subscriptions_tests;
