import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Width and height of every picture, in pixels. */
const side = 512;
const cells = 5;
const cell = 88;
const margin = (side - cells * cell) / 2;
const rowBytes = side / 8;

/**
 * Draws the default picture of an account: a PNG of 512 × 512 pixels. The picture depends only on the name, ignoring
 * case.
 */
export function identicon(name: string): Buffer {
  const hash = createHash('sha256').update(name.toLowerCase()).digest();
  const hue = hash.readUInt16BE(0) / 65_536;
  const rows = Array.from({ length: cells }, (_, y) => Array.from({ length: cells }, (__, x) => {
    // The right half mirrors the left one.
    const column = Math.min(x, cells - 1 - x);
    return (hash[2 + y * 3 + column]! & 1) === 1;
  }));
  const [ground, ink] = [fromHsl(hue, 0.3, 0.95), fromHsl(hue, 0.55, 0.48)];
  return indexedPng(rows, [ground, ink]);
}

type Colour = readonly [red: number, green: number, blue: number];

function fromHsl(hue: number, saturation: number, lightness: number): Colour {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const place = (offset + hue * 12) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(place - 3, 9 - place, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Creates a PNG with two colours and one bit per pixel. This is fast enough to run for each request. */
function indexedPng(rows: readonly (readonly boolean[])[], palette: readonly [Colour, Colour]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 3, 0, 0, 0], 8);
  // Each line begins with its filter type, here 0 for none.
  const lines = Buffer.alloc(side * (1 + rowBytes));
  rows.forEach((row, y) => row.forEach((filled, x) => {
    if (!filled) return;
    for (let line = margin + y * cell; line < margin + (y + 1) * cell; line += 1) {
      for (let pixel = margin + x * cell; pixel < margin + (x + 1) * cell; pixel += 1) {
        lines[line * (1 + rowBytes) + 1 + (pixel >> 3)]! |= 0x80 >> (pixel & 7);
      }
    }
  }));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
