//! What tools may look at: items, their clauses with their layers, terms with their users, rulings, editions.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_grammar::tree::{Clause, Span};
use netrep_ir::{Place, SiteId, Statement, Text};

use crate::compiler::Compiler;
use crate::coords::{Places, bytes, clause_index};
use crate::edit::replaced;
use crate::inputs::Profile;
use crate::layers::Target;
use crate::layers::document::Document;
use crate::layers::edition::Edition;
use crate::layers::effective::EffectiveItem;
use crate::layers::labels::{label_clauses, label_of, set_label, written};
use crate::layers::pattern::{Pattern, first_word, matched};
use crate::layers::ruling::Ruling;
use crate::layers::words::joined;
use crate::phrase::term::Term;
use crate::queries::items::{Item, head_word, of_tree};
use crate::queries::layers::{
    ProfileKey, amendments, document, documents, edition, editions, ruling, ruling_outline, rulings, target_item,
};
use crate::queries::lexicon::DbLexicon;
use crate::queries::names::{Name, all_items, named, repeating};
use crate::queries::patterns::{pattern, pattern_name, pattern_uses, patterns};
use crate::queries::report::{header_place, item_origin, places};
use crate::queries::reprints::{original_of, sources_of};
use crate::queries::seen::ties;
use crate::queries::terms::{DeclaredTerm, facts, vocabulary};
use crate::queries::touched::touched_under;
use crate::queries::used::users;
use crate::queries::variants::variants;
use crate::queries::version::{DbContext, ItemIn, amended_sources, amended_words, composed, lowered, read, version_of};

/// Head and key of an item.
pub type ItemKey = (&'static str, Arc<str>);

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternView {
    /// What it is called: the words of its sentence.
    pub name: Arc<str>,
    /// What it says.
    pub pattern: Arc<Pattern>,
    /// Where its header stands.
    pub place: Place,
}

/// A clause that stands for those of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseView {
    /// What the pattern is called.
    pub name: Arc<str>,
    /// The pattern.
    pub pattern: Arc<Pattern>,
    /// What stands in the place of each parameter, as it is written.
    pub arguments: Vec<(Arc<str>, String)>,
    /// The printed sentences that are cited.
    pub sentences: Vec<u32>,
    /// Where the clause stands.
    pub place: Place,
}

/// An item, for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemView {
    /// The head word; empty for text that belongs to no item.
    pub head: &'static str,
    /// A card's id, a rule's number, the words of a declaration.
    pub key: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
    /// All of it in its file.
    pub place: Place,
}

/// A clause in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseView {
    /// Its label, unique in the item.
    pub label: Arc<str>,
    /// The layer that set it: empty for the base text, else `RULING=READING`.
    pub setter: Arc<str>,
    /// Where it stands: in the item's file, or in that of the ruling that set it.
    pub place: Place,
}

/// A term with its declaration and users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermView {
    /// The term with its forms and frame.
    pub term: Arc<Term>,
    /// Where it is declared.
    pub place: Place,
    /// Head and key of the items whose clauses use it, in the order of declaration.
    pub users: Vec<(&'static str, Arc<str>)>,
}

impl Compiler {
    /// All items, in the order of declaration.
    pub fn items(&self) -> Vec<ItemView> {
        all_items(&self.db).iter().map(|item| self.view(*item)).collect()
    }

    /// The first item with a head and key.
    pub fn item(&self, head: &str, key: &str) -> Option<ItemView> {
        self.find(head, key).map(|item| self.view(item))
    }

    /// The text of an item's file with another text for the item: what [`Compiler::set_file`] takes.
    pub fn file_with(&self, item: &ItemView, text: &str) -> Option<String> {
        let file = self.text(&item.place.file)?;
        replaced(&file, Span::new(item.place.start, item.place.end), text)
    }

