import type { Fault } from '@platform/faults';
import type { Outcome } from '@platform/http';
import { isBadCredential } from '@platform/limits';
import { replayed } from './endpoint/conditional-headers.ts';
import type { CallEnvironment, EndpointRequest } from './endpoint-request.ts';
import { leavesTooMuch } from './take-body.ts';

/** Refuses one request. */
export class Refusals {
  readonly #found: EndpointRequest;
  readonly #environment: CallEnvironment;

  constructor(found: EndpointRequest, environment: CallEnvironment) {
    this.#found = found;
    this.#environment = environment;
  }

  /** Refuses the request without waiting for its body. */
  unread(fault: Fault): Outcome {
    return this.#refuse(fault, leavesTooMuch(this.#found.request));
  }

  /** Refuses a request whose body was read. @param close whether the connection is closed after the answer */
  taken(fault: Fault, close: boolean): Outcome {
    const outcome = this.#refuse(fault, close);
    if (fault.metadata['replayed'] !== undefined) outcome.answer.headers.push(replayed);
    return outcome;
  }

  /** Counts refused credentials per source. If a source exceeds its limit, the fault becomes RATE_LIMITED. */
  counted(fault: Fault): Fault {
    const { rateLimiter } = this.#environment;
    return (isBadCredential(fault) && rateLimiter.failedCredentials(this.#found.address)) || fault;
  }

  #refuse(fault: Fault, close: boolean): Outcome {
    const { requestId, endpoint: { route, method: { statuses } } } = this.#found;
    return this.#environment.refuse(fault, requestId, route, { close, statuses });
  }
}
