import type { CookieRules, Limits, Received, Refuse } from '@platform/http';
import type { CallersMemory, RateLimiter } from '@platform/limits';
import type { Replicas } from '@platform/rpc';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { Hit } from './routing/route-table.ts';
import type { Turns } from './turns.ts';

export interface CallEnvironment {
  readonly limits: Limits;
  readonly memory: CallersMemory;
  readonly turns: Turns;
  readonly rateLimiter: RateLimiter;
  readonly baseUrl: () => string;
  readonly cookies: () => CookieRules;
  readonly refuse: Refuse;
}

export interface EndpointRequest extends Received {
  readonly endpoint: Endpoint;
  readonly replicas: Replicas;
  readonly parameters: Hit<unknown>['parameters'];
}

/** Deadline, request id and abort signal of a call. */
export type CallContext = Parameters<Replicas['call']>[2];
