import type * as loaded from './worker/api.ts';
import { loadOnce } from './worker/load-once.ts';

/** The API as the protos have it, and the check of answers against `docs/openapi.json`; each worker reads both once. */
export function api(): Promise<Pick<typeof loaded, 'surface' | 'check'>> {
  return loadOnce(new URL('./worker/api.ts', import.meta.url));
}
