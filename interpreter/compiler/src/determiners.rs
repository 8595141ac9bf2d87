//! How many things a phrase means where it stands: `2 boats`, `each boat`, `a boat`, `no boat`.
//!
//! The table of forms says of each hole that holds things which determiners it takes (`<what: things; all>`); whatever
//! else stands there is refused with what to say instead. So nothing downstream ever has to take one determiner for
//! another: what a place takes, the lowering means.

use std::sync::OnceLock;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use rustc_hash::FxHashMap;

use crate::finding::Finding;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks, nodes};
use crate::phrase::forms::{Builder, Form, Own, Part, ROWS, Reader, Row, Takes};
use crate::phrase::operators::{Act, Fact, Thing, View};
use crate::phrase::tree::{Det, Node, Sort, relation_of_choice};

/// The determiners in an item's clauses that mean nothing where they stand.
pub(crate) fn check<'c>(head: &str, clauses: impl IntoIterator<Item = &'c ReadClause>) -> Vec<Finding> {
    let mut errors = Vec::new();
    for clause in clauses {
        // What a definition stands for is the whole phrase.
        if let (ClauseKind::Statement(body), "define") = (&clause.kind, head) {
            hold(Form::DeclarationDefine.takes("value"), body, false, &mut errors);
        }
        of_clause(clause, &mut errors);
    }
    errors
}

/// The same of a phrase that is no clause.
pub(crate) fn check_phrase(node: &Node) -> Vec<Finding> {
    let mut errors = Vec::new();
    of_node(node, &mut errors);
    errors
}

/// The determiners of what a phrase denotes, with the phrase of each and how it is reached.
pub(crate) fn quantified(node: &Node) -> Vec<Quantified> {
    let mut found = Vec::new();
    collect(node, By::Itself, &mut found);
    found
}

/// A determiner of what a phrase denotes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantified {
    /// The determiner.
    pub det: Det,
    /// The phrase that it determines.
    pub span: Span,
    by: By,
}

/// How the determined phrase is reached from the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// It is the whole.
    Itself,
    /// The whole is a fact or a place of it.
    Owner,
    /// It is one of several that are joined.
    Join,
}

fn collect(node: &Node, by: By, out: &mut Vec<Quantified>) {
    match node.view() {
        View::Thing(Thing::Quantified { det, .. }) => out.push(Quantified { det: *det, span: node.span, by }),
        View::Thing(Thing::As { inner, .. }) => collect(inner, by, out),
        View::Thing(Thing::Either { parts }) => parts.iter().for_each(|part| collect(part, By::Join, out)),
        View::Thing(Thing::Place { owner, .. }) => owner.iter().for_each(|owner| collect(owner, By::Owner, out)),
        View::Fact(Fact::Of { owner, .. } | Fact::OfFor { owner, .. } | Fact::Printed { owner, .. })
            if is_thing(node) =>
        {
            let by = if by == By::Join { by } else { By::Owner };
            collect(owner, by, out);
        }
        View::Reference(_)
        | View::Thing(Thing::Noun { .. } | Thing::Top { .. } | Thing::Next { .. } | Thing::New { .. })
        | View::Fact(_)
        | View::Literal(_)
        | View::Predicate(_)
        | View::Number(_)
        | View::Logic(_)
        | View::Condition(_)
        | View::Event(_)
        | View::Act(_)
        | View::Change(_)
        | View::Part(_)
        | View::Malformed => {}
    }
}

fn is_thing(node: &Node) -> bool {
    matches!(node.sort, Sort::Thing(_) | Sort::AnyThing | Sort::Place)
}

