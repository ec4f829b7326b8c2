#!/usr/bin/env python3
"""Makes the signs of English texts: the ellipsis on the baseline, and the sign of plus and minus.

Noto Sans SC has the Chinese ellipsis, which is centred, and no plus-minus. Both are composed of its own glyphs. Needs fontTools.
"""

from pathlib import Path

from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "crates/core/assets/fonts/NotoSansSC-gb1.ttf"


def main():
    source = TTFont(SOURCE)
    glyphs, names = source.getGlyphSet(), source.getBestCmap()

    def draw(*parts):
        pen = TTGlyphPen(None)
        for sign, x, y in parts:
            glyphs[names[ord(sign)]].draw(TransformPen(pen, (1, 0, 0, 1, x, y)))
        return pen.glyph()

    dot, plus = glyphs[names[ord(".")]].width, glyphs[names[ord("+")]].width
    dash = glyphs[names[ord("-")]].width
    shapes = {
        ".notdef": (draw(), 500),
        "ellipsis": (draw((".", 0, 0), (".", dot, 0), (".", 2 * dot, 0)), 3 * dot),
        "plusminus": (draw(("+", 0, 90), ("-", (plus - dash) // 2, -280)), plus),
    }
    builder = FontBuilder(source["head"].unitsPerEm, isTTF=True)
    builder.setupGlyphOrder(list(shapes))
    builder.setupCharacterMap({0x2026: "ellipsis", 0xB1: "plusminus"})
    builder.setupGlyf({name: shape for name, (shape, _) in shapes.items()})
    left = {name: shape.xMin if shape.numberOfContours else 0 for name, (shape, _) in shapes.items()}
    builder.setupHorizontalMetrics({name: (width, left[name]) for name, (_, width) in shapes.items()})
    builder.setupHorizontalHeader(ascent=source["hhea"].ascent, descent=source["hhea"].descent)
    builder.setupOS2(sTypoAscender=source["OS/2"].sTypoAscender, sTypoDescender=source["OS/2"].sTypoDescender)
    builder.setupNameTable({"familyName": "Qiju Signs", "styleName": "Regular"})
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = source["head"].modified
    builder.font.recalcTimestamp = False
    builder.save(ROOT / "assets/fonts/NotoSansSC-signs.ttf")


main()
