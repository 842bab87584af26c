import { inflateSync } from 'node:zlib';

interface Table {
  readonly tag: string;
  readonly checksum: number;
  readonly content: Buffer;
}

/** Tables with layout rules. Without them, the shaper only places letters side by side. */
const layoutTables = ['GDEF', 'GPOS', 'GSUB', 'kern'];

/**
 * Returns a font file without compression. In a WOFF 1.0 file, the shaper would decompress a table on each access.
 * @param isPlain whether to drop the layout rules. The letters are then placed one by one, which is much faster.
 */
export function toTrueType(file: Buffer, isPlain: boolean): Buffer {
  const isWoff = file.toString('latin1', 0, 4) === 'wOFF';
  const tables = isWoff ? readWoff(file) : readTrueType(file);
  const version = file.readUInt32BE(isWoff ? 4 : 0);
  return write(version, tables.filter(({ tag }) => !isPlain || !layoutTables.includes(tag)));
}

function readTrueType(file: Buffer): Table[] {
  return Array.from({ length: file.readUInt16BE(4) }, (_, place) => {
    const at = 12 + place * 16;
    const offset = file.readUInt32BE(at + 8);
    return {
      tag: file.toString('latin1', at, at + 4), checksum: file.readUInt32BE(at + 4),
      content: file.subarray(offset, offset + file.readUInt32BE(at + 12)),
    };
  });
}

function readWoff(file: Buffer): Table[] {
  return Array.from({ length: file.readUInt16BE(12) }, (_, place) => {
    const at = 44 + place * 20;
    const [offset, length] = [file.readUInt32BE(at + 4), file.readUInt32BE(at + 8)];
    const kept = file.subarray(offset, offset + length);
    return {
      tag: file.toString('latin1', at, at + 4), checksum: file.readUInt32BE(at + 16),
      content: length < file.readUInt32BE(at + 12) ? inflateSync(kept) : kept,
    };
  });
}

function write(version: number, tables: readonly Table[]): Buffer {
  const head = Buffer.alloc(12 + tables.length * 16);
  head.writeUInt32BE(version, 0);
  head.writeUInt16BE(tables.length, 4);
  // The font format requires parameters for a binary search of the table directory.
  const steps = Math.floor(Math.log2(tables.length));
  head.writeUInt16BE(2 ** steps * 16, 6);
  head.writeUInt16BE(steps, 8);
  head.writeUInt16BE((tables.length - 2 ** steps) * 16, 10);
  let offset = head.length;
  const contents = tables.flatMap(({ tag, checksum, content }, place) => {
    const at = 12 + place * 16;
    head.write(tag, at, 'latin1');
    head.writeUInt32BE(checksum, at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(content.length, at + 12);
    const padding = Buffer.alloc(-content.length & 3);
    offset += content.length + padding.length;
    return [content, padding];
  });
  return sealed(Buffer.concat([head, ...contents]));
}

/** Adds the checksum of the whole file, which the format requires. pdfkit also uses it to recognize equal fonts. */
function sealed(font: Buffer): Buffer {
  const place = readTrueType(font).find(({ tag }) => tag === 'head')!.content.byteOffset - font.byteOffset + 8;
  font.writeUInt32BE(0, place);
  let sum = 0;
  for (let at = 0; at < font.length; at += 4) sum = (sum + font.readUInt32BE(at)) >>> 0;
  font.writeUInt32BE((0xB1B0AFBA - sum) >>> 0, place);
  return font;
}
