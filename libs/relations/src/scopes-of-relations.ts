import { readImage } from '@platform/proto/image';
import { readSurface, relationsOfCheck, tokenScopes } from '@platform/surface';

/** For each relation (`type#relation`), the token scopes of the methods that check it. */
const scopes = new Map<string, Set<string>>();
for (const { access: { check, tokenScope } } of readSurface(await readImage()).methods) {
  if (check === undefined || tokenScope === undefined) continue;
  for (const relation of relationsOfCheck(check)) {
    const name = `${check.type}#${relation}`;
    scopes.set(name, (scopes.get(name) ?? new Set()).add(tokenScope));
  }
}

/** The token scopes of the methods that check this relation (open-points 18.2). */
export function scopesOf(type: string, relation: string): readonly string[] {
  const found = scopes.get(`${type}#${relation}`);
  return tokenScopes.filter((scope) => found?.has(scope));
}
