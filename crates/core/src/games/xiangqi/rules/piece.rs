//! Pieces: their sides, their kinds and their letters.

use crate::rules::Side;

/// The kinds of pieces, in the order of the game's sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Role {
    /// 帥 將
    General,
    /// 仕 士
    Advisor,
    /// 相 象
    Elephant,
    /// 馬
    Horse,
    /// 車
    Chariot,
    /// 炮 砲
    Cannon,
    /// 兵 卒
    Soldier,
}

impl Role {
    /// All roles, by number.
    pub const ALL: [Role; 7] =
        [Role::General, Role::Advisor, Role::Elephant, Role::Horse, Role::Chariot, Role::Cannon, Role::Soldier];

    /// The number of these pieces of a side at the start.
    pub const fn set(self) -> usize {
        match self {
            Role::General => 1,
            Role::Soldier => 5,
            _ => 2,
        }
    }

    /// The capital letter in position text.
    pub const fn letter(self) -> char {
        match self {
            Role::General => 'K',
            Role::Advisor => 'A',
            Role::Elephant => 'B',
            Role::Horse => 'N',
            Role::Chariot => 'R',
            Role::Cannon => 'C',
            Role::Soldier => 'P',
        }
    }

    /// The role of a letter in position text; `E` and `H` for elephant and horse are accepted too.
    pub fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Role::General,
            'A' => Role::Advisor,
            'B' | 'E' => Role::Elephant,
            'N' | 'H' => Role::Horse,
            'R' => Role::Chariot,
            'C' => Role::Cannon,
            'P' => Role::Soldier,
            _ => return None,
        })
    }
}

/// A piece: a side and a role in one small number; the first side's from 0, the second side's from 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(pub(super) u8);

impl Piece {
    /// The number of kinds of pieces of both sides.
    pub const KINDS: usize = 14;

    /// Every kind of piece, by [`index`](Piece::index).
    pub const ALL: [Piece; Piece::KINDS] = {
        let mut pieces = [Piece(0); Piece::KINDS];
        let mut index = 0;
        while index < pieces.len() {
            pieces[index] = Piece(index as u8);
            index += 1;
        }
        pieces
    };

    /// The piece of a side and role.
    #[inline(always)]
    pub const fn new(side: Side, role: Role) -> Piece {
        Piece(side as u8 * 7 + role as u8)
    }

    /// The side it belongs to.
    #[inline(always)]
    pub const fn side(self) -> Side {
        if self.0 < 7 { Side::First } else { Side::Second }
    }

    /// Its kind.
    #[inline(always)]
    pub const fn role(self) -> Role {
        /// By number, so that nothing is divided; the last two are filled up.
        const ROLES: [Role; 16] = {
            let mut roles = [Role::General; 16];
            let mut piece = 0;
            while piece < roles.len() {
                roles[piece] = Role::ALL[piece % 7];
                piece += 1;
            }
            roles
        };
        ROLES[self.0 as usize & 15]
    }

    /// Its number, below [`Piece::KINDS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter in position text: capital for the first side.
    pub fn letter(self) -> char {
        let letter = self.role().letter();
        if self.side() == Side::First { letter } else { letter.to_ascii_lowercase() }
    }
}
