import { describe, expect, it } from '@jest/globals';
import { restrictionsFrom } from './restrictions.ts';

describe('the restrictions of a contract (open-points 5.1)', () => {
  it.each([
    '', '{}', ' { } ', '{"Postgres":{"versionConstraint":"*"}}', '{"Postgres":{"versionConstraint":">=14 <18 || 19.x"}}',
    '{"Postgres":{"versionConstraint":"^14.2.0","distributions":["Official"]},"Redis":{"versionConstraint":"~7","distributions":[]}}',
  ])('%j is kept as it is', (text) => {
    expect(restrictionsFrom(text)).toBe(text);
  });

  it.each([
    ' ', 'x', 'null', '1', '"x"', '[]', '{"Redis":null}', '{"Redis":[]}', '{"Redis":{}}', '{"":{"versionConstraint":"*"}}',
    '{"Redis":{"versionConstraint":"newest"}}', '{"Redis":{"versionConstraint":1}}',
    '{"Redis":{"versionConstraint":"*","distributions":"Official"}}', '{"Redis":{"versionConstraint":"*","distributions":[1]}}',
    '{"Redis":{"versionConstraint":"*","distributions":null}}', '{"Redis":{"versionConstraint":"*","other":1}}',
    '{"Redis":{"versionConstraint":"*"}', `{"Redis":{"versionConstraint":"*"}}${' '.repeat(10_000)}`,
  ])('%j is refused', (text) => {
    expect(() => restrictionsFrom(text)).toThrow(expect.objectContaining({
      reason: 'INVALID_VALUE', violations: [expect.objectContaining({ path: 'restrictions' })],
    }));
  });
});
