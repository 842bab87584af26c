#!/usr/bin/env bash
# Expected: ActualText of a PDF says what is read in place of shapes, in the order in which it is read: a reader that knows
# it gives back "שלום" as it was said, like any other word.
# Seen: PDFium turns Hebrew and Arabic replacement texts around, letter by letter, as if they were shapes that stand from
# left to right. Texts of scripts that run from left to right it gives back as they are.
# @hyzyla/pdfium 2.1.13, file written by pdfkit 0.20.2; seen 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund pdfkit@0.20.2 @hyzyla/pdfium@2.1.13 >/dev/null
cat > read.mjs <<'JS'
import { buffer } from 'node:stream/consumers';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import PDFDocument from 'pdfkit';

const library = await PDFiumLibrary.init();
for (const [script, said] of [['Greek', 'Ελληνικά'], ['Devanagari', 'हिन्दी'], ['Hebrew', 'שלום'], ['Arabic', 'سلام']]) {
  const pdf = new PDFDocument();
  const written = buffer(pdf);
  pdf.markContent('Span', { actual: said });
  pdf.text('shapes', 50, 50, { lineBreak: false });
  pdf.endMarkedContent();
  pdf.end();
  const document = await library.loadDocument(await written);
  const read = document.getPage(0).getText().trim();
  console.log(script, read === said ? 'as said' : read === [...said].reverse().join('') ? 'turned around' : 'otherwise');
  document.destroy();
}
JS
seen=$(node read.mjs)
echo "$seen"
[ "$seen" = 'Greek as said
Devanagari as said
Hebrew turned around
Arabic turned around' ]
