import { refuseTooMany } from '@platform/values';
import { nameFrom } from '../values.ts';

const mostTags = 50;
const mostCharacters = 63;

/**
 * Reads the tags of a cluster: trimmed, duplicates dropped, in the order given (open-points 5.4, 5.7).
 * @throws Fault INVALID_VALUE, TOO_MANY_ITEMS
 */
export function tagsFrom(path: string, given: readonly string[]): string[] {
  const tags = given.map((tag, index) => nameFrom(`${path}[${index}]`, tag, { least: 1, most: mostCharacters }));
  const distinct = [...new Set(tags)];
  refuseTooMany(path, distinct, mostTags);
  return distinct;
}
