#!/usr/bin/env python3
"""Makes the fonts of languages beyond Chinese and English, as subsets of Noto Sans CJK.

    scripts/fonts.py [COLLECTION]    Debian's package fonts-noto-cjk has the collection

A font has the characters that are usual in its language (the sets of the national standards) and all characters of the language's texts in
assets/lang. Needs fontTools.
"""

import re
import sys
from pathlib import Path

from fontTools import subset

ROOT = Path(__file__).parent.parent
COLLECTION = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def characters(encoding, leads, trails):
    """The characters that two bytes stand for in an encoding."""
    for lead in leads:
        for trail in trails:
            try:
                yield bytes([lead, trail]).decode(encoding)
            except UnicodeDecodeError:
                pass


def texts(*languages):
    """All characters of the texts of these languages, and their own names."""
    for language in languages:
        for file in (ROOT / "assets/lang").glob(f"*{language}.ron"):
            yield from file.read_text()
    yield from re.search(r"fn own_name.*?\n    }", (ROOT / "src/language.rs").read_text(), re.S)[0]


def between(*ranges):
    return "".join(chr(code) for first, last in ranges for code in range(first, last + 1))


# The name, the font of the collection, the characters.
FONTS = [
    # Latin with the letters of Europe and Vietnam, Cyrillic, arrows.
    ("latin", 2, [PRINTABLE, between((0xA0, 0x17F), (0x1A0, 0x1A1), (0x1AF, 0x1B0), (0x1EA0, 0x1EF9)),
                  between((0x400, 0x45F), (0x2013, 0x2026), (0x2190, 0x2193)), texts("vi", "ru")]),
    # JIS X 0208, level 1, with kana.
    ("ja", 0, [PRINTABLE, characters("shift_jis", range(0x81, 0x98), range(0x40, 0xFD)), texts("ja")]),
    # KS X 1001, syllables.
    ("ko", 1, [PRINTABLE, characters("euc_kr", range(0xB0, 0xC9), range(0xA1, 0xFF)), texts("ko")]),
    # Big5, level 1.
    ("zh-hant", 3, [PRINTABLE, characters("big5", range(0xA4, 0xC7), [*range(0x40, 0x7F), *range(0xA1, 0xFF)]), texts("zh-hant")]),
]


def main():
    collection = sys.argv[1] if len(sys.argv) > 1 else COLLECTION
    options = subset.Options(
        layout_features=[], hinting=False, desubroutinize=False, notdef_outline=True, name_IDs=[0, 1, 2, 13, 14], recalc_timestamp=False
    )
    for name, number, parts in FONTS:
        wanted = {character for part in parts for character in part if character.isprintable()}
        options.font_number = number
        font = subset.load_font(collection, options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(text="".join(sorted(wanted)))
        subsetter.subset(font)
        lacking = sorted(wanted - set(map(chr, font.getBestCmap())))
        file = ROOT / f"crates/core/assets/fonts/NotoSansCJK-{name}.otf"
        subset.save_font(font, str(file), options)
        print(f"{file.name}: {len(wanted) - len(lacking)} characters, {file.stat().st_size} bytes; not in Noto: {''.join(lacking)}")


main()
