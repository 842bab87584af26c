import { assertPortsFree, getText, type Reaper } from '@platform/backing';
import { formatAddress } from '@platform/service';
import { type ServiceProgram, startService } from './service-process.ts';
import type { ServicePorts } from './service-environment.ts';
import type { Part } from './supervisor.ts';

export interface ServicePartOptions {
  readonly name: string;
  readonly ports: ServicePorts;
  readonly reaper: Reaper;
  /** As of {@link Part}. */
  readonly silenceMs: number;
  /** How it is run; asked at each start. */
  readonly program: () => ServiceProgram;
}

/**
 * A service of ours as a part.
 *
 * Its ports are planned, because other services must know them beforehand. If another process takes one of them
 * meanwhile, the start fails with PORT_TAKEN, and the platform is planned again.
 */
export function servicePart({ name, ports, reaper, silenceMs, program }: ServicePartOptions): Part {
  const admin = formatAddress('127.0.0.1', ports.admin);
  return {
    name,
    admin: () => admin,
    life: {
      ask: async (signal) => void (await getText(`http://${admin}/livez`, { signal })),
      silenceMs,
    },
    start: async (signal) => {
      try {
        const { server } = await startService(program(), { reaper, signal });
        return server;
      } catch (error) {
        if (!signal.aborted) await assertPortsFree(name, [ports.api, ports.admin], error);
        throw error;
      }
    },
  };
}
