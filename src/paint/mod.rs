//! The board, the men and the marks as pictures, drawn at exactly the pixels they are shown at.
