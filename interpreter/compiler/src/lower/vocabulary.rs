//! Vocabulary items: what they declare for the engine.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Item, Token, TokenKind};
use netrep_ir::{FrameRole, Secrecy, Sel, Source, ValueKind, VerbDecl};

use super::context::{Bound, Cx, Env, Low, body_of};
use super::several::{Many, Meant};
use super::{LowService, LowTerm};
use crate::layers::words::joined;
use crate::phrase::clause::InBlock;
use crate::phrase::data::sentences;
use crate::phrase::declare::{OR, begins_anew_in, declare, extended_list};
use crate::phrase::forms::Form;
use crate::phrase::term::{Detail, Origin, Param, Seat, Term, TypeName, Use};
use crate::phrase::tree::{Node, TermKey, TermKind};

/// Lowers a vocabulary item.
pub(super) fn lower(cx: &mut Cx<'_>) {
    let (terms, _) = declare(&cx.item.tree);
    let mut entries: Vec<Arc<str>> = Vec::new();
    let mut list = None;
    for t in &terms {
        match &t.detail {
            Detail::Entry { .. } => entries.push(t.key.name.clone()),
            Detail::List => list = Some(t.key.name.clone()),
            Detail::Class { .. }
            | Detail::Attribute { .. }
            | Detail::Definition { .. }
            | Detail::Role { .. }
            | Detail::Place { .. }
            | Detail::Adjective { .. }
            | Detail::Relation { .. }
            | Detail::Verb { .. }
            | Detail::Procedure { .. } => {
                let _ = term(cx, t);
            }
        }
    }
    if let Some(l) = list {
        cx.out.terms.push(LowTerm::List(l, entries));
    } else if let Some(l) = extended_list(&cx.item.tree) {
        cx.out.terms.push(LowTerm::Entries(l, entries));
    }
}

fn term(cx: &mut Cx<'_>, t: &Term) -> Low<()> {
    speaks_of(cx, t)?;
    match &t.detail {
        Detail::Class { superclass: None, .. } => cx.out.terms.push(LowTerm::Class(t.key.name.clone())),
        Detail::Attribute { origin, of, value, many, per, .. } => {
            attribute(cx, t, (*origin, of, per.as_ref()), value, *many, &cx.item.tree)?;
        }
        Detail::Role { value } => cx.out.terms.push(LowTerm::Role(t.key.name.clone(), *value == TypeName::Number)),
        Detail::Place { of_player, features } => {
            let has = |w: &str| features.iter().any(|f| **f == *w);
            let secrecy = if has("hidden") {
                if has("ordered") { Secrecy::Hidden } else { Secrecy::Owner }
            } else {
                Secrecy::Open
            };
            cx.out.terms.push(LowTerm::Place {
                name: t.key.name.clone(),
                owned: *of_player,
                ordered: has("ordered"),
                secrecy,
            });
        }
        Detail::Verb { frame } => {
            let mut env = Env::default();
            let mut roles = Vec::new();
            for r in &frame.roles {
                if r.param.types.first() == Some(&TypeName::Number) {
                    let span = cx.item.tree.head_span;
                    return cx.fail(
                        Code::BadDeclaration,
                        span,
                        "a verb's roles are things, not numbers",
                        Some("use a procedure: it takes numbers"),
                    );
                }
                let class = cx.class_of_param(&r.param);
                let slot = env.slot_of(&r.param.label, |s| Bound::Things(Sel::Slot(s), Many::One));
                let word = match &r.seat {
                    Seat::After(w) => w.join(" "),
                    Seat::Subject | Seat::Object => String::new(),
                };
                let to_place = r.param.types.first() == Some(&TypeName::Place);
                if to_place {
                    let words = t.said(Use::Base);
                    cx.out.place_verbs.push(words);
                    if let Some(c) = cx.item.clauses.first() {
                        let text = "what a verb does to a place is the engine's: it has no `needs`, `does` or `leaves`";
                        return cx.fail(Code::NotSupported, c.read.span, text, None);
                    }
                }
                roles.push(FrameRole { slot, word, class, optional: r.optional || to_place });
            }
            verb(cx, t, frame.subject(), frame.object(), roles, env)?;
        }
        // These are put where they are used; what is wrong with them is told here.
        Detail::Class { superclass: Some(_), label: Some(label) } => {
            said(cx, t, |cx, body| cx.set_where(body, label, &Env::default()).map(drop));
        }
        Detail::Class { superclass: Some(_), label: None } => {
            let span = cx.item.tree.head_span;
            cx.try_out(|cx| cx.class(&t.key, span));
            narrows(cx, t);
        }
        Detail::Definition { value } => said(cx, t, |cx, body| match value {
            TypeName::Number => cx.num(body, &Env::default()).map(drop),
            TypeName::YesNo => cx.cond(body, &Env::default()).map(drop),
            TypeName::Place | TypeName::Thing | TypeName::Named(_) | TypeName::NameOf(_) | TypeName::NumberFor(_) => {
                cx.sel(body, &Env::default()).map(drop)
            }
        }),
        Detail::Adjective { of } => {
            said(cx, t, |cx, body| cx.set_where(body, &of.label, &Env::default()).map(drop));
        }
        Detail::Relation { subject, object } => said(cx, t, |cx, body| {
            let mut env = Env::default();
            let is_list = |of: &TypeName| matches!(of, TypeName::Named(name) if cx.is_list(name));
            // A relation to a term of a list is asked with one.
            let bound = match object.types.iter().any(is_list) {
                true => |s| Bound::Entry(netrep_ir::Ent::Slot(s)),
                false => |s| Bound::Things(Sel::Slot(s), Many::One),
            };
            env.slot_of(&object.label, bound);
            cx.set_where(body, &subject.label, &env).map(drop)
        }),
        // A list is lowered with its entries, a procedure by the rule that has it.
        Detail::List | Detail::Entry { .. } | Detail::Procedure { .. } => {}
    }
    Ok(())
}

