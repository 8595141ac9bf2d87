//! Things, options and events in words. A name is quoted; a nameless thing is described by its class and
//! what the program says describes it; a second thing of one name or description is `#2`.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::ask::eyes::Names;
use crate::position::set::{Set, ThingId};
use crate::position::value::Value;

impl Eval<'_> {
    /// A thing in words, distinct from every other thing that exists.
    pub(crate) fn thing_words(&self, thing: ThingId) -> String {
        match self.names {
            None => self.thing_words_at(thing, 0),
            Some(Names::Listed(list)) => match list.get(thing.index()) {
                Some(words) => words.clone(),
                // What a submission calls a thing and is none.
                None => self.class_word(thing).to_string(),
            },
            Some(Names::Told(seat)) => self.told_words(seat, thing, 0),
        }
    }

    fn thing_words_at(&self, thing: ThingId, depth: u8) -> String {
        let (stem, ordinal) = self.thing_key(thing, depth);
        if ordinal > 1 { format!("{stem} #{ordinal}") } else { stem }
    }

    fn thing_key(&self, thing: ThingId, depth: u8) -> (String, usize) {
        let link = self.link;
        if let Some(given) = link.table.given.get(thing.index())
            && let Some(name) = given.name
        {
            let called = format!("\"{}\"", link.table.name(&link.program, name));
            // Of different cards that share a name, each is told by its id.
            return match given.card.filter(|_| given.shared) {
                Some(card) => (format!("{called} {}", link.program.card(card).id), usize::from(given.copy)),
                None => (called, usize::from(given.namesake)),
            };
        }
        let class = self.state.class_of(thing);
        let mut same = 1;
        let mine = self.description(thing);
        for t in 0..thing.index() {
            let t = ThingId::from_index(t);
            if self.state.class_of(t) == class
                && self.state.exists(&link.layout, t)
                && !self.is_named(t)
                && self.description(t) == mine
            {
                same += 1;
            }
        }
        let class = self.class_word(thing);
        match mine {
            Some(by) if depth < 3 => (format!("{class} {}", self.thing_words_at(by, depth + 1)), same),
            _ => (class.to_string(), same),
        }
    }

    fn is_named(&self, thing: ThingId) -> bool {
        self.link.table.given.get(thing.index()).is_some_and(|g| g.name.is_some())
    }

    /// The thing by which a nameless one is described.
    pub(crate) fn description(&self, thing: ThingId) -> Option<ThingId> {
        let class = self.state.class_of(thing)?;
        let attr = self.link.program.services.described.iter().find(|d| d.0 == class)?.1;
        let mut set = Set::empty(self.link.layout.width);
        self.values_of(&Cx::clause(ClauseId(0), None, &[]), attr, thing, &self.universe(true), &mut set);
        set.first().filter(|t| *t != thing)
    }

    /// Several things.
    pub(crate) fn set_words(&self, set: &Set) -> String {
        let words: Vec<String> = set.iter().map(|t| self.thing_words(t)).collect();
        if words.is_empty() { "none".to_string() } else { words.join(", ") }
    }

    /// An entry.
    pub(crate) fn entry_words(&self, entry: EntryId) -> &str {
        self.link.entry_name(entry)
    }

    /// An attribute.
    pub(crate) fn attr_words(&self, attr: AttrId) -> &str {
        self.link.attr_name(attr)
    }

    /// A value.
    pub(crate) fn any_words(&self, value: &Value) -> String {
        match value {
            Value::None => "nothing".to_string(),
            Value::Num(n) => n.to_string(),
            Value::Thing(t) => self.thing_words(*t),
            Value::Entry(e) => self.entry_words(*e).to_string(),
            Value::Set(s) => self.set_words(s),
        }
    }

    /// A place, with its owner.
    pub(crate) fn place_words(&self, place: PlaceId, owner: Option<ThingId>) -> String {
        let name = self.link.place_name(place);
        match owner {
            Some(o) => format!("the {name} of {}", self.thing_words(o)),
            None => format!("the {name}"),
        }
    }

    /// What is announced: `the season of X begins`, `the hue of X becomes Red`.
    fn moment_words(&self, decl: &VerbDecl, roles: &[Option<ThingId>]) -> String {
        let [what, does, term] = &decl.forms;
        let words: Vec<String> = roles.iter().flatten().map(|t| self.thing_words(*t)).collect();
        let text = match (decl.moment, words.as_slice()) {
            (Some(Moment::Becomes(..) | Moment::Ceases(..)), [of, held @ ..]) => {
                format!("the {what} of {of} {does} {}{term}", held.join(", "))
            }
            (_, []) => format!("the {what} {does}"),
            (_, of) => format!("the {what} of {} {does}", of.join(", ")),
        };
        text.trim_end().to_owned()
    }

    /// An event: subject, verb, object, then the other roles with their words.
    pub(crate) fn event_words(&self, verb: VerbId, roles: &[Option<ThingId>]) -> String {
        let decl = self.link.program.verb(verb);
        if decl.moment.is_some() {
            return self.moment_words(decl, roles);
        }
        let at = |n: Option<u8>| n.and_then(|i| roles.get(usize::from(i)).copied().flatten());
        let mut parts = Vec::new();
        match (at(decl.subject), at(decl.object)) {
            (Some(s), Some(o)) => parts.extend([self.thing_words(s), decl.forms[1].clone(), self.thing_words(o)]),
            (Some(s), None) => parts.extend([self.thing_words(s), decl.forms[1].clone()]),
            (None, Some(o)) => parts.extend([self.thing_words(o), "is".to_string(), decl.forms[2].clone()]),
            (None, None) => parts.push(decl.forms[0].clone()),
        }
        for (i, role) in decl.roles.iter().enumerate() {
            let here = u8::try_from(i).ok();
            if here != decl.subject
                && here != decl.object
                && let Some(Some(t)) = roles.get(i)
            {
                parts.push(format!("{} {}", role.word, self.thing_words(*t)).trim().to_string());
            }
        }
        parts.join(" ")
    }
}

/// What is said where one thing is meant and there are more.
pub(crate) fn several(eval: &Eval, set: &Set) -> String {
    /// So many are named.
    const NAMED: usize = 3;
    let named: Vec<String> = set.iter().take(NAMED).map(|thing| eval.thing_words(thing)).collect();
    let more = set.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("one is meant here, and there are {}: {}{more}", set.len(), named.join(", "))
}

/// The article of a noun.
pub(crate) fn article(noun: &str) -> &'static str {
    if noun.starts_with(|c: char| "aeiouAEIOU".contains(c)) { "an" } else { "a" }
}
