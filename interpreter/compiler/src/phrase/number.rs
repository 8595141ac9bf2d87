//! Numbers.

use netrep_diagnostics::Code;

use super::chart::{Cells, Chart, Clash, Found, T};
use super::forms::Category;
use super::sorts::sort_text;
use super::tree::{Op, Sort};

impl Chart<'_> {
    /// Numbers where nothing else can stand: what is found instead is refused.
    pub(super) fn number_at(&self, at: usize) -> Cells {
        let numbers = self.cell(Category::Number, at);
        if numbers.is_empty() {
            for (end, np) in self.cell(Category::One, at).iter() {
                self.refuse_number(np, at, *end);
            }
        }
        numbers
    }

    pub(super) fn refuse_number(&self, np: &T, at: usize, end: usize) {
        self.refuse(|| Clash {
            code: Code::WrongSort,
            from: at,
            to: end,
            end,
            message: format!("a number is meant here, but this is {}", sort_text(&np.sort)),
            help: None,
        });
    }

    /// One number, and what it is against somebody or in certain cases.
    pub(super) fn read_atom(&self, at: usize) -> Found {
        let mut found = self.by_rows(Category::Atom, at);
        for (end, n) in found.clone() {
            found.extend(self.going_on(Category::AfterAtom, end, &n));
        }
        found
    }

    /// A literal is negated in place, anything else by a product.
    pub(super) fn negated(&self, n: &T, at: usize, end: usize) -> T {
        match n.op {
            Op::Int(i) => self.tree(Op::Int(i.saturating_neg()), Sort::Number, vec![], at, end),
            _ => {
                let minus = self.tree(Op::Int(-1), Sort::Number, vec![], at, at + 1);
                self.tree(Op::Mul, Sort::Number, vec![minus, n.clone()], at, end)
            }
        }
    }
}
