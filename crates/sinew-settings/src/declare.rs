//! The declarations.

/// Declares a table of settings: a struct with public fields, its default, serde, and its [`Table`](crate::Table).
///
/// A key has its documentation, its type, its default, and rules: the functions of [`Key`](crate::Key) that return
/// `Self`. A check of its own may follow `=>`, a function from `&T` to `Result<(), String>`. Fields that are no
/// settings stand in a block after `and`.
#[macro_export]
macro_rules! settings {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),*)])?
        $visibility:vis struct $Table:ident {
            $(
                $(#[doc = $doc:literal])*
                $name:ident : $type:ty = $default:expr
                $(, $rule:ident ( $($argument:expr),* $(,)? ))*
                $(=> $check:expr)?;
            )*
        }
        $(and {
            $(
                $(#[doc = $other_doc:literal])*
                $other:ident : $other_type:ty
            ),* $(,)?
        })?
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq $($(, $derive)*)?)]
        $visibility struct $Table {
            $(
                $(#[doc = $doc])*
                pub $name: $type,
            )*
            $($(
                $(#[doc = $other_doc])*
                pub $other: $other_type,
            )*)?
        }

        impl Default for $Table {
            fn default() -> Self {
                Self {
                    $($name: $default,)*
                    $($($other: Default::default(),)*)?
                }
            }
        }

        impl $crate::Settings for $Table {
            const TABLE: $crate::Table = $crate::Table {
                name: stringify!($Table),
                about: &[$($about),*],
                keys: &[$(
                    $crate::Key::new(
                        stringify!($name),
                        &[$($doc),*],
                        <$type as $crate::Value>::KIND,
                        <$type as $crate::Value>::IS_OPTIONAL,
                        || {
                        let value: $type = $default;
                        $crate::to_toml(&value)
                    })
                    $(.$rule($($argument),*))*
                ),*],
            };

            const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            fn read_key<'de, M: $crate::serde::de::MapAccess<'de>>(
                &mut self,
                key: &'static $crate::Key,
                map: &mut M,
            ) -> Result<(), M::Error> {
                $(
                    if key.name == stringify!($name) {
                        self.$name = map.next_value_seed($crate::KeyReader::<$type>::new(key)$(.and($check))?)?;
                    }
                )*
                Ok(())
            }
        }

        impl $crate::Value for $Table {
            const KIND: $crate::Kind = $crate::Kind::Table(&<Self as $crate::Settings>::TABLE);
        }

        impl $crate::serde::Serialize for $Table {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                let mut keys = <Self as $crate::Settings>::TABLE.keys.iter();
                $(
                    if let Some(key) = keys.next() {
                        $crate::write_key(&mut map, key, &self.$name)?;
                    }
                )*
                $crate::serde::ser::SerializeMap::end(map)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $Table {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::read(deserializer)
            }
        }
    };
}

/// Declares the names that a setting can have: an enum, its default after `=`, and the name of each variant.
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $about:literal])*
        $visibility:vis enum $Choices:ident = $default:ident {
            $(
                $(#[doc = $doc:literal])*
                $Variant:ident = $name:literal
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $Choices {
            $(
                $(#[doc = $doc])*
                $Variant,
            )*
        }

        impl $Choices {
            /// Every choice, in the order of the help.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$Variant),*];

            /// The name in recipes and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)*
                }
            }
        }

        impl Default for $Choices {
            fn default() -> Self {
                Self::$default
            }
        }

        impl std::fmt::Display for $Choices {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $Choices {
            type Err = String;

            fn from_str(name: &str) -> Result<Self, String> {
                let known = Self::ALL.into_iter().find(|choice| choice.name() == name);
                known.ok_or_else(|| format!("\"{name}\" is not one of {}", Self::ALL.map(Self::name).join(", ")))
            }
        }

        impl $crate::Value for $Choices {
            const KIND: $crate::Kind = $crate::Kind::Choice(&$crate::Choices {
                name: stringify!($Choices),
                about: &[$($about),*],
                all: &[$($crate::Choice { name: $name, about: &[$($doc),*] }),*],
            });
        }

        impl $crate::serde::Serialize for $Choices {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $Choices {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as $crate::serde::Deserialize>::deserialize(deserializer)?;
                let known = Self::ALL.into_iter().find(|choice| choice.name() == name);
                known.ok_or_else(|| $crate::serde::de::Error::unknown_variant(&name, &[$($name),*]))
            }
        }
    };
}
