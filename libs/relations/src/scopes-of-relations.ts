import { readImage } from '@platform/proto/image';
import { readSurface, relationsOfCheck, tokenScopes } from '@platform/surface';

/** The scopes of tokens of the methods that ask for a relation, by `type#relation`, in the order of all scopes. */
const scopes = new Map<string, Set<string>>();
for (const { access: { check, tokenScope } } of readSurface(await readImage()).methods) {
  if (check === undefined || tokenScope === undefined) continue;
  for (const relation of relationsOfCheck(check)) {
    const name = `${check.type}#${relation}`;
    scopes.set(name, (scopes.get(name) ?? new Set()).add(tokenScope));
  }
}

/** The scopes that tokens need where this relation is asked for (open-points 18.2); none where no access rule asks. */
export function scopesOf(type: string, relation: string): readonly string[] {
  const found = scopes.get(`${type}#${relation}`);
  return tokenScopes.filter((scope) => found?.has(scope));
}
