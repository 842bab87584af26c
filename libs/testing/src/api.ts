import { loadOnce } from './worker/load-once.ts';

/** The API as the protos have it, and the check of answers against `docs/openapi.json`; each worker reads both once. */
export function api(): Promise<Pick<typeof import('./worker/api.ts'), 'surface' | 'check'>> {
  return loadOnce(new URL('./worker/api.ts', import.meta.url));
}
