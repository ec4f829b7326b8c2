//! One step of depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees", 2002) with the weak proof numbers of Ueda and others (2008), for
//! the engine and for the maker of proofs: the numbers of a position from those of its children, and the child to be searched next.

/// The number of what cannot be proven, or disproven.
pub const INFINITE: u32 = 100_000_000;

/// How much is left to prove, and to disprove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// 0 if it is proven.
    pub proof: u32,
    /// 0 if it is disproven.
    pub disproof: u32,
}

impl Numbers {
    /// Of a position that is not decided and of which nothing is known.
    pub const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1 };
    /// Limits that only a decided position reaches.
    pub const UNLIMITED: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    /// Whether it is proven or disproven.
    pub fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// The children of a position, of which one is chosen. The attacker chooses the child with the least to prove, the defender the one with the least to disprove.
pub struct Children<M> {
    attacking: bool,
    /// The least and the second number of the side to move.
    least: u32,
    second: u32,
    /// The largest number of the other side, and how many are above 0.
    most: u32,
    open: u32,
    chosen: Option<(M, Numbers)>,
}

impl<M: Copy> Children<M> {
    /// No children yet, of a position in which the attacker is to move or not.
    pub fn new(attacking: bool) -> Self {
        Children { attacking, least: INFINITE, second: INFINITE, most: 0, open: 0, chosen: None }
    }

    /// Adds the child after a move.
    #[inline]
    pub fn add(&mut self, mv: M, numbers: Numbers) {
        let Numbers { proof, disproof } = numbers;
        let (own, other) = if self.attacking { (proof, disproof) } else { (disproof, proof) };
        if own < self.least {
            (self.second, self.least) = (self.least, own);
            self.chosen = Some((mv, numbers));
        } else if own < self.second {
            self.second = own;
        }
        if other > 0 {
            self.open += 1;
            self.most = self.most.max(other);
        }
    }

    /// The numbers of the position. The other side's is the largest of the children and one for each other child: a sum would count what several children
    /// share more than once.
    #[inline]
    pub fn numbers(&self) -> Numbers {
        let sum = if self.open == 0 { 0 } else { (self.most + self.open - 1).min(INFINITE) };
        if self.attacking { Numbers { proof: self.least, disproof: sum } } else { Numbers { proof: sum, disproof: self.least } }
    }

    /// The move to be searched next, and the limits within which it stays the best or changes this position within `limits`; `None` if the position is decided or
    /// has reached them.
    #[inline]
    pub fn next(&self, limits: Numbers) -> Option<(M, Numbers)> {
        let Numbers { proof, disproof } = self.numbers();
        if proof == 0 || disproof == 0 || proof >= limits.proof || disproof >= limits.disproof {
            return None;
        }
        let (mv, child) = self.chosen?;
        let next = self.second.saturating_add(1 + self.second / 4);
        let within = if self.attacking {
            let disproof = (limits.disproof - disproof).saturating_add(child.disproof).min(INFINITE);
            Numbers { proof: limits.proof.min(next), disproof }
        } else {
            let proof = (limits.proof - proof).saturating_add(child.proof).min(INFINITE);
            Numbers { proof, disproof: limits.disproof.min(next) }
        };
        Some((mv, within))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(attacking: bool, children: &[(u32, u32)]) -> Children<usize> {
        let mut all = Children::new(attacking);
        children.iter().enumerate().for_each(|(at, &(proof, disproof))| all.add(at, Numbers { proof, disproof }));
        all
    }

    #[test]
    fn the_side_to_move_takes_the_child_that_is_easiest_for_it() {
        // (attacking, children, numbers, next move with its limits within 100 each)
        let cases = [
            (true, &[(5, 2), (3, 4), (8, 1)][..], (3, 6), Some((1, (7, 98)))),
            (false, &[(5, 2), (3, 4), (8, 1)][..], (10, 1), Some((2, (98, 3)))),
            (true, &[(5, 2), (0, INFINITE)][..], (0, INFINITE), None),
            (false, &[(0, INFINITE), (0, INFINITE)][..], (0, INFINITE), None),
            (true, &[(INFINITE, 0)][..], (INFINITE, 0), None),
            (true, &[(100, 1)][..], (100, 1), None),
            (true, &[][..], (INFINITE, 0), None),
        ];
        for (attacking, children, (proof, disproof), next) in cases {
            let children = of(attacking, children);
            assert_eq!(children.numbers(), Numbers { proof, disproof });
            let limits = Numbers { proof: 100, disproof: 100 };
            let told = children.next(limits).map(|(mv, within)| (mv, (within.proof, within.disproof)));
            assert_eq!(told, next, "{proof} {disproof}");
        }
    }
}
