import { Scope, ScopeSchema } from '@platform/proto/options/controlplane/options';

/** What a token may do without a limit. */
export const wholeScope = 'all';

const areas: readonly string[] = ScopeSchema.values
  .filter(({ number }) => number !== Scope.UNSPECIFIED)
  .map(({ name }) => name.replace(/^SCOPE_/, '').toLowerCase());

/** Every scope that a token can have (open-points 18.2). */
export const tokenScopes: readonly string[] = [
  wholeScope, ...areas.flatMap((area) => [`read:${area}`, `write:${area}`]),
];

/** The scope that a method needs: reading is what is bound to GET. */
export function scopeFor(area: Exclude<Scope, Scope.UNSPECIFIED>, verb: string | undefined): string {
  return `${verb === 'GET' ? 'read' : 'write'}:${Scope[area].toLowerCase()}`;
}

/** The scope that writing needs where reading needs this one. */
export function writingScope(scope: string): string {
  return scope.replace(/^read:/, 'write:');
}

/** Whether a token with these scopes may do what needs this one. `write:` includes `read:`. */
export function coversScope(held: readonly string[], needed: string): boolean {
  return held.includes(wholeScope) || held.includes(needed) || held.includes(writingScope(needed));
}
