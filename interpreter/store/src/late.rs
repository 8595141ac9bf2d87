//! What an earlier process has made and few look at: it stays bytes until somebody does.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::de::{DeserializeOwned, Error, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Something that is made of its bytes when it is first looked at.
pub struct Late<T> {
    /// None if it was made here.
    bytes: Option<Arc<[u8]>>,
    made: OnceLock<T>,
}

impl<T> From<T> for Late<T> {
    fn from(made: T) -> Late<T> {
        Late { bytes: None, made: OnceLock::from(made) }
    }
}

impl<T: Default + DeserializeOwned> Deref for Late<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.made.get_or_init(|| {
            match self.bytes.as_deref().map(postcard::from_bytes) {
                Some(Ok(made)) => made,
                // The store gives no bytes but those that this program has written for what it reads them as.
                _ => T::default(),
            }
        })
    }
}

impl<T: Clone> Clone for Late<T> {
    fn clone(&self) -> Late<T> {
        Late { bytes: self.bytes.clone(), made: self.made.clone() }
    }
}

impl<T: Default> Default for Late<T> {
    fn default() -> Late<T> {
        T::default().into()
    }
}

impl<T: Default + DeserializeOwned + PartialEq> PartialEq for Late<T> {
    fn eq(&self, other: &Late<T>) -> bool {
        self.bytes.is_some() && self.bytes == other.bytes || **self == **other
    }
}

impl<T: Default + DeserializeOwned + Eq> Eq for Late<T> {}

impl<T: Default + DeserializeOwned + fmt::Debug> fmt::Debug for Late<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: Default + DeserializeOwned + Serialize> Serialize for Late<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.bytes {
            Some(bytes) => serializer.serialize_bytes(bytes),
            None => serializer.serialize_bytes(&postcard::to_stdvec(&**self).map_err(S::Error::custom)?),
        }
    }
}

impl<'de, T> Deserialize<'de> for Late<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Late<T>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Arc<[u8]>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Arc<[u8]>, E> {
                Ok(bytes.into())
            }
        }
        Ok(Late { bytes: Some(deserializer.deserialize_bytes(Bytes)?), made: OnceLock::new() })
    }
}
