import type * as loaded from './loaded-api.ts';

/**
 * The API according to the protos, and the check of answers against `docs/openapi.json`. Both are large, so they are
 * loaded when a spec first asks for them.
 */
export async function api(): Promise<Pick<typeof loaded, 'surface' | 'check'>> {
  return await import('./loaded-api.ts');
}