fn of_clause(clause: &ReadClause, errors: &mut Vec<Finding>) {
    match &clause.kind {
        ClauseKind::Play { targets, choices, conditions, .. } => {
            targets.iter().for_each(|node| hold(Form::PartTarget.takes("x"), node, false, errors));
            for node in choices {
                let related = relation_of_choice(node, conditions).is_some();
                let takes = if related { Form::PartRelated.takes("p") } else { Form::PartChoosing.takes("x") };
                hold(takes, node, false, errors);
            }
        }
        ClauseKind::May { by, cost, choices, .. } => {
            by.iter().for_each(|node| hold(Form::ClauseSubjectMay.takes("who"), node, false, errors));
            choices.iter().for_each(|node| hold(Form::PartChoosing.takes("x"), node, false, errors));
            cost.iter().for_each(|cost| of_cost(cost, errors));
        }
        ClauseKind::Cost(cost) => of_cost(cost, errors),
        ClauseKind::Carried { np, .. } => hold(Form::ClauseHas.takes("who"), np, false, errors),
        ClauseKind::Spares { by, what } => {
            hold(Form::ClauseSpare.takes("who"), by, false, errors);
            hold(Form::ClauseSpare.takes("what"), what, false, errors);
        }
        ClauseKind::Canceled { by, .. } => hold(Form::ClauseCanceled.takes("who"), by, false, errors),
        ClauseKind::Norm { by, .. } => {
            by.iter().for_each(|node| hold(Form::ClauseEffectsCannot.takes("who"), node, false, errors));
        }
        ClauseKind::Lent { who, of, .. } => {
            hold(Form::ClauseAbilities.takes("who"), who, false, errors);
            hold(Form::ClauseAbilities.takes("of"), of, false, errors);
        }
        ClauseKind::Figure { .. }
        | ClauseKind::Timing { .. }
        | ClauseKind::Condition(_)
        | ClauseKind::Effect(_)
        | ClauseKind::Lasts { .. }
        | ClauseKind::In { .. }
        | ClauseKind::Leaves(_)
        | ClauseKind::When { .. }
        | ClauseKind::Instead { .. }
        | ClauseKind::Modifier { .. }
        | ClauseKind::Procedure { .. }
        | ClauseKind::Steps { .. }
        | ClauseKind::Step { .. }
        | ClauseKind::Ends { .. }
        | ClauseKind::Statement(_)
        | ClauseKind::Always(_)
        | ClauseKind::Part { .. }
        | ClauseKind::Action { .. }
        | ClauseKind::ActionNeeds { .. }
        | ClauseKind::ActionLeaves { .. }
        | ClauseKind::WhenNeeds { .. }
        | ClauseKind::Otherwise(_)
        | ClauseKind::Limit(..)
        | ClauseKind::Raw { .. } => {}
    }
    let costs: &[&Node] = match &clause.kind {
        ClauseKind::May { cost: Some(cost), .. } | ClauseKind::Cost(cost) => &[cost],
        _ => &[],
    };
    for node in nodes(&clause.kind) {
        if !costs.iter().any(|cost| std::ptr::eq(*cost, node)) {
            of_node(node, errors);
        }
    }
    blocks(&clause.kind).into_iter().flatten().for_each(|inner| of_clause(inner, errors));
}

/// A cost: `a THING` in one of its verbs is chosen by who pays.
fn of_cost(cost: &Node, errors: &mut Vec<Finding>) {
    for statement in cost.statements() {
        if let View::Act(Act::Do { roles, .. }) = statement.view() {
            roles.iter().for_each(|role| hold(takings().of(statement.op.name(), 0), role, true, errors));
            roles.iter().for_each(|role| of_node(role, errors));
        } else {
            of_node(statement, errors);
        }
    }
}

fn of_node(node: &Node, errors: &mut Vec<Finding>) {
    if let View::Fact(Fact::Of { owner, .. } | Fact::OfFor { owner, .. } | Fact::Printed { owner, .. }) = node.view()
        && !is_thing(node)
    {
        // A number, or a term, is of one thing.
        hold(Some(Takes::One), owner, false, errors);
    }
    for (place, kid) in node.kids.iter().enumerate() {
        hold(takings().of(node.op.name(), place), kid, false, errors);
        of_node(kid, errors);
    }
}

/// Tells the determiners in a place that it does not take.
fn hold(takes: Option<Takes>, node: &Node, in_cost: bool, errors: &mut Vec<Finding>) {
    let Some(takes) = takes else { return };
    let refused = quantified(node).into_iter().filter(|one| !allowed(takes, one, in_cost));
    errors.extend(refused.map(|one| refusal(takes, one)));
}

fn allowed(takes: Takes, one: &Quantified, in_cost: bool) -> bool {
    if !takes.info().determiners.contains(&form(one.det)) {
        return false;
    }
    let of_conditions = matches!(takes, Takes::Said | Takes::There);
    match (one.by, one.det) {
        // In a cost who pays chooses.
        (By::Itself, Det::A | Det::Exactly(_) | Det::AtLeast(_) | Det::UpTo(_) | Det::AnyNumber) => {
            takes != Takes::Deed || in_cost
        }
        (By::Itself, _) => true,
        // Of joined phrases a condition counts none, and what is chosen in a cost is chosen from one.
        (By::Join, _) if of_conditions => false,
        (_, Det::A | Det::Any) => takes != Takes::Deed,
        (_, Det::Each) => !of_conditions,
        (_, Det::Another | Det::No | Det::The | Det::Exactly(_) | Det::AtLeast(_) | Det::UpTo(_) | Det::AnyNumber) => {
            false
        }
    }
}

fn refusal(takes: Takes, one: Quantified) -> Finding {
    let info = takes.info();
    let open = match one.det {
        Det::A | Det::Another | Det::Any | Det::Exactly(_) | Det::AtLeast(_) | Det::UpTo(_) | Det::AnyNumber => true,
        Det::Each | Det::No | Det::The => false,
    };
    let whole = matches!(takes, Takes::All | Takes::Deed | Takes::Known | Takes::One | Takes::Value);
    let mend = match one.det {
        Det::Another => format!("say `a … other than this`; {}", info.mend),
        _ => info.mend.to_owned(),
    };
    let said = said(one.det);
    let (code, message) = if open && whole {
        let message = format!("{said} leaves open which is meant and who chooses; here stands {}", info.meaning);
        (Code::ChoiceWithoutChooser, message)
    } else {
        (Code::WrongDeterminer, format!("{said} has no meaning here; here stands {}", info.meaning))
    };
    Finding::new(code, one.span, message).help(mend)
}

