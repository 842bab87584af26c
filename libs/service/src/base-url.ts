import { type Config, optional } from './config.ts';

/** Picks what {@link baseUrlOf} reads. */
export const baseUrlPicks = { baseUrl: optional('http.baseURL'), httpPort: 'http.port' } as const;

/** `{base_url}` of open-points: the address under which people reach the platform, without a slash at its end. */
export function baseUrlOf({ baseUrl, httpPort }: Config<typeof baseUrlPicks>): string {
  return String(baseUrl ?? `http://127.0.0.1:${httpPort}`).replace(/\/+$/, '');
}
