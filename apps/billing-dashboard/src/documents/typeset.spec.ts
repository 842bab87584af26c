import { constants, inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { DeadlineExceeded, deadlineIn } from '@platform/service';
import { misplacedPieces, readPdf } from '@platform/testing';
import { difficultNames, monthDocument, namedRow } from '../fixtures/month-document.ts';
import { createTypeset } from './typeset.ts';

const typeset = createTypeset();

/** Returns the decompressed content of a PDF stream; empty if the stream is not compressed. */
function inflated(stream: string): string {
  try {
    return inflateSync(Buffer.from(stream, 'latin1'), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
  } catch {
    return '';
  }
}

/** Decodes the escape sequences of a PDF string. */
function unescaped(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  return text.replaceAll(/\\([^])/g, (_, letter: string) => letters[letter] ?? letter);
}

describe('a document', () => {
  it('has a title page with the totals, charts, and tables whose heads are on each of their pages', async () => {
    const rows = Array.from({ length: 90 }, (_, place) => namedRow(`orders-${place}`, place));
    const pages = await readPdf(await typeset(monthDocument(rows), deadlineIn(60_000)));
    expect(pages.map(({ text }) => /Page (\d+) of (\d+)/.exec(text)?.slice(1).map(Number)))
      .toEqual(pages.map((_, place) => [place + 1, pages.length]));
    const [title, charts, ...tables] = pages.map(({ text }) => text);
    expect(title).toMatch(/Acme 平台[^]*Database usage[^]*acme, January 2026[^]*Final since 2026-03-08T00:00:00Z/);
    expect(title).toMatch(/All usage +87,939,076\.665 +core-minutes +392,144,258\.040 +GiB-minutes/);
    expect(title).toMatch(/Billable +35,175\.631\d* +core-months +156,861\.020* +GiB-months/);
    expect(charts).toMatch(/CPU, core-minutes per day[^]*Memory, GiB-minutes per day/);
    expect(charts).toMatch(/Other kinds/);
    expect(tables[0]).toMatch(/Usage by contract[^]*No usage[^]*Usage by object/);
    expect(tables.length).toBeGreaterThan(3);
    for (const text of tables) expect(text).toMatch(/Object +core-min +GiB-min/);
    const shown = tables.flatMap((text) => [...text.matchAll(/orders-(\d+) /g)].map(([, place]) => Number(place)));
    expect(shown).toEqual(rows.map((_, place) => place));
    expect(pages.flatMap(misplacedPieces)).toEqual([]);
  }, 60_000);

  it('shows the letters of every name, on the page and beside each other', async () => {
    const pages = await readPdf(await typeset(
      monthDocument(difficultNames.map((name, place) => namedRow(name, place, place % 3 === 1))), deadlineIn(60_000)));
    expect(pages.flatMap(misplacedPieces)).toEqual([]);
    const text = pages.map((page) => page.text).join('\n');
    const letters = text.replaceAll(/\s|[\u200E\u200F\u202A-\u202E]/g, '');
    for (const part of [
      'שלום', 'עולם', '数据库订单系统', 'データベース注文', '데이터베이스', '🚀', 'ქართული', 'Ελληνικά', '[U+13000]', 'evil\uFFFDgnp.exe\uFFFDnext',
      '(Tj)ET\\n%%EOFendobj', '<script>alert(1)</script>',
    ]) expect(letters).toContain(part);
    expect(letters.match(/a{20,}/g)!.join('').length).toBe(400);
    expect(letters.match(/m{20,}/g)!.join('').length).toBe(1_024);
    expect(letters.match(/\[U\+13001\]/g)).toHaveLength(500);
  }, 60_000);

  it('says what a line reads where its letters are shaped', async () => {
    // From the glyphs alone, PDFium would read the first two letters of the first name in the wrong order.
    const names = ['हिन्दी डेटाबेस', 'Ελληνικά', '\u{20BB7}野家'];
    const rows = [...names, 'ثلاث درجات', 'שלום (test) 12'].map((name, place) => namedRow(name, place));
    const pdf = Buffer.from(await typeset(monthDocument(rows), deadlineIn(60_000))).toString('latin1');
    const contents = pdf.split(/stream\r?\n/).map(inflated).filter((stream) => stream.includes('/ActualText'));
    const said = contents.flatMap((stream) => [...stream.matchAll(/\/ActualText \(((?:\\[^]|[^\\)])*)\)/g)])
      .map(([, text]) => Buffer.from(unescaped(text!), 'latin1').swap16().toString('utf16le').replace('\uFEFF', ''));
    expect(said).toEqual(expect.arrayContaining(names));
    expect(said.filter((text) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text))).toEqual([]);
    const counted = (what: RegExp) => contents.join('\n').match(what)!.length;
    expect(counted(/^EMC$/gm)).toBe(counted(/ BDC$/gm));
  }, 60_000);

  it('says of each of many letters which one it is', async () => {
    const lettersOf = (first: number) => Array.from({ length: 300 }, (_, place) => String.fromCodePoint(first + 7 * place));
    const [han, hangul] = [lettersOf(0x4E00), lettersOf(0xAC00)];
    const rows = [han, hangul].map((letters, place) => namedRow(letters.join(''), place));
    const pdf = Buffer.from(await typeset(monthDocument([...rows, namedRow('\u{20BB7}', 2)]), deadlineIn(60_000)));
    const text = (await readPdf(pdf)).map((page) => page.text).join('\n');
    expect([...han, ...hangul, '[U+20BB7]'].filter((letter) => !text.includes(letter))).toEqual([]);
    // Some readers drop all letters of a font if the announced number of ranges is wrong.
    const ranges = pdf.toString('latin1').split(/stream\r?\n/).flatMap((stream) =>
      /(\d+) beginbfrange\n([^]*?)\nendbfrange/.exec(inflated(stream))?.slice(1) ?? []);
    const announced = ranges.filter((_, place) => place % 2 === 0).map(Number);
    expect(announced).toEqual(ranges.filter((_, place) => place % 2 === 1).map((lines) => lines.split('\n').length));
    expect(announced.filter((count) => count > 1)).toHaveLength(2);
  }, 60_000);

  it('is the same for the same figures, byte for byte', async () => {
    const document = monthDocument(difficultNames.map((name, place) => namedRow(name, place)));
    const [one, other] = await Promise.all([1, 2].map(() => typeset(document, deadlineIn(60_000))));
    expect(Buffer.compare(one!, other!)).toBe(0);
  }, 60_000);

  it('that nobody waits for any more ends at once, and the next one is made', async () => {
    const many = monthDocument(Array.from({ length: 20_000 }, (_, place) => namedRow(`orders-${place}`, place)));
    const left = new AbortController();
    const begun = typeset(many, deadlineIn(120_000, left.signal));
    const next = typeset(monthDocument([]), deadlineIn(30_000));
    left.abort();
    await expect(begun).rejects.toThrow(DeadlineExceeded);
    expect((await next).length).toBeGreaterThan(1_000);
  }, 60_000);
});
