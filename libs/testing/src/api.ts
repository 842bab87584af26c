import type * as loaded from './loaded-api.ts';

/** Where jest's environment puts its loader. */
export const loaderKey = Symbol.for('platform.testing.loader');

/**
 * The API as the protos have it, and the check of answers against `docs/openapi.json`. They are large, only read, and
 * the same for all files: a worker loads them once, outside of the contexts that jest makes for each spec file. Without
 * jest, in a proof, they are loaded as usual.
 */
export async function api(): Promise<Pick<typeof loaded, 'surface' | 'check'>> {
  const load = (globalThis as { [loaderKey]?: (url: string) => Promise<unknown> })[loaderKey];
  const { href } = new URL('./loaded-api.ts', import.meta.url);
  return await (load?.(href) ?? import(href)) as typeof loaded;
}
