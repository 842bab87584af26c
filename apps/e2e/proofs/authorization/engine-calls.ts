import { adminHttp } from '../../src/admin-http.ts';
import type { RunningPlatform } from '../../src/platform.ts';

/** How often authz has called OpenFGA for a decision so far, all replicas together, as their metrics count it. */
export async function engineCalls({ services }: RunningPlatform): Promise<number> {
  const counts = await Promise.all(services.authz.replicas.map(async ({ addresses }) => {
    const { text } = await adminHttp(addresses['admin']!).get('/metrics');
    const lines = text.split('\n').filter((line) =>
      line.startsWith('authorization_engine_duration_seconds_count') && /call="(?:BatchCheck|Read)"/.test(line));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }));
  return counts.reduce((sum, count) => sum + count, 0);
}
