import { expect, it } from '@jest/globals';
import { misplacedPieces, readPdf } from './pdf.ts';

/** Makes a PDF of one page, 200 × 100 points, with texts of 10 points that begin at these positions. */
function pdfOf(texts: readonly (readonly [text: string, left: number, baseline: number])[]): Buffer {
  const content = texts.map(([text, left, baseline]) => `BT /F 10 Tf ${left} ${baseline} Td (${text}) Tj ET`).join('\n');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ].map((object, place) => `${place + 1} 0 obj${object}endobj\n`);
  const start = '%PDF-1.4\n';
  const offsets = objects.map((_, place) => start.length + objects.slice(0, place).join('').length);
  const entries = ['0000000000 65535 f \n', ...offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)];
  const body = start + objects.join('');
  return Buffer.from(`${body}xref\n0 ${entries.length}\n${entries.join('')}trailer<</Size ${entries.length}/Root 1 0 R>>\n`
    + `startxref\n${body.length}\n%%EOF`);
}

it('a PDF is read in lines, and each text has its place', async () => {
  const [page] = await readPdf(pdfOf([['total', 20, 80], ['12', 100, 80], ['below', 20, 60]]));
  expect(page).toMatchObject({ width: 200, height: 100, text: 'total 12\nbelow' });
  expect(page!.pieces[1]).toMatchObject({ text: '12', left: 100, top: 13, bottom: 20 });
  expect(misplacedPieces(page!)).toEqual([]);
});

it('texts that cover each other or reach over the border are found', async () => {
  const [page] = await readPdf(pdfOf([['one', 20, 80], ['two', 25, 83], ['cut', 195, 50], ['high', 20, 96]]));
  expect(misplacedPieces(page!)).toEqual([
    '"cu" reaches over the border', '"high" reaches over the border', '"one" and "two" cover each other',
  ]);
});

it('a broken PDF is refused', async () => {
  const pdf = pdfOf([['total', 20, 80]]);
  await expect(readPdf(pdf.subarray(0, 100))).rejects.toThrow(Error);
});
