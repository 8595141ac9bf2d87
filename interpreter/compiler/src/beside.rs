//! What is worked out of a linked program once, for all who ask as long as the program is held.
//!
//! Scenarios are read by the thousand under few programs: what each of them looks up in a program (names, citations, what
//! performs what) is found once for all.

use std::any::Any;
use std::sync::{Arc, Weak};

use netrep_ir::Program;

use crate::compiler::Compiler;
use crate::phrases::Phrases;

/// What was worked out, each with its program.
#[derive(Default)]
pub(crate) struct Beside {
    known: Vec<(Weak<Program>, Arc<dyn Any + Send + Sync>)>,
}

impl Beside {
    fn get<T: Any + Send + Sync>(&self, program: &Arc<Program>) -> Option<Arc<T>> {
        let own = self.known.iter().filter(|(of, _)| std::ptr::eq(of.as_ptr(), Arc::as_ptr(program)));
        own.filter_map(|(_, known)| Arc::clone(known).downcast().ok()).next()
    }

    fn keep<T: Any + Send + Sync>(&mut self, program: &Arc<Program>, new: Arc<T>) {
        self.known.retain(|(of, _)| of.strong_count() > 0);
        self.known.push((Arc::downgrade(program), new));
    }
}

impl Compiler {
    /// What `make` works out of a program, worked out once: of each type there is one for each program.
    pub fn beside<T: Any + Send + Sync>(&self, program: &Arc<Program>, make: impl FnOnce(&Program) -> T) -> Arc<T> {
        let known = self.beside.borrow().get(program);
        known.unwrap_or_else(|| {
            let new = Arc::new(make(program));
            self.beside.borrow_mut().keep(program, Arc::clone(&new));
            new
        })
    }
}

impl Phrases<'_> {
    /// What `make` works out of the program whose ids the phrases get, see [`Compiler::beside`].
    pub fn beside<T: Any + Send + Sync>(&self, make: impl FnOnce(&Program) -> T) -> Arc<T> {
        self.compiler.beside(&self.program, make)
    }
}
