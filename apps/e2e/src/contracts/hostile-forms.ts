import { gzipSync } from 'node:zlib';
import type { SeededRandom } from '@platform/testing';
import { type FormPart, formBody } from '../orgs/form-body.ts';
import { day, inSeconds } from './contract-world.ts';

/** A form that tries to do harm. */
interface HostileForm {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type Make = (random: SeededRandom) => HostileForm;
const mebibyte = 1024 * 1024;

/** The parts of a contract that would be created. */
export function honestParts(): FormPart[] {
  return Object.entries({ orgOrUser: 'acme', name: 'Honest', products: 'platform', end: String(inSeconds(day)) })
    .map(([name, content]) => ({ name, content }));
}

const form = (...parts: readonly FormPart[]) => formBody([...honestParts(), ...parts]);
const file = (content: Uint8Array | string = 'x', filename = 'a.pdf'): FormPart =>
  ({ name: 'document', filename, type: 'application/pdf', content });
const text = (name: string, content: string | Uint8Array): FormPart => ({ name, content });
const honest = () => form(file(Buffer.alloc(100_000, 'x')));

/** An honest form with another content type. */
const said = (type: string) => ({ body: honest().body, headers: { 'content-type': type } });

/** An honest form whose bytes are changed. */
function changed(change: (body: Buffer) => Buffer | string): HostileForm {
  const { body, headers } = honest();
  return { body: Buffer.from(change(body) as Buffer), headers };
}

/** A valid form with one more part, given byte by byte including its headers. */
function withRawPart(raw: string): HostileForm {
  const { body, headers } = form();
  return { body: Buffer.concat([Buffer.from(`--spec-boundary\r\n${raw}\r\n`), body]), headers };
}

const withDisposition = (raw: string) => withRawPart(`Content-Disposition: form-data; ${raw}`);

/** Forms that are refused. */
export const refusedForms: readonly (readonly [what: string, make: Make])[] = [
  ['of another boundary', () => said('multipart/form-data; boundary=other')],
  ['without boundary', () => said('multipart/form-data')],
  ['that is said to be a page', () => said('text/html; boundary=spec-boundary')],
  ['that is said to be mixed', () => said('multipart/mixed; boundary=spec-boundary')],
  ['that is compressed', () => {
    const { body, headers } = honest();
    return { body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } };
  }],
  ['that ends early', (random) => changed((body) => body.subarray(0, random.integer(1, body.length - 20)))],
  ['without parts', () => formBody([])],
  ['with line feeds alone', () => changed((body) => body.toString('latin1').replaceAll('\r\n', '\n'))],
  ['of boundaries alone', (random) => changed(() => '--spec-boundary\r\n'.repeat(random.integer(1, 100_000)))],
  ['of half boundaries', (random) => changed(() => '\r\n--spec-boundar'.repeat(random.integer(1, 200_000)))],
  ['of dashes', (random) => changed(() => '-'.repeat(random.integer(1, 8 * mebibyte)))],
  ['of noise', (random) => changed(() => noise(random, random.integer(1, mebibyte)))],
  ['of thousands of parts', (random) =>
    form(...Array.from({ length: random.integer(1_000, 20_000) }, (_, at) => text(`p${at}`, 'x')))],
  ['of thousands of files', (random) =>
    form(...Array.from({ length: random.integer(1_000, 5_000) }, (_, at) => ({ ...file(), name: `f${at}` })))],
  ['with two documents', () => form(file('x'), file('y'))],
  ['with a hundred documents', () => form(...Array.from({ length: 100 }, () => file(Buffer.alloc(10_000, 'x'))))],
  ['with an empty document', () => form(file(''))],
  ['with a document that is too large', (random) =>
    form(file(Buffer.alloc(10 * mebibyte + random.integer(1, mebibyte), 'x')))],
  ['that is too large', (random) => form(text('x', 'x'.repeat(12 * mebibyte + random.integer(0, mebibyte))))],
  ['with a large document and a wrong text', () => form(file(Buffer.alloc(9 * mebibyte)), text('start', 'soon'))],
  ['with a wrong text and a large document', () => form(text('start', 'soon'), file(Buffer.alloc(9 * mebibyte)))],
  ['with a huge part name', (random) => form(text('n'.repeat(random.integer(100_000, mebibyte)), 'x'))],
  ['with a huge file name', (random) => form(file('x', 'n'.repeat(random.integer(100_000, mebibyte))))],
  ['with a huge name', (random) => form(text('restrictions', 'x'.repeat(random.integer(20_000, 5 * mebibyte))))],
  ['with a name twice', () => form(text('name', 'x'))],
  ['with NUL', () => form(text('restrictions', '{"a\0b":{"versionConstraint":"*"}}'))],
  ['with bytes that are no UTF-8', (random) =>
    form(text('restrictions', Buffer.concat([noise(random, 100), Buffer.of(0xff)])))],
  ['with a deep list', (random) => form(text('clusters', '['.repeat(random.integer(100, 200_000))))],
  ['with a deep object', (random) => form(text('quota', '{"a":'.repeat(random.integer(100, 200_000))))],
  ...[1_000_000, 500_000, 30_000].flatMap((count): (readonly [string, Make])[] => [
    [`with ${count} clusters`, () => form(text('clusters', `[${'{},'.repeat(count)}{}]`))],
    [`with ${count} features`, () => form(text('features', `[${'"x",'.repeat(count)}"x"]`))],
    [`with ${count} addresses`, () => form(text('financeTeam', `[${'"a@b.c",'.repeat(count)}"x"]`))],
  ]),
  ['with a number without end', (random) =>
    form(text('limit', random.pick(['1e999', 'Infinity', 'NaN', '-', '0x10', '1'.repeat(10_000) + 'x'])))],
  ['with an invalid time', (random) =>
    form(text('start', random.pick(['1.5', '01', '+1', ' 1', '1 ', '9'.repeat(400), '1.0.0'])))],
  ['with an invalid boolean', (random) =>
    form(text('allowOffline', random.pick(['', 'yes', '2', 'truefalse', '[]', 'null'])))],
  ['with a list for a quota', (random) =>
    form(text('quota', random.pick(['[]', '1', '"x"', '{', '{"limit":"1"}', '\ufeff'])))],
  ['with a handle that was made up', () =>
    form(text('quota', '{"limit":-1}'), text('document[upload]', 'x'), text('upload', 'x'))],
  ['with emails of a prototype', () =>
    form(text('emails', '{"__proto__":1,"constructor":1,"financeTeam":{"length":5}}'))],
];

