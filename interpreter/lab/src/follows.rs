//! What a position leaves open and the steps that it has behind it decide.

use std::sync::Arc;

use netrep_engine::{Game, ThingId};

use crate::driver::start;
use crate::nesting::evident;
use crate::prepare::Prepared;

/// What is so at the first decision of a scenario because of steps that its position has behind it, and not because it says
/// so: for each such fact the thing and what has come of it.
pub fn follows(prepared: &Prepared) -> Vec<String> {
    let laid = Game::laid_out(Arc::clone(&prepared.program), prepared.position.setup.clone());
    let (Ok(game), Ok(laid)) = (start(prepared), laid) else {
        // total: from a position that cannot be set up nothing follows; that is told where it is run
        return Vec::new();
    };
    let mut told = Vec::new();
    for attr in evident(&prepared.program) {
        let Some(decl) = prepared.program.attrs.get(attr.index()) else { continue };
        let has_it = |thing: &ThingId| laid.class_of(*thing).is_some_and(|class| decl.classes.contains(&class));
        for thing in (0..laid.things()).map(ThingId::from_index).filter(has_it) {
            let now = game.value_words(attr, thing);
            if now != laid.value_words(attr, thing) {
                told.push(format!("{} of {} is {now}", decl.name, game.thing_words(thing)));
            }
        }
    }
    told
}
