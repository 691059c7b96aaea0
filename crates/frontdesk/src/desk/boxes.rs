//! Boxes for news: each listener has one, kept by what its person wants to hear of, so that a piece
//! of news wakes those whom it concerns and nobody else.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_core::access::{Membership, Principal, Role, Standing};
use frontdesk_core::id::{CompanyId, ProfileId};
use frontdesk_core::news::News;
use frontdesk_store::Heard;
use tokio::sync::Notify;

/// News that may lie in a box; whoever has more must look at everything again.
const ROOM: usize = 256;

#[derive(Default)]
pub(super) struct Boxes(Mutex<Rack>);

#[derive(Default)]
struct Rack {
    last: u64,
    listeners: HashMap<u64, Listener>,
    by_topic: HashMap<Topic, BTreeSet<u64>>,
}

struct Listener {
    /// In every company that the person may be in: too many wake it in vain, too few would not.
    who: Principal,
    letters: Arc<Letters>,
}

/// What news can be about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Topic {
    Person(ProfileId),
    Company(CompanyId),
    Role(Role),
    Address(String),
}

#[derive(Default)]
struct Letters {
    inside: Mutex<Inside>,
    arrived: Notify,
}

#[derive(Default)]
struct Inside {
    news: VecDeque<Arc<News>>,
    gap: bool,
}

/// One listener's own; it is given up when this is dropped.
pub struct NewsBox {
    boxes: Arc<Boxes>,
    id: u64,
    letters: Arc<Letters>,
}

impl NewsBox {
    /// What came first of what was not heard yet.
    pub async fn next(&mut self) -> Heard {
        loop {
            if let Some(heard) = self.letters.take() {
                return heard;
            }
            self.letters.arrived.notified().await;
        }
    }

    /// The person is in these companies, too. What happens there from now on is heard.
    pub fn hear_of(&self, companies: &[Membership]) {
        let mut rack = self.boxes.rack();
        for membership in companies {
            rack.join(self.id, membership.company);
        }
    }
}

impl Drop for NewsBox {
    fn drop(&mut self) {
        self.boxes.rack().close(self.id);
    }
}

impl Boxes {
    pub(super) fn open(self: &Arc<Self>, who: &Principal) -> NewsBox {
        let letters = Arc::<Letters>::default();
        let listener = Listener {
            who: who.clone(),
            letters: Arc::clone(&letters),
        };
        NewsBox {
            boxes: Arc::clone(self),
            id: self.rack().open(listener),
            letters,
        }
    }

    pub(super) fn pass_on(&self, heard: &Heard) {
        let mut rack = self.rack();
        match heard {
            Heard::News(news) => rack.pass_on(news),
            Heard::Gap => {
                for listener in rack.listeners.values() {
                    listener.letters.lose_track();
                }
            }
        }
    }

    fn rack(&self) -> MutexGuard<'_, Rack> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rack {
    fn open(&mut self, listener: Listener) -> u64 {
        self.last += 1;
        for topic in topics_of(&listener.who) {
            self.by_topic.entry(topic).or_default().insert(self.last);
        }
        self.listeners.insert(self.last, listener);
        self.last
    }

    fn close(&mut self, id: u64) {
        if let Some(listener) = self.listeners.remove(&id) {
            for topic in topics_of(&listener.who) {
                self.forget(&topic, id);
            }
        }
    }

    fn pass_on(&mut self, news: &News) {
        // Whatever follows in a company that somebody has just joined concerns them already.
        if let News::Membership {
            profile,
            company,
            joined: true,
        } = news
        {
            for id in self.of(&Topic::Person(*profile)) {
                self.join(id, *company);
            }
        }
        let news = Arc::new(news.clone());
        let about: BTreeSet<u64> = topics(&news)
            .iter()
            .flat_map(|topic| self.of(topic))
            .collect();
        for id in about {
            if let Some(listener) = self.listeners.get(&id)
                && news.concerns(&listener.who)
            {
                listener.letters.put(Arc::clone(&news));
            }
        }
        if let News::Membership {
            profile,
            company,
            joined: false,
        } = &*news
        {
            for id in self.of(&Topic::Person(*profile)) {
                self.leave(id, *company);
            }
        }
    }

    fn of(&self, topic: &Topic) -> Vec<u64> {
        let found = self.by_topic.get(topic).into_iter().flatten();
        found.copied().collect()
    }

    fn join(&mut self, id: u64, company: CompanyId) {
        let Some(listener) = self.listeners.get_mut(&id) else {
            return;
        };
        if listener.who.is_member_of(company) {
            return;
        }
        let mut companies = listener.who.companies().to_vec();
        companies.push(Membership {
            company,
            standing: Standing::Member,
        });
        listener.who = listener.who.clone().with_companies(companies);
        let topic = Topic::Company(company);
        self.by_topic.entry(topic).or_default().insert(id);
    }

    fn leave(&mut self, id: u64, company: CompanyId) {
        let Some(listener) = self.listeners.get_mut(&id) else {
            return;
        };
        let mut companies = listener.who.companies().to_vec();
        companies.retain(|membership| membership.company != company);
        listener.who = listener.who.clone().with_companies(companies);
        self.forget(&Topic::Company(company), id);
    }

    fn forget(&mut self, topic: &Topic, id: u64) {
        if let Some(ids) = self.by_topic.get_mut(topic) {
            ids.remove(&id);
            if ids.is_empty() {
                self.by_topic.remove(topic);
            }
        }
    }
}

impl Letters {
    fn put(&self, news: Arc<News>) {
        let mut inside = self.inside();
        if inside.news.len() < ROOM {
            inside.news.push_back(news);
        } else {
            inside.gap = true;
        }
        self.arrived.notify_one();
    }

    fn lose_track(&self) {
        self.inside().gap = true;
        self.arrived.notify_one();
    }

    fn take(&self) -> Option<Heard> {
        let mut inside = self.inside();
        if std::mem::take(&mut inside.gap) {
            // Whoever looks at everything sees what these were about.
            inside.news.clear();
            return Some(Heard::Gap);
        }
        let news = inside.news.pop_front()?;
        Some(Heard::News(Arc::unwrap_or_clone(news)))
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Under which a person is found.
fn topics_of(who: &Principal) -> Vec<Topic> {
    let companies = who.companies().iter();
    let mut topics = vec![Topic::Person(who.profile())];
    topics.extend(companies.map(|membership| Topic::Company(membership.company)));
    topics.extend(who.roles().iter().cloned().map(Topic::Role));
    topics.extend(who.email().map(address));
    topics
}

/// Whom [`News::concerns`] is found under one of these.
fn topics(news: &News) -> Vec<Topic> {
    match news {
        News::Conversation { owner, company, .. } => {
            let company = company.map(Topic::Company);
            std::iter::once(Topic::Person(*owner))
                .chain(company)
                .collect()
        }
        News::Approval {
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
        News::Membership {
            profile, company, ..
        } => vec![Topic::Person(*profile), Topic::Company(*company)],
        News::Invitation { email, .. } => vec![address(email)],
    }
}

/// Addresses are compared without regard to case.
fn address(email: &str) -> Topic {
    Topic::Address(email.to_ascii_lowercase())
}

#[cfg(test)]
#[path = "boxes_tests.rs"]
mod boxes_tests;
