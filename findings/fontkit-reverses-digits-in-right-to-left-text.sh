#!/usr/bin/env bash
# Expected: a text that is shaped from right to left keeps its numbers readable: in "שלום 123" the glyphs stand, seen from the
# left, as 1 2 3 and then the word, as the Unicode bidirectional algorithm orders them.
# Seen: fontkit turns the whole text around, digits and Latin words too: 3 2 1. A text that begins in Latin is not turned at
# all, its Hebrew neither. Runs of one direction must be cut out before.
# fontkit 2.0.4, font of @expo-google-fonts/rubik 0.4.2; seen 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund fontkit@2.0.4 @expo-google-fonts/rubik@0.4.2 >/dev/null
cat > shape.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { create } from 'fontkit';

const font = create(readFileSync('node_modules/@expo-google-fonts/rubik/400Regular/Rubik_400Regular.ttf'));
// Hebrew letters are shown by their place in the alphabet, so that no terminal turns the line around.
const shown = ({ codePoints: [code] }) => (code >= 0x5D0 ? `h${code - 0x5D0}` : String.fromCodePoint(code));
for (const text of ['שלום', 'שלום 123', 'ab שלום']) console.log(font.layout(text).glyphs.map(shown).join('').replace(/ /g, '_'));
JS
seen=$(node shape.mjs)
echo "$seen"
[ "$seen" = 'h13h5h12h25
321_h13h5h12h25
ab_h25h12h5h13' ]
