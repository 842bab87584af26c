import { compare, print } from './compare.ts';
import { start, startApp } from './processes.ts';

export interface BenchSize {
  rounds: number;
  requests: number;
}

/**
 * Measures the CPU of the gateway's process per request, and the latency. Compares both with a hand-written express →
 * grpc-js hop to the same gRPC server. The CPU of the server is not counted. The server accepts no joined calls
 * (ADR 0070), so both sides send calls one by one.
 */
export async function benchHop({ rounds, requests }: BenchSize): Promise<void> {
  const back = await start('hop/back.ts');
  const front = await start('hop/front.ts', `127.0.0.1:${back.port}`);
  const gateway = await startApp('gateway', {
    PLATFORM_SERVICES_ORGS_TEAMS: `127.0.0.1:${back.port}`,
    PLATFORM_SERVICES_AUTHZ: `127.0.0.1:${back.port}`,
    PLATFORM_SECRETS_SERVICE_CREDENTIAL: 'what services show each other in a bench',
    PLATFORM_LOG_LEVEL: 'silent',
    PLATFORM_RATE_LIMIT_ENABLED: 'false',
  });
  const path = '/api/v1/orgs/acme';
  const load = (baseUrl: string) => ({
    requests, connections: 32, expect: 200, next: () => ({ url: baseUrl + path }),
  });
  const measured = await compare(
    [
      { name: 'hand-written hop', load: load(`http://127.0.0.1:${front.port}`), processes: () => [front.pid] },
      { name: 'gateway', load: load(`http://${gateway.addresses['http']!}`), processes: () => [gateway.pid] },
    ],
    rounds,
  );
  print('The gateway against a hand-written express → grpc-js hop', measured, { gateway: 1.2 });
  for (const running of [gateway, front, back]) running.stop();
}
