//! Verbs and their frames: active, passive, participle.

use netrep_diagnostics::Code;

use super::chart::{Chart, Clash, Found, Hit, T, count, gap, shown};
use super::forms::{Category, duration};
use super::predicate::Attribution;
use super::sorts::sort_text;
use super::term::{Detail, Frame, Group, Role, Use};
use super::tree::{Lasting, Op, Sort, TermKind};

/// The roles filled so far.
type Filled = Vec<Option<T>>;

/// A frame being read.
struct Reading<'f> {
    frame: &'f Frame,
    /// The subject may follow as `by NP`.
    passive: bool,
    /// Prepositional roles may be left free.
    free: bool,
    /// Where the verb ends, to measure attachments.
    verb_end: usize,
    /// The verb as it is spelled, for messages.
    verb: String,
}

impl Chart<'_> {
    /// The verbs at a place in one of the uses.
    pub(super) fn verbs(&self, at: usize, uses: &[Use]) -> Vec<Hit> {
        let mut hits: Vec<Hit> =
            self.hits_of(at, TermKind::Verb).into_iter().filter(|h| uses.contains(&h.used)).collect();
        hits.dedup_by(|a, b| a.term.key == b.term.key && a.end == b.end);
        if hits.is_empty() {
            self.expect(at, "a verb");
        }
        hits
    }

    /// The roles after an active verb. Without a subject the frame must allow that, unless the roles are free.
    pub(super) fn active(&self, hit: &Hit, subject: Option<&T>, free: bool) -> Vec<(usize, Vec<T>, u32)> {
        // total: only a verb has roles
        let Detail::Verb { frame } = &hit.term.detail else { return Vec::new() };
        let mut filled: Filled = vec![None; frame.roles.len()];
        match (frame.subject(), subject) {
            (Some(i), Some(np)) => {
                let role = &frame.roles[i];
                if !self.fits_param(&np.sort, &role.param) {
                    self.refuse_role(&shown(&hit.term), role, np, hit.end);
                    return Vec::new();
                }
                filled[i] = Some(np.clone());
            }
            (None, Some(np)) => {
                self.refuse(|| Clash {
                    code: Code::NoSubjectHere,
                    from: np.from,
                    to: np.to,
                    end: hit.end,
                    message: format!("`{}` has no subject", shown(&hit.term)),
                    help: Some(
                        "leave the subject out, or say it in the passive; of who may do it say `X may { … }`"
                            .to_owned(),
                    ),
                });
                return Vec::new();
            }
            (Some(i), None) if !free && !frame.roles[i].optional => {
                self.refuse(|| Clash {
                    code: Code::SubjectMissing,
                    from: hit.end.saturating_sub(1),
                    to: hit.end,
                    end: hit.end,
                    message: format!(
                        "`{}` needs a subject: {}",
                        shown(&hit.term),
                        self.param_text(&frame.roles[i].param)
                    ),
                    help: Some("say who does it, or bracket the subject in the verb's declaration".to_owned()),
                });
                return Vec::new();
            }
            _ => {}
        }
        let price = match (frame.subject(), subject) {
            (Some(i), Some(np)) => self.name_price(np, &frame.roles[i].param),
            _ => 0,
        };
        let reading = Reading { frame, passive: false, free, verb_end: hit.end, verb: shown(&hit.term) };
        self.finish(&reading, hit.end, filled, price)
    }

    /// The roles after a passive verb, whose object is said already.
    pub(super) fn passive(&self, hit: &Hit, object: &T) -> Vec<(usize, Vec<T>, u32)> {
        // total: only a verb has roles
        let Detail::Verb { frame } = &hit.term.detail else { return Vec::new() };
        let Some(i) = frame.object() else {
            self.refuse(|| Clash {
                code: Code::NoPassive,
                from: hit.end.saturating_sub(1),
                to: hit.end,
                end: hit.end,
                message: format!("`{}` has no object, so it has no passive", shown(&hit.term)),
                help: None,
            });
            return Vec::new();
        };
        let role = &frame.roles[i];
        if !self.fits_param(&object.sort, &role.param) {
            self.refuse_role(&shown(&hit.term), role, object, hit.end);
            return Vec::new();
        }
        let mut filled: Filled = vec![None; frame.roles.len()];
        filled[i] = Some(object.clone());
        let reading = Reading { frame, passive: true, free: true, verb_end: hit.end, verb: shown(&hit.term) };
        self.finish(&reading, hit.end, filled, self.name_price(object, &role.param))
    }

    /// A participle after a noun of the sort, with at least one role or a duration.
    pub(super) fn participle(&self, at: usize, hit: &Hit, sort: &Sort) -> Vec<Attribution> {
        let object = match &hit.term.detail {
            Detail::Verb { frame } => frame.object().filter(|i| self.fits_param(sort, &frame.roles[*i].param)),
            _ => None,
        };
        // total: what cannot suffer it is not described by having suffered it
        let Some(object) = object else { return Vec::new() };
        let it = self.tree(Op::It, sort.clone(), vec![], at, at);
        let mut found = Vec::new();
        for (end, mut kids, spread) in self.passive(hit, &it) {
            if let Some(slot) = kids.get_mut(object) {
                *slot = self.absent(at);
            }
            let bare = kids.iter().all(|k| k.op == Op::Absent);
            let mut push = |to: usize, lasting: Option<Box<Lasting>>| {
                let op = Op::Done(hit.term.key.clone(), lasting);
                let mut tree = self.raw(op, Sort::Predicate, kids.clone(), at, to);
                tree.spread += spread + if to > end { gap(hit.end, end) } else { 0 };
                tree.merged += super::chart::width((at, hit.end));
                found.push(Attribution { end: to, tree: T::new(tree) });
            };
            if !bare {
                push(end, None);
            }
            for (to, lasting) in self.lasting(end) {
                push(to, Some(Box::new(lasting)));
            }
        }
        found
    }

    /// Fills what is left of the frame, group by group.
    fn finish(&self, reading: &Reading<'_>, at: usize, filled: Filled, price: u32) -> Vec<(usize, Vec<T>, u32)> {
        let mut out = Vec::new();
        let start = reading
            .frame
            .groups
            .iter()
            .enumerate()
            .filter(|(_, g)| g.role.is_some_and(|r| matches!(filled.get(r), Some(Some(_)))))
            .fold(0u64, |used, (i, _)| used | 1 << i);
        self.finish_from(reading, at, &filled, start, price, &mut out);
        out
    }

    fn finish_from(
        &self,
        reading: &Reading<'_>,
        at: usize,
        filled: &Filled,
        used: u64,
        spread: u32,
        out: &mut Vec<(usize, Vec<T>, u32)>,
    ) {
        let groups = &reading.frame.groups;
        let free = |g: &Group| g.optional || (reading.free && g.role.is_some() && !g.before.is_empty());
        let is_used = |i: usize| used & (1 << i) != 0;
        if groups.iter().enumerate().all(|(i, g)| is_used(i) || free(g)) {
            let kids = filled.iter().map(|f| self.or_absent(f.clone(), at)).collect();
            // Of verbs that are spelled the same, the one is meant whose frame leaves nothing out.
            let left_out = groups.iter().enumerate().filter(|(i, g)| !is_used(*i) && !g.optional).count();
            out.push((at, kids, spread.saturating_add(count(left_out))));
        }
        for (i, group) in groups.iter().enumerate().take(60) {
            if is_used(i) {
                continue;
            }
            if let Some(start) = self.spelled(at, &group.before) {
                match group.role.and_then(|r| reading.frame.roles.get(r).map(|role| (r, role))) {
                    None => self.finish_from(reading, start, filled, used | 1 << i, spread, out),
                    Some((r, role)) => {
                        for (end, value) in self.role_values(reading, role, start) {
                            let Some(end) = self.spelled(end, &group.after) else { continue };
                            let mut filled = filled.clone();
                            let spread = spread + gap(reading.verb_end, at) + self.name_price(&value, &role.param);
                            if let Some(slot) = filled.get_mut(r) {
                                *slot = Some(value);
                            }
                            self.finish_from(reading, end, &filled, used | 1 << i, spread, out);
                        }
                    }
                }
            }
            // Later groups may only stand before this one if it is a phrase with a preposition, or may be left out.
            if !(group.optional || group.role.is_some() && !group.before.is_empty()) {
                break;
            }
        }
        if reading.passive
            && let Some(i) = reading.frame.subject().filter(|i| matches!(filled.get(*i), Some(None)))
            && self.word(at, "by")
        {
            for (end, value) in self.role_values(reading, &reading.frame.roles[i], at + 1) {
                let mut filled = filled.clone();
                filled[i] = Some(value);
                self.finish_from(reading, end, &filled, used, spread + gap(reading.verb_end, at), out);
            }
        }
    }

    /// The values that may fill a role, noting those that do not fit.
    fn role_values(&self, reading: &Reading<'_>, role: &Role, at: usize) -> Found {
        let number = role.param.types.iter().any(|t| self.type_sort(t) == Sort::Number);
        let mut found = Found::new();
        for (end, np) in self.cell(Category::Np, at).iter() {
            if self.fits_param(&np.sort, &role.param) {
                if np.sort != Sort::Number {
                    found.push((*end, np.clone()));
                }
            } else {
                self.refuse_role(&reading.verb, role, np, *end);
            }
        }
        if number {
            found.extend(self.cell(Category::Number, at).iter().cloned());
        } else if found.is_empty() {
            for (end, n) in self.cell(Category::Number, at).iter() {
                self.refuse_role(&reading.verb, role, n, *end);
            }
        }
        found
    }

    fn refuse_role(&self, verb: &str, role: &Role, found: &T, end: usize) {
        // A label that several things may bind is refused only if none of them fits.
        if let Op::Label(label) = &found.op
            && self.label_sorts(label, found.from).iter().any(|sort| self.fits_param(sort, &role.param))
        {
            return;
        }
        let wanted = self.param_text(&role.param);
        let things = |s: &Sort| matches!(s, Sort::Thing(_) | Sort::AnyThing);
        let both = things(&found.sort) && role.param.types.iter().all(|t| things(&self.type_sort(t)));
        self.refuse(|| Clash {
            code: if both { Code::WrongTarget } else { Code::WrongSort },
            from: found.from,
            to: found.to,
            end,
            message: format!("`{verb}` wants {wanted} here, but this is {}", sort_text(&found.sort)),
            help: None,
        });
    }

    /// The durations that may follow.
    pub(super) fn lasting(&self, at: usize) -> Vec<(usize, Lasting)> {
        let found = self.cell(Category::Lasting, at);
        found.iter().filter_map(|(end, tree)| duration(tree).map(|lasting| (*end, lasting))).collect()
    }

    /// The tree of a verb: its words save room, its roles have a price.
    pub(super) fn verb_tree(
        &self,
        op: Op,
        sort: Sort,
        span: (usize, usize),
        verb: (usize, usize),
        kids: Vec<T>,
        price: u32,
    ) -> (usize, T) {
        let mut tree = self.raw(op, sort, kids, span.0, span.1);
        tree.merged += super::chart::width(verb);
        tree.spread += price;
        (span.1, T::new(tree))
    }
}
