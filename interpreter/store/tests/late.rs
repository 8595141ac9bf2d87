//! What stays bytes until somebody looks at it.

use std::cell::Cell;

use netrep_store::Late;
use serde::{Deserialize, Deserializer, Serialize};

thread_local! {
    /// How many lamps have been made of bytes.
    static MADE: Cell<usize> = const { Cell::new(0) };
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Lamp(String);

impl<'de> Deserialize<'de> for Lamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lamp, D::Error> {
        MADE.set(MADE.get() + 1);
        String::deserialize(deserializer).map(Lamp)
    }
}

fn lamp() -> Lamp {
    Lamp("a tall one".to_owned())
}

#[test]
fn what_was_kept_is_made_when_it_is_looked_at_and_once() {
    let bytes = postcard::to_stdvec(&(7_u8, Late::from(lamp()))).unwrap();
    let (number, kept): (u8, Late<Lamp>) = postcard::from_bytes(&bytes).unwrap();
    let again = postcard::to_stdvec(&(number, kept.clone())).unwrap();
    assert_eq!((number, MADE.get(), again), (7, 0, bytes.clone()), "it is copied and kept again as bytes");
    let (_, same): (u8, Late<Lamp>) = postcard::from_bytes(&bytes).unwrap();
    assert!(kept == same && MADE.get() == 0, "the same bytes are the same");
    assert_eq!((&*kept, &*kept, MADE.get()), (&lamp(), &lamp(), 1));
    assert_eq!(kept, Late::from(lamp()), "it is equal to one that was made here");
    assert_ne!(kept, Late::from(Lamp::default()));
    assert_eq!(format!("{same:?}"), format!("{:?}", lamp()));
}
