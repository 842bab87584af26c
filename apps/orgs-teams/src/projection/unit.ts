/** A part of what an organization has in the engine, small enough to be compared and written by itself. */
export type Unit =
  | { readonly kind: 'team'; readonly teamId: number }
  | { readonly kind: 'role'; readonly roleId: number }
  | { readonly kind: 'assignment'; readonly roleId: number; readonly teamId: number }
  | { readonly kind: 'organization' }
  | { readonly kind: 'all' };

/** Reads a unit as the triggers spell it: `team:42`, `role:9`, `assignment:9/42`, `organization:3`, `all`. */
export function parseUnit(text: string): Unit {
  const [, kind, first, second] = /^([a-z]+)(?::([0-9]+)(?:\/([0-9]+))?)?$/.exec(text) ?? [];
  const id = Number(first);
  if (kind === 'team' && id > 0) return { kind, teamId: id };
  if (kind === 'role' && id > 0) return { kind, roleId: id };
  if (kind === 'assignment' && id > 0 && Number(second) > 0) return { kind, roleId: id, teamId: Number(second) };
  if (kind === 'organization' || kind === 'all') return { kind };
  throw new RangeError(`there is no unit ${text}`);
}
