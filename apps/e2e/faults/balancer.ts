import { type HttpClient, type Replica, until } from '@platform/testing';
import { adminHttp } from '../src/admin-http.ts';

/** Sends requests to the replicas of the gateway. */
export type Gateways = Pick<HttpClient, 'send'>;

/** Interval of the readiness checks, in milliseconds. */
export const lookMs = 100;

/**
 * A small load balancer like those in production: requests go in turn to gateways whose `/readyz` succeeds, and to the
 * next one if a connection is refused.
 */
export function balancer(gateways: readonly HttpClient[], replicas: readonly Replica[]): Gateways & AsyncDisposable {
  const probes = replicas.map(({ addresses }) => adminHttp(addresses['admin']!));
  let ready = gateways;
  let turn = 0;
  let stopping = false;
  const looking = (async () => {
    while (!stopping) {
      const answers = await Promise.all(probes.map((probe) =>
        probe.get('/readyz', { within: 1_000 }).then(({ status }) => status === 200, () => false)));
      ready = gateways.filter((_, index) => answers[index]);
      const next = performance.now() + lookMs;
      await until(() => stopping || performance.now() >= next, { what: 'it is time to look again' });
    }
  })();

  return {
    send: async (method, path, request) => {
      turn += 1;
      const known = ready.length > 0 ? ready : gateways;
      const order = known.map((_, index) => known[(turn + index) % known.length]!);
      for (const [index, gateway] of order.entries()) {
        try {
          return await gateway.send(method, path, request);
        } catch (error) {
          // The connection was refused, so the request was not sent.
          if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || index === order.length - 1) throw error;
        }
      }
      throw new RangeError('there is no gateway');
    },
    [Symbol.asyncDispose]: async () => {
      stopping = true;
      await looking;
    },
  };
}
