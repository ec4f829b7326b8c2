//! The parameters of a search: margins, reductions and limits, which `qiju-tools tune GAME` tunes by games.

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

/// Late move reductions in 1024ths of a ply, by depth and number of the move.
pub type Reductions = [[i32; 64]; 64];

/// The reductions: the product of the logarithms of depth and number in plies, times `factor`, and `more` 1024ths of a ply.
pub fn reductions(factor: f64, more: i32) -> Box<Reductions> {
    let logarithms: [f64; 64] = std::array::from_fn(|number| (number as f64).ln());
    let mut table = Box::new([[0; 64]; 64]);
    for (row, depth) in table.iter_mut().zip(logarithms).skip(1) {
        for (reduction, number) in row.iter_mut().zip(logarithms).skip(1) {
            *reduction = (depth * number * factor * 1024.0) as i32 + more;
        }
    }
    table
}

/// Declares a struct of parameters, each with its value and its range.
macro_rules! parameters {
    ($(#[$about:meta])* $vis:vis struct $group:ident { $($(#[$doc:meta])* $name:ident: $value:literal in $least:literal..=$most:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis struct $group {
            $($(#[$doc])* pub(crate) $name: i32,)+
        }

        impl $group {
            /// All parameters, in order.
            pub const ALL: &'static [$crate::search::Parameter] = &[
                $($crate::search::Parameter { name: stringify!($name), value: $value, least: $least, most: $most },)+
            ];

            /// These values, in order, each cut to its range; the program's own for those that are missing.
            pub fn of(values: &[i32]) -> Self {
                let mut values = values.iter().copied();
                $group { $($name: values.next().map_or($value, |value| value.clamp($least, $most)),)+ }
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
        assert_eq!(Two::of(&[10, i32::MIN]), Two { first: 9, second: -8 });
    }
}
