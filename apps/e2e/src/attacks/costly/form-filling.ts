import type { DescMessage } from '@platform/surface';
import { jsonFilling, textOf } from './json-filling.ts';
import { choice, repeated, type Shape, upTo } from './shape.ts';

const boundary = 'costly';

type Form = (shape: Shape, name: string) => string;
const part = (headers: string, content: string): string => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
const named = (name: string, more = ''): string => `Content-Disposition: form-data; name="${name}"${more}`;

const forms: readonly Form[] = [
  // Many parts, each with its own name or with the same one.
  ({ size }, name) => repeated(part(named(name), ''), size),
  ({ size }, name) => upTo(size, (index) => part(named(`${name}${index}`), '0')).join(''),
  ({ size }, name) => repeated(part(named(name, '; filename="x"'), ''), size),
  // Long names, headers and contents.
  (shape) => part(named(textOf(shape)), '0'),
  ({ size }, name) => part(`${named(name)}\r\n${repeated('X-A: b\r\n', size)}X-B: c`, '0'),
  ({ size }, name) => part(named(name, repeated('; a="b"', size)), '0'),
  ({ size }, name) => part(named(name, `; filename*=UTF-8''${repeated('%41', size)}`), '0'),
  (shape, name) => part(named(name), textOf(shape)),
  (shape, name) => part(named(name), jsonFilling(shape, [])),
  // A sequence that resembles the end of the form, many times.
  ({ size }, name) => part(named(name), repeated(`\r\n--${boundary.slice(0, -1)}`, size)),
  ({ size }) => repeated(`--${boundary}\r\n`, size),
];

/** A multipart body in the shape, with parts named as fields of the request. */
export function formFilling({ fields }: DescMessage, shape: Shape): { readonly body: string; readonly type: string } {
  const { item: form, rest } = choice(forms, shape.kind);
  const { item: name } = choice(['unknown', ...fields.map(({ jsonName }) => jsonName)], shape.place);
  const end = rest < 0.9 ? `--${boundary}--\r\n` : '';
  return { body: form(shape, name) + end, type: `multipart/form-data; boundary=${boundary}` };
}
