import type * as loaded from './loaded-api.ts';

/** Property of the global object under which jest's environment stores its loader. */
export const loaderKey = Symbol.for('platform.testing.loader');

/**
 * The API according to the protos, and the check of answers against `docs/openapi.json`. Both are large and read-only,
 * so a worker loads them once, outside the contexts that jest creates for each spec file. Without jest, in a proof,
 * they are loaded as usual.
 */
export async function api(): Promise<Pick<typeof loaded, 'surface' | 'check'>> {
  const load = (globalThis as { [loaderKey]?: (url: string) => Promise<unknown> })[loaderKey];
  const { href } = new URL('./loaded-api.ts', import.meta.url);
  return await (load?.(href) ?? import(href)) as typeof loaded;
}
