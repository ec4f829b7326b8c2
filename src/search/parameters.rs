//! The parameters of a search: margins, reductions and limits, which `qiju train GAME search` tunes by games.

/// A parameter with its own value and the range in which it is tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value in the program.
    pub value: i32,
    /// The least value.
    pub least: i32,
    /// The greatest value.
    pub most: i32,
}

/// Declares a struct of parameters, each with its value and its range.
macro_rules! parameters {
    ($(#[$about:meta])* $vis:vis struct $group:ident { $($(#[$doc:meta])* $name:ident: $value:literal in $least:literal..=$most:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis struct $group {
            $($(#[$doc])* pub $name: i32,)+
        }

        impl $group {
            /// All parameters, in order.
            #[cfg(any(test, feature = "training"))]
            pub const ALL: &'static [$crate::search::Parameter] = &[
                $($crate::search::Parameter { name: stringify!($name), value: $value, least: $least, most: $most },)+
            ];

            /// These values, in order; the program's own for those that are missing.
            pub fn of(values: &[i32]) -> Self {
                let mut values = values.iter().copied();
                $group { $($name: values.next().unwrap_or($value),)+ }
            }
        }
    };
}

pub(crate) use parameters;

#[cfg(test)]
mod tests {
    parameters! {
        /// Two parameters.
        struct Two {
            /// The first.
            first: 3 in 0..=9,
            /// The second.
            second: -4 in -8..=-1,
        }
    }

    #[test]
    fn values_are_taken_in_order() {
        let named: Vec<(&str, i32, i32, i32)> = Two::ALL.iter().map(|one| (one.name, one.value, one.least, one.most)).collect();
        assert_eq!(named, [("first", 3, 0, 9), ("second", -4, -8, -1)]);
        assert_eq!(Two::of(&[]), Two { first: 3, second: -4 });
        assert_eq!(Two::of(&[5]), Two { first: 5, second: -4 });
        assert_eq!(Two::of(&[5, -2, 7]), Two { first: 5, second: -2 });
    }
}
