import type { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';

/** The standard health service (`grpc.health.v1`): of the server as a whole, and of each of its services. */
export interface Health {
  set(status: 'SERVING' | 'NOT_SERVING'): void;
}

export function addHealth(server: Server, services: readonly string[]): Health {
  const names = ['', ...services];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, 'NOT_SERVING' as const])));
  health.addToServer(server);
  return {
    set: (status) => {
      for (const name of names) health.setStatus(name, status);
    },
  };
}