/** Forms with hostile names: refused, or accepted without harm. */
export const hostileNames: readonly (readonly [what: string, make: Make])[] = [
  ...[
    '../../../../etc/passwd', '..\\..\\windows\\system.ini', '/etc/passwd', 'C:\\x.exe', '.', '..', '...',
    '.htaccess', 'CON', 'nul.txt', 'a\\0b.pdf', 'a;b.pdf', "a'b.pdf", 'a%00.pdf', '%2e%2e%2f%2e%2e%2fx',
    'a.pdf.exe', 'a.', ' ', 'a\u202efdp.exe', '💥'.repeat(60), '<script>.html', '$(reboot).sh', '`id`.sh',
    '"; rm -rf /', '\u0000', '\ufeff.pdf', `a.${'z'.repeat(300)}`, '.incoming', 'uploads/x',
  ].map((name): readonly [string, Make] => [
    `the file name ${JSON.stringify(name)}`, () => form(file('x', name.replaceAll('"', '\\"'))),
  ]),
  ['a file name over two lines', () =>
    withDisposition('name="document"; filename="a\r\nX-Evil: 1\r\n\r\n.pdf"\r\n\r\nx')],
  ['two file names', () => withDisposition(
    'name="document"; filename="a.pdf"; filename="../b.exe"; filename*=UTF-8\'\'%2e%2e%2fc.sh\r\n\r\nx',
  )],
  ['an encoded file name', () => withDisposition('name="document"; filename*=UTF-8\'\'..%2F..%2Fx%00.pdf\r\n\r\nx')],
  ['a file name that is encoded wrongly', () =>
    withDisposition('name="document"; filename*=UTF-8\'\'%ff%fe%zz.pdf\r\n\r\nx')],
  ['a part of an unknown character set', () =>
    withDisposition('name="x"\r\nContent-Type: text/plain; charset=nonsense\r\n\r\n\xff\xfe')],
  ['a part in base64', () =>
    withDisposition('name="document"; filename="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA')],
  ['a part without a name', () => withDisposition('filename="a.pdf"\r\n\r\nx')],
  ['a part without headers', () => withRawPart('\r\nx')],
  ['a part that is no form data', () =>
    withRawPart('Content-Disposition: attachment; name="document"; filename="a.pdf"\r\n\r\nx')],
  ['a form in a form', () => withDisposition(
    'name="document"; filename="a"\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\n\r\nx\r\n--in--',
  )],
  ['brackets', () => form(
    text('emails[__proto__]', 'x'), text('emails[financeTeam', 'x'), text('quota[limit][limit]', '9'),
    text('__proto__[x]', 'x'), text('constructor', 'x'), text('[]', 'x'), text('', 'x'),
  )],
  ['a preamble of a mebibyte', () =>
    changed((body) => Buffer.concat([Buffer.alloc(mebibyte, '-'), Buffer.from('\r\n'), body]))],
];

const noise = (random: SeededRandom, length: number) =>
  Buffer.from(Uint8Array.from({ length }, () => random.integer(0, 255)));
