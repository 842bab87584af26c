import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { identicon } from './identicon.ts';

describe('the picture made from a name', () => {
  it('is a PNG of 512 × 512 in two colours', async () => {
    const { data, info } = await sharp(identicon('acme')).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 512, height: 512, channels: 3 });
    const colours = new Set<number>();
    for (let at = 0; at < data.length; at += 3) colours.add(data.readUIntBE(at, 3));
    expect(colours.size).toBe(2);
  });

  it('is the same for the same name in any case', () => {
    expect(identicon('Acme').equals(identicon('aCME'))).toBe(true);
  });

  it('is symmetric', async () => {
    const picture = await sharp(identicon('symmetric')).raw().toBuffer();
    const mirrored = await sharp(identicon('symmetric')).flop().raw().toBuffer();
    expect(mirrored.equals(picture)).toBe(true);
  });

  it('is another one for nearly all names', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `organization-${index}`);
    expect(new Set(names.map((name) => identicon(name).toString('base64'))).size).toBeGreaterThan(990);
  });
});
