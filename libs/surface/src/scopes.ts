import { Scope, ScopeSchema } from '@platform/proto/options/controlplane/options';

/** The scope that includes every other scope. */
export const wholeScope = 'all';

/** Every scope that a token can have (open-points 18.2). */
export const tokenScopes: readonly string[] = [wholeScope, ...ScopeSchema.values
  .filter(({ number }) => number !== Scope.UNSPECIFIED)
  .map(({ name }) => name.replace(/^SCOPE_/, '').toLowerCase())
  .flatMap((area) => [`read:${area}`, `write:${area}`])];

/** The scope that a method needs: methods bound to GET need the reading scope, all others the writing scope. */
export function scopeFor(area: Exclude<Scope, Scope.UNSPECIFIED>, verb: string | undefined): string {
  return `${verb === 'GET' ? 'read' : 'write'}:${Scope[area].toLowerCase()}`;
}

export function writingScope(scope: string): string {
  return scope.replace(/^read:/, 'write:');
}

/** Whether these scopes include the needed scope. `all` includes every scope, and `write:` includes `read:`. */
export function coversScope(held: readonly string[], needed: string): boolean {
  return held.includes(wholeScope) || held.includes(needed) || held.includes(writingScope(needed));
}
