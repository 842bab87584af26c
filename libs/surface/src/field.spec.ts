import { describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { fieldRules } from './field.ts';
import { readSurface } from './surface.ts';

describe('the rules of a field', () => {
  it('are decoded once, whoever asks', async () => {
    const surface = readSurface(await readImage());
    const fields = surface.methods.flatMap(({ input }) => input.fields);
    expect(fields.length).toBeGreaterThan(0);
    for (const field of fields) expect(fieldRules(field)).toBe(fieldRules(field));
  });

  it('are those of that field alone', async () => {
    const [one, other] = [readSurface(await readImage()), readSurface((await readImage()).slice())];
    const fieldOf = ({ methods }: typeof one) => methods.find(({ input }) => input.fields.length > 0)!.input.fields[0]!;
    expect(fieldOf(one)).not.toBe(fieldOf(other));
    expect(fieldRules(fieldOf(one))).toEqual(fieldRules(fieldOf(other)));
  });
});