/// The row of a determiner.
fn form(det: Det) -> Form {
    match det {
        Det::A => Form::DeterminerA,
        Det::Another => Form::DeterminerAnother,
        Det::Each => Form::DeterminerEach,
        Det::Any => Form::DeterminerAny,
        Det::No => Form::DeterminerNo,
        Det::The => Form::DeterminerThe,
        Det::Exactly(_) => Form::DeterminerExactly,
        Det::AtLeast(_) => Form::DeterminerAtLeast,
        Det::UpTo(_) => Form::DeterminerUpTo,
        Det::AnyNumber => Form::DeterminerAnyNumber,
    }
}

fn said(det: Det) -> String {
    match det {
        Det::A => "`a …`".to_owned(),
        Det::Another => "`another …`".to_owned(),
        Det::Each => "`each …`, or a plural,".to_owned(),
        Det::Any => "`any …`".to_owned(),
        Det::No => "`no …`".to_owned(),
        Det::The => "`the …`".to_owned(),
        Det::Exactly(n) => format!("`{n} …`"),
        Det::AtLeast(n) => format!("`at least {n} …`"),
        Det::UpTo(n) => format!("`up to {n} …`"),
        Det::AnyNumber => "`any number of …`".to_owned(),
    }
}

/// What the children of each operator take, from the rows that make it.
#[derive(Debug, Default)]
struct Takings {
    at: FxHashMap<(&'static str, usize), Takes>,
    from: FxHashMap<&'static str, (usize, Takes)>,
    contradictions: Vec<(&'static str, Form)>,
}

impl Takings {
    fn of(&self, operator: &'static str, place: usize) -> Option<Takes> {
        let many = || self.from.get(operator).filter(|(from, _)| place >= *from).map(|(_, takes)| *takes);
        self.at.get(&(operator, place)).copied().or_else(many)
    }

    fn put(&mut self, form: Form, operator: &'static str, place: usize, many: bool, takes: Takes) {
        let before = match many {
            true => self.from.insert(operator, (place, takes)).map(|(_, takes)| takes),
            false => self.at.insert((operator, place), takes),
        };
        if before.is_some_and(|before| before != takes) {
            self.contradictions.push((operator, form));
        }
    }

    fn read(&mut self, row: &'static Row) {
        for (hole, takes) in row.takes.iter().filter(|(_, takes)| *takes != Takes::Passed) {
            let form = row.form;
            match readers(row.parts, *hole) {
                [Reader::Own(Own::Relation | Own::FiniteRelation)] => {
                    self.put(form, "Relates", 0, false, *takes);
                    self.put(form, "RelatedBy", 0, false, *takes);
                }
                [Reader::Own(Own::Participle)] => self.put(form, "Done", 0, true, *takes),
                [Reader::Own(Own::FactWith)] => self.put(form, "With", 0, false, *takes),
                [
                    Reader::Own(
                        Own::PlainAct
                        | Own::FiniteAct
                        | Own::DoneAct
                        | Own::SufferedAct
                        | Own::PlainEvent
                        | Own::FiniteEvent
                        | Own::BareEvent
                        | Own::DoneEvent,
                    ),
                ] => self.put(form, row.operator, 0, true, *takes),
                _ => {
                    let child = row.children.iter().position(|child| child.hole == Some(*hole));
                    if let Some((place, child)) = child.and_then(|place| Some((place, row.children.get(place)?))) {
                        self.put(form, row.operator, place, child.many, *takes);
                    }
                }
            }
        }
    }
}

/// What a hole of some parts may hold.
fn readers(parts: &'static [Part], wanted: usize) -> &'static [Reader] {
    for part in parts {
        match part {
            Part::Hole { hole, read, .. } if *hole == wanted => return read,
            Part::Option(inner) => match readers(inner, wanted) {
                [] => {}
                found => return found,
            },
            Part::Before | Part::Hole { .. } | Part::Words { .. } => {}
        }
    }
    &[]
}

/// Rows of the table that say of a child of their operator what another row says otherwise. There must be none: what a place
/// takes would hang on the order of the rows.
pub fn contradictions() -> &'static [(&'static str, Form)] {
    &takings().contradictions
}

/// What the children of operators take, by the whole table.
fn takings() -> &'static Takings {
    static ALL: OnceLock<Takings> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Takings::default();
        // The holes of clauses are asked for by their row.
        let phrases = ROWS.iter().filter(|row| !matches!(row.builder, Builder::Clause(_) | Builder::Data));
        phrases.for_each(|row| all.read(row));
        all
    })
}