    pub(crate) fn find(&self, head: &str, key: &str) -> Option<Item<'_>> {
        let mut items = all_items(&self.db).iter();
        items.find(|item| item.head(&self.db) == Some(head) && **item.key(&self.db) == *key).copied()
    }

    fn view(&self, item: Item<'_>) -> ItemView {
        let start = item.offset(&self.db);
        let text = Arc::clone(item.text(&self.db));
        let end = start.saturating_add(bytes(text.len()));
        ItemView {
            head: head_word(&self.db, item),
            key: Arc::clone(item.key(&self.db)),
            place: Place { file: Text::from(item.file(&self.db).path(&self.db)), start, end },
            text,
        }
    }

    /// An item as it is in force under a profile, with the translation of its spans to places.
    pub fn effective(&self, head: &str, key: &str, profile: &Profile) -> Option<(Arc<EffectiveItem>, Arc<Places>)> {
        let profile = ProfileKey::new(&self.db, profile.clone());
        let version = version_of(&self.db, ItemIn::new(&self.db, self.find(head, key)?, profile));
        let read = read(&self.db, version).as_ref()?;
        Some((Arc::clone(&read.item), Arc::clone(places(&self.db, version))))
    }

    /// The clauses of an item under a profile, with what set them.
    pub fn clauses(&self, head: &str, key: &str, profile: &Profile) -> Vec<ClauseView> {
        let item = self.effective(head, key, profile);
        let clauses = item.iter().flat_map(|(item, places)| item.clauses.iter().map(move |clause| (clause, places)));
        let view = |(clause, places): (&crate::layers::effective::EffectiveClause, &Arc<Places>)| ClauseView {
            label: Arc::clone(&clause.label),
            setter: Arc::clone(&clause.setter),
            place: places.place(clause.read.span),
        };
        clauses.map(view).collect()
    }

    /// Whether an item performs procedures as it stands under a profile. One that cannot be read may perform any.
    pub fn performs(&self, head: &str, key: &str, profile: &Profile) -> bool {
        let profile = ProfileKey::new(&self.db, profile.clone());
        let version = self.find(head, key).map(|item| version_of(&self.db, ItemIn::new(&self.db, item, profile)));
        let performs = |(statement, _): &(Statement, SiteId)| matches!(statement, Statement::Perform { .. });
        version
            .and_then(|version| lowered(&self.db, version).as_ref())
            .is_none_or(|one| one.lowered.blocks.iter().any(|block| block.statements.iter().any(performs)))
    }

    /// The items that two profiles amend differently.
    pub fn apart(&self, one: &Profile, other: &Profile) -> BTreeSet<ItemKey> {
        let keys = [one, other].map(|profile| ProfileKey::new(&self.db, profile.clone()));
        let [one, other] = keys.map(|key| amendments(&self.db, key));
        let mut found = BTreeSet::new();
        // Who uses a word or a pattern, or is a reprint of a card, that they read differently is read differently too.
        let [words, others] = keys.map(|key| (amended_words(&self.db, key), amended_sources(&self.db, key)));
        if words != others {
            let used = |item: &Item<'_>| {
                let [one, other] = keys.map(|key| version_of(&self.db, ItemIn::new(&self.db, *item, key)));
                one.words(&self.db) != other.words(&self.db) || one.sources(&self.db) != other.sources(&self.db)
            };
            // Everything else is under both as it stands in its file.
            let [here, there] = keys.map(|key| touched_under(&self.db, key));
            let users = here.union(there).filter(|item| used(item));
            found.extend(users.map(|item| (head_word(&self.db, *item), Arc::clone(item.key(&self.db)))));
        }
        // Both are in order: they are gone through side by side, because this is asked for every profile at every edit.
        let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
        loop {
            let order = match (one.peek(), other.peek()) {
                (Some((here, _)), Some((there, _))) => here.cmp(there),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return found,
            };
            let target = match order {
                Ordering::Less => one.next().map(|(target, _)| target),
                Ordering::Greater => other.next().map(|(target, _)| target),
                Ordering::Equal => {
                    let (here, there) = (one.next(), other.next());
                    here.filter(|_| here != there).map(|(target, _)| target)
                }
            };
            found.extend(target.and_then(|target| self.item_key(target)));
        }
    }

    /// A fingerprint of all on which it hangs what amendments reach by way of a card or a rule, beside the text of what is
    /// amended: as long as it is the same in two processes, so is all that [`Compiler::apart`] and [`Compiler::targets`] say, if
    /// no item of another kind was edited. `None` of an item that declares something, or cannot be read.
    pub fn ties(&self, head: &str, key: &str) -> Option<u128> {
        let name = Name::new(&self.db, head, key);
        // Of several of one name it hangs on their order which one is meant.
        named(&self.db, name).filter(|_| repeating(&self.db, name).is_empty()).and_then(|item| ties(&self.db, item))
    }

    /// The item that a target names.
    fn item_key(&self, target: &Target) -> Option<ItemKey> {
        let item = target_item(&self.db, target)?;
        Some((target.word(), Arc::clone(item.key(&self.db))))
    }

    /// What the readings of a ruling amend.
    pub fn targets(&self, ruling: &str) -> Vec<ItemKey> {
        let readings = self.find("ruling", ruling).into_iter().flat_map(|item| ruling_outline(&self.db, item));
        let targets = readings.flat_map(|(_, targets)| targets);
        let mut found: Vec<ItemKey> = targets.filter_map(|target| self.item_key(target)).collect();
        // Who uses a pattern, or is a reprint, is amended with it.
        let sources: Vec<Item<'_>> = found.iter().filter_map(|(head, key)| self.find(head, key)).collect();
        let amended = |item: &&Item<'_>| sources_of(&self.db, **item).iter().any(|source| sources.contains(source));
        let users = all_items(&self.db).iter().filter(amended);
        found.extend(users.map(|item| (head_word(&self.db, *item), Arc::clone(item.key(&self.db)))));
        found
    }

    /// All terms, in the order of declaration, without where that is and who uses them.
    pub fn declared(&self) -> Vec<Arc<Term>> {
        vocabulary(&self.db).order.iter().map(|one| Arc::clone(&one.term)).collect()
    }

    /// All terms, in the order of declaration.
    pub fn terms(&self) -> Vec<TermView> {
        let (users, items) = (users(&self.db), all_items(&self.db));
        let user = |item: &Item<'_>| (head_word(&self.db, *item), Arc::clone(item.key(&self.db)));
        let view = |one: &DeclaredTerm<'_>| {
            let by = users.get(&one.term.key).into_iter().flatten();
            TermView {
                term: Arc::clone(&one.term),
                place: header_place(&self.db, one.item),
                users: by.filter_map(|nth| items.get(*nth)).map(user).collect(),
            }
        };
        vocabulary(&self.db).order.iter().map(view).collect()
    }

    /// The patterns, in the order of declaration.
    pub fn patterns(&self) -> Vec<PatternView> {
        let view = |item: Item<'_>| PatternView {
            name: Arc::clone(pattern_name(&self.db, item)),
            pattern: Arc::clone(&pattern(&self.db, item).0),
            place: header_place(&self.db, item),
        };
        patterns(&self.db).map(view).collect()
    }

    /// The clauses of an item that stand for those of patterns, as they are written in it.
    pub fn pattern_uses(&self, item: &ItemView) -> Vec<UseView> {
        // total: an item that is gone meanwhile has no clauses.
        let Some(item) = self.find(item.head, &item.key) else { return Vec::new() };
        let origin = item_origin(&self.db, item);
        let clause = |nth: usize| of_tree(&self.db, item, |tree| tree.clauses.get(nth).cloned());
        let view = |(nth, used): &(usize, Item<'_>)| {
            let clause = clause(*nth)?;
            let pattern = Arc::clone(&pattern(&self.db, *used).0);
            let found = matched(&pattern.parts, &clause.tokens)?;
            let arguments = found.into_iter().map(|(label, tokens)| (label, joined(tokens))).collect();
            let sentences = clause.marker.iter().flat_map(|marker| marker.sentences.clone()).collect();
            let name = Arc::clone(pattern_name(&self.db, *used));
            Some(UseView { name, pattern, arguments, sentences, place: origin.place(clause.span) })
        };
        pattern_uses(&self.db, item).found.iter().filter_map(view).collect()
    }

    /// How each clause of an item's text is called, also those that stand for the clauses of a pattern: these are called by its
    /// label and their own.
    pub fn labels(&self, item: &ItemView) -> Vec<String> {
        // total: an item that is gone meanwhile has no clauses.
        let Some(item) = self.find(item.head, &item.key) else { return Vec::new() };
        let mut clauses = of_tree(&self.db, item, |tree| tree.clauses.clone());
        let uses = &pattern_uses(&self.db, item).found;
        for (nth, clause) in clauses.iter_mut().enumerate() {
            if uses.iter().any(|(used, _)| *used == nth) && written(clause).is_none() {
                let begins = first_word(&clause.tokens).map(str::to_owned);
                begins.iter().for_each(|label| set_label(clause, label, true));
            }
        }
        label_clauses(&mut clauses);
        clauses.iter().map(|clause| label_of(clause).to_string()).collect()
    }

    /// The clauses of patterns that are put into an item under a profile, each with what its pattern is called.
    pub fn put_in(&self, item: &ItemView, profile: &Profile) -> Vec<(Arc<str>, Clause)> {
        // total: an item that is gone meanwhile has no clauses.
        let Some(item) = self.find(item.head, &item.key) else { return Vec::new() };
        let uses = &pattern_uses(&self.db, item).found;
        if uses.is_empty() {
            return Vec::new();
        }
        let key = ItemIn::new(&self.db, item, ProfileKey::new(&self.db, profile.clone()));
        // total: what does not parse has no uses, and nothing is put in.
        let Some(composed) = composed(&self.db, version_of(&self.db, key)).as_ref() else { return Vec::new() };
        let of = |clause: &Clause| {
            let stands = clause_index(clause.span.start).and_then(|at| composed.stands.get(at).copied().flatten())?;
            let (_, pattern) = uses.iter().find(|(nth, _)| *nth == stands)?;
            Some((Arc::clone(pattern_name(&self.db, *pattern)), clause.clone()))
        };
        composed.amended.item.clauses.iter().filter_map(of).collect()
    }

    /// The id of the card of which the card of an id is a reprint.
    pub fn original(&self, id: &str) -> Option<Arc<str>> {
        let card = named(&self.db, Name::new(&self.db, "card", id))?;
        original_of(&self.db, card).map(|original| Arc::clone(original.key(&self.db)))
    }

    /// The facts that the card or rule of a name has declared for itself.
    pub(crate) fn facts(&self, key: &str) -> Vec<Arc<Term>> {
        let item = ["card", "rule"].into_iter().find_map(|head| named(&self.db, Name::new(&self.db, head, key)));
        item.into_iter().flat_map(|item| facts(&self.db, item).iter().cloned()).collect()
    }

    /// The vocabulary, for reading phrases of scenarios and questions.
    pub fn lexicon(&self) -> DbLexicon<'_> {
        DbLexicon::new(&self.db)
    }

    /// What lowering needs, for lowering phrases of scenarios and questions.
    pub(crate) fn context(&self, profile: &Profile) -> DbContext<'_> {
        DbContext::under(&self.db, ProfileKey::new(&self.db, profile.clone()))
    }

    /// The rulings, in the order of declaration, with the places of their headers.
    pub fn rulings(&self) -> Vec<(Arc<Ruling>, Place)> {
        rulings(&self.db).map(|item| (Arc::clone(&ruling(&self.db, item).0), header_place(&self.db, item))).collect()
    }

    /// What the readings of rulings cite, in the order of declaration: a document's id, a place in it, and where that is said.
    pub fn cited(&self) -> Vec<(Arc<str>, String, Place)> {
        let mut found = Vec::new();
        for item in rulings(&self.db) {
            let origin = item_origin(&self.db, item);
            for authority in ruling(&self.db, item).0.readings.iter().flat_map(|reading| &reading.authorities) {
                let said = authority.cited.as_ref().zip(authority.place_span);
                found.extend(said.map(|((id, _), span)| (Arc::clone(id), authority.place.clone(), origin.place(span))));
            }
        }
        found
    }

    /// The numbers of the rules, in the order of declaration, with the places of their headers.
    pub fn rule_numbers(&self) -> Vec<(Arc<str>, Place)> {
        let rules = all_items(&self.db).iter().filter(|item| item.head(&self.db) == Some("rule"));
        rules.map(|item| (Arc::clone(item.key(&self.db)), header_place(&self.db, *item))).collect()
    }

    /// The documents, in the order of declaration, with the places of their headers.
    pub fn documents(&self) -> Vec<(Arc<Document>, Place)> {
        documents(&self.db)
            .map(|item| (Arc::clone(&document(&self.db, item).0), header_place(&self.db, item)))
            .collect()
    }

    /// The variants, in the order of declaration, with the places of their headers.
    pub fn variants(&self) -> Vec<(Arc<Edition>, Place)> {
        variants(&self.db).map(|item| (Arc::clone(&edition(&self.db, item).0), header_place(&self.db, item))).collect()
    }

    /// The editions, in the order of declaration, with the places of their headers.
    pub fn editions(&self) -> Vec<(Arc<Edition>, Place)> {
        editions(&self.db).map(|item| (Arc::clone(&edition(&self.db, item).0), header_place(&self.db, item))).collect()
    }
}
