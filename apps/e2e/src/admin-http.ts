import { http, type HttpClient } from '@platform/testing';
import type { RunningPlatform } from './platform.ts';

/** A client of the operator's port (`/livez`, `/readyz`, `/metrics`), which the OpenAPI document does not describe. */
export function adminHttp(address: string): HttpClient {
  return http(`http://${address}`);
}

/**
 * The number of calls from authz to OpenFGA so far, from the metrics of all replicas.
 * @param calls regular expression for their names; by default decisions, including those of a settle
 */
export async function engineCalls({ services }: RunningPlatform, calls = 'BatchCheck|Read'): Promise<number> {
  const texts = await Promise.all(services.authz.replicas.map(async ({ addresses }) =>
    (await adminHttp(addresses['admin']!).get('/metrics')).text));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) =>
    line.startsWith('authorization_engine_duration_seconds_count') && RegExp(`call="(?:${calls})"`).test(line));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