/// The terms by which a class narrows the one above it are those of a fact.
fn narrows(cx: &mut Cx<'_>, t: &Term) {
    let Some((fact, terms)) = &t.only else { return };
    let span = |cx: &Cx<'_>, words: &str| words_in(&cx.item.tree.header, words).unwrap_or(cx.item.tree.head_span);
    let key = TermKey { kind: TermKind::Attribute, name: fact.clone() };
    let at = span(cx, fact);
    let Ok(known) = cx.term(&key, at) else { return };
    let Detail::Attribute { value: TypeName::Named(list), .. } = &known.detail else { return };
    for term in terms {
        let at = span(cx, term);
        let entry = cx.term(&TermKey { kind: TermKind::Entry, name: term.clone() }, at);
        if let Ok(entry) = entry
            && !matches!(&entry.detail, Detail::Entry { list: of } if of == list)
        {
            let _ = cx.fail::<()>(Code::WrongEntry, at, format!("`{term}` is no {list}"), None);
        }
    }
}

/// What a declaration names is declared: the things that it is said of and their values, the classes that have a figure, the
/// class above a class and the figures that it needs, the place in which a fact begins anew.
fn speaks_of(cx: &mut Cx<'_>, t: &Term) -> Low<()> {
    let item = cx.item;
    let header = |words: &str| words_in(&item.tree.header, words).unwrap_or(item.tree.head_span);
    for named in t.types() {
        let (TypeName::Named(name) | TypeName::NameOf(name) | TypeName::NumberFor(name)) = named else { continue };
        if !cx.is_list(name) {
            cx.term(&TermKey { kind: TermKind::Class, name: name.clone() }, header(name))?;
        }
    }
    match &t.detail {
        Detail::Attribute { on, .. } => {
            for class in on {
                cx.term(&TermKey { kind: TermKind::Class, name: class.clone() }, header(class))?;
                if cx.is_by_condition(class) {
                    let text = format!("what is printed does not tell what a {class} is: that is so, or not, in play");
                    let help = "name a class of which a card is by what is printed on it";
                    return cx.fail(Code::WrongSort, header(class), text, Some(help));
                }
            }
            if let Some(place) = begins_anew_in(&item.tree) {
                let at = header(&place);
                cx.term(&TermKey { kind: TermKind::Place, name: place }, at)?;
            }
        }
        Detail::Class { superclass, .. } => {
            if let Some(above) = superclass {
                cx.term(&TermKey { kind: TermKind::Class, name: above.clone() }, header(above))?;
            }
            for figure in t.needs.iter().flat_map(|need| need.split(OR)).chain(t.lacks.iter().map(|lack| &**lack)) {
                let at = item.tree.clauses.iter().find_map(|clause| words_in(&clause.tokens, figure));
                let key = TermKey { kind: TermKind::Attribute, name: Arc::from(figure) };
                cx.term(&key, at.unwrap_or(item.tree.head_span))?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Where some words stand last among tokens, or among those that these hold.
fn words_in(tokens: &[Token], words: &str) -> Option<netrep_grammar::tree::Span> {
    let wanted: Vec<&str> = words.split(' ').collect();
    let run = tokens.windows(wanted.len()).rev().find(|run| run.iter().map(word_of).eq(wanted.iter().copied()));
    let here = run.and_then(|run| Some(run.first()?.span.to(run.last()?.span)));
    here.or_else(|| {
        tokens.iter().rev().find_map(|token| match &token.kind {
            TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) => words_in(inner, words),
            _ => None,
        })
    })
}

/// Tries out what a word says that is put where it is used.
fn said(cx: &mut Cx<'_>, t: &Term, lower: impl FnOnce(&mut Cx<'_>, &Node) -> Low<()>) {
    let item = cx.item;
    match body_of(&item.clauses) {
        Some(body) => cx.try_out(|cx| cx.within(&t.key, |cx| lower(cx, body))),
        // A relation may be one that the engine knows: lying in a place.
        None if matches!(t.detail, Detail::Relation { .. }) => {}
        None => {
            let message = format!("`{}` has no definition", t.key.name);
            let _ = cx.fail::<()>(Code::NoDefinition, item.tree.head_span, message, Some("add `: CONDITION` or `= …`"));
        }
    }
}

fn verb(
    cx: &mut Cx<'_>,
    t: &Term,
    subject: Option<usize>,
    object: Option<usize>,
    roles: Vec<FrameRole>,
    mut env: Env,
) -> Low<()> {
    let form = |u: Use| t.said(u);
    let forms = [form(Use::Base), form(Use::Third), form(Use::Past)];
    // A verb is cited as an item with one clause, and its requirements as clauses of their own.
    let whole = cx.item.clauses.first().map(|c| c.read.span).unwrap_or(cx.item.tree.head_span);
    let wording = super::Wording::These(forms[0].clone());
    cx.out.clauses.push(super::LowClause { label: String::new(), derived: false, span: whole, wording });
    cx.clause = netrep_ir::ClauseId::from_index(cx.out.clauses.len() - 1);
    let clause = cx.clause;
    let (mut needs, mut leaves, mut body) = (Vec::new(), Vec::new(), None);
    let item = cx.item;
    for c in item.clauses.iter() {
        match c.read.kind.in_block() {
            InBlock::Condition(n) => {
                cx.enter(&c.read, Some(&c.label));
                for k in n.conjuncts() {
                    let site = cx.site(k);
                    needs.push((cx.cond(k, &env)?, site));
                }
            }
            InBlock::Effect(n) => {
                cx.enter(&c.read, Some(&c.label));
                body = Some(cx.block_of(n, &mut env)?);
            }
            InBlock::Leaves(n) => {
                cx.enter(&c.read, Some(&c.label));
                let site = cx.site(n);
                leaves.push((cx.cond(n, &env)?, site));
            }
            InBlock::Raw(..) => {}
            InBlock::Cost(_)
            | InBlock::Otherwise(_)
            | InBlock::Statement(_)
            | InBlock::Limit(..)
            | InBlock::Lasts(..)
            | InBlock::Steps(..)
            | InBlock::Step(..)
            | InBlock::Ends(..)
            | InBlock::Other => {
                return cx.fail(Code::MisplacedClause, c.read.span, "a verb says `needs`, `does` and `leaves`", None);
            }
        }
    }
    let index = |i: Option<usize>| i.and_then(|i| u8::try_from(i).ok());
    cx.out.terms.push(LowTerm::Verb(
        t.key.name.clone(),
        Box::new(VerbDecl {
            name: t.key.name.to_string(),
            forms,
            roles,
            subject: index(subject),
            object: index(object),
            clause,
            needs,
            body,
            leaves,
            slots: env.most,
            moment: None,
        }),
    ));
    Ok(())
}

/// A fact that an item declares: itself, or for itself.
pub(super) fn attribute(
    cx: &mut Cx<'_>,
    t: &Term,
    (origin, of, per): (Origin, &Param, Option<&Arc<str>>),
    value: &TypeName,
    many: bool,
    tree: &Item,
) -> Low<()> {
    let kind = cx.value_kind(value, many);
    let names = matches!(value, TypeName::NameOf(_));
    if names && origin != Origin::Figure {
        let text = format!("`{}` holds names, and only what is printed does", t.key.name);
        let help = "declare it as a `figure`, or let it hold the things themselves: take `name of` away";
        return cx.fail(Code::NotSupported, cx.item.tree.head_span, text, Some(help));
    }
    if origin == Origin::State && matches!(kind, ValueKind::NumberFor(_)) {
        let text = format!("`{}` is a number for each term, and nothing could change one of them", t.key.name);
        let help = "declare a state for each term that is asked for, or derive it: `define WORD of (CLASS X), (LIST K): number = …`";
        return cx.fail(Code::BadDeclaration, cx.item.tree.head_span, text, Some(help));
    }
    let mut classes = Vec::new();
    for ty in &of.types {
        if let TypeName::Named(n) = ty {
            let c = cx.base_class(n);
            if !classes.contains(&c) {
                classes.push(c);
            }
        }
    }
    let source = match origin {
        Origin::Define => {
            let item = cx.item;
            let Some(body) = body_of(&item.clauses) else {
                return cx.fail(
                    Code::NoDefinition,
                    item.tree.head_span,
                    format!("`{}` has no definition", t.key.name),
                    Some("add `= …`"),
                );
            };
            let mut env = Env::default();
            env.bind(&of.label, Bound::Things(Sel::It(0), Many::One));
            if let Some(label) = per {
                // The engine binds the entry to the first slot.
                env.bind(label, Bound::Entry(netrep_ir::Ent::Slot(0)));
            }
            match kind {
                ValueKind::Number | ValueKind::NumberFor(_) => Source::Number(cx.num(body, &env)?),
                ValueKind::Flag => Source::Flag(cx.set_where(body, &of.label, &Env::default())?),
                ValueKind::Entry(_) | ValueKind::Entries(_) => {
                    return cx.fail(
                        Code::BadDeclaration,
                        item.tree.head_span,
                        format!("`{}` is derived, and a term of a list: numbers, things and yes or no are", t.key.name),
                        Some("say it of each term with an adjective: `adjective WORD of (CLASS X): CONDITION.`"),
                    );
                }
                ValueKind::Thing(_) | ValueKind::Things(_) => Source::Things(cx.sel(body, &env)?),
            }
        }
        Origin::Figure | Origin::State => Source::Stored { default: default_value(cx, value, kind, tree)? },
    };
    let anew = begins_anew_in(tree).map(|place| cx.out.symbols.place(&place));
    let anew = anew.and_then(|place| cx.out.symbols.places.get(place.index()).cloned());
    cx.out.terms.push(LowTerm::Attribute {
        name: t.key.name.clone(),
        kind,
        source,
        dynamic: origin == Origin::State,
        names,
        classes,
        anew,
    });
    Ok(())
}

/// The default after `=`: a number, `yes` or `no`, or an entry (its place in the item's table, plus one; link maps it).
fn default_value(cx: &mut Cx<'_>, value: &TypeName, kind: ValueKind, tree: &Item) -> Low<i32> {
    let equals = |t: &&Token| matches!(&t.kind, TokenKind::Op(o) if o == "=");
    let rest: Vec<&Token> = tree.header.iter().skip_while(|t| !equals(t)).skip(1).collect();
    let [first, ..] = rest.as_slice() else {
        // Without a default it is nothing at first: zero, no, or no entry.
        return Ok(0);
    };
    let span = rest.iter().fold(first.span, |span, token| span.to(token.span));
    let wanted = match (kind, value) {
        (ValueKind::Number, _) => match rest.as_slice() {
            [Token { kind: TokenKind::Number(n), .. }] => return cx.fitting(*n, span),
            [Token { kind: TokenKind::Op(o), .. }, Token { kind: TokenKind::Number(n), .. }] if o == "-" => {
                return cx.fitting(n.saturating_neg(), span);
            }
            _ => "a number".to_owned(),
        },
        (ValueKind::Flag, _) => match rest.as_slice() {
            [Token { kind: TokenKind::Word(w), .. }] if w == "yes" => return Ok(1),
            [Token { kind: TokenKind::Word(w), .. }] if w == "no" => return Ok(0),
            _ => "`yes` or `no`".to_owned(),
        },
        (ValueKind::Entry(_), TypeName::Named(list)) => {
            let name = rest.iter().map(|t| word_of(t)).collect::<Vec<_>>().join(" ");
            let term = cx.term(&TermKey { kind: TermKind::Entry, name: Arc::from(name.as_str()) }, span)?;
            if matches!(&term.detail, Detail::Entry { list: of } if of == list) {
                return Ok(i32::from(cx.out.symbols.entry(&name).0) + 1);
            }
            format!("a {list}")
        }
        _ => {
            let help = "take `=` and what follows away: it is none at first";
            return cx.fail(
                Code::NotSupported,
                span,
                "only a number, a yes or no and one term have a default",
                Some(help),
            );
        }
    };
    let message = format!("what is declared as `{}` begins as {wanted}", value.text());
    cx.fail(Code::WrongSort, span, message, Some("mend what stands behind `=`, or take it away"))
}

/// A token as it is written.
fn word_of(token: &Token) -> String {
    match &token.kind {
        TokenKind::Word(word) | TokenKind::Capital(word) | TokenKind::Op(word) => word.clone(),
        TokenKind::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Lowers a `kernel` item: which terms serve the engine.
pub(super) fn kernel(cx: &mut Cx<'_>) {
    super::clause::header_of(cx);
    let item = cx.item;
    // A sentence that says nothing takes none of the others with it.
    let mut findings = Vec::new();
    let said = sentences("kernel", &item.tree.clauses, &mut findings);
    findings.into_iter().for_each(|finding| cx.tell(finding));
    for (clause, said) in said {
        match said.form() {
            Form::DataWas => {
                let was = |hole| said.quoted(hole).map(str::to_owned);
                cx.out.former.extend(was("now").zip(was("before")));
            }
            Form::DataBecame | Form::DataCeased => {
                let is_said = said.form() == Form::DataBecame;
                let text = |hole| said.quoted(hole).map(str::to_owned);
                let now = text(if is_said { "now" } else { "how" });
                cx.out.retired.extend(text("before").zip(now).map(|(before, now)| (before, now, is_said)));
            }
            Form::DataSets => cx.out.sets.extend(said.each_tokens("sets").map(|set| Arc::from(joined(set)))),
            Form::DataNames => cx.out.expected.extend(said.each_quoted("names").map(Arc::from)),
            _ => {
                let mut words = said.words("what");
                let between = if said.form() == Form::DataGreatest { "of" } else { "by" };
                if said.has("fact") {
                    words.extend([Arc::from(between)].into_iter().chain(said.words("fact")));
                }
                let words = words.iter().map(ToString::to_string).collect();
                // total: the row has the words
                let what = said.span("what").unwrap_or(clause.span);
                let span = said.span("fact").map_or(what, |fact| what.to(fact));
                let service = |serves: &str| LowService { serves: serves.to_owned(), words, span };
                cx.out.services.extend(said.word("serves").map(service));
            }
        }
    }
    // Selections that serve the engine are definitions; they are lowered here, so that link only numbers them.
    let services = cx.out.services.clone();
    let class = |serves: &str| services.iter().find(|line| line.serves == serves).map(|line| line.words.join(" "));
    for LowService { serves, words, span } in &services {
        let of = match serves.as_str() {
            "functioning" | "stage" | "version" => "card",
            "orderer" => "player",
            _ => continue,
        };
        let key = TermKey { kind: TermKind::Definition, name: words.join(" ").into() };
        let known = cx.known(&key);
        // Whether a class serves so is told at its own line.
        let fits = |name: &str| class(of).is_none_or(|class| *class == *cx.base_name(name));
        let is_one = known.as_ref().is_ok_and(
            |term| matches!(&term.detail, Detail::Definition { value: TypeName::Named(name) } if fits(name)),
        );
        if !is_one {
            let near = known.err().flatten();
            let selected = if serves == "orderer" { format!("the {of} that …") } else { format!("{of}s that …") };
            let help = near.unwrap_or_else(|| format!("define it: `define {}: {of} = {selected}`", key.name));
            let text = format!("`{}` cannot serve as `{serves}`: that is a defined selection of {of}s", key.name);
            let _ = cx.fail::<()>(Code::UnknownService, *span, text, Some(&help));
            continue;
        }
        let sel = cx.definition(&key, *span).and_then(|body| {
            if serves == "orderer" && cx.many(body.body(), &Env::default()) == Many::Several {
                cx.several(Meant::Orderer, &key.name, *span, None)?;
            }
            cx.sel(body.body(), &Env::default())
        });
        cx.out.service_sels.extend(sel.ok().map(|sel| (serves.clone(), sel)));
    }
}
