import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { type Logger, type Metrics, seldom } from '@platform/service';

/** Reasons for refusing an event of an agent. The keys are values of `reason` in `member_events_refused_total`. */
export const eventRefusals = {
  subject: 'The subject does not name an owner, a cluster and a product.',
  rate: 'The owner, or the product in the cluster, sends more events or bytes per second than `bus.shares.*` permits.',
  kept: 'The quota of kept events of the owner, or of the product in the cluster, is full, or its use is not known '
    + 'yet.',
  waiting: 'Too many bytes of events of the owner, or of the product in the cluster, wait to be read.',
  busy: 'Too many events or bytes of the owner wait to be stored.',
  store: 'The event could not be stored.',
} as const;

/** Status of the answer to a refused event. NATS clients read this status in an empty answer as "no responders". */
export const refusedCode = 503;
export const reasonHeader = 'Nats-Service-Error';
export const codeHeader = 'Nats-Service-Error-Code';
export const retryHeader = 'Retry-After';

export interface Reason {
  readonly kind: keyof typeof eventRefusals;
  /** 429: a limit on events or bytes is reached. 503: storing the event failed. 400: the event can never be stored. */
  readonly code: 400 | 429 | 503;
  readonly reason: string;
  /** Default 1. */
  readonly retrySeconds?: number;
}

/** How long a refusal applies to a subject, in milliseconds. The header `Retry-After` is never shorter. */
const holdMs = 1_000;
/** Maximum number of remembered refusals. Above this number, the oldest refusal is dropped. */
const mostHeld = 10_000;

interface EventRefuser {
  /** Refuses an event, and remembers the refusal for `refuseAgain`. */
  refuse(message: Msg, reason: Reason): void;
  /** Refuses an event that could not be stored. Does not remember the refusal: the next event may be stored. */
  fail(message: Msg, reason: Reason): void;
  /** Refuses an event if a remembered refusal of its subject still applies. Returns whether the event was refused. */
  refuseAgain(message: Msg): boolean;
}

/** @param now returns milliseconds of a monotonic clock */
export function createRefuser(
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics }, now: () => number = () => performance.now(),
): EventRefuser {
  const said = seldom();
  const held = new Map<string, { readonly kind: Reason['kind']; readonly head: MsgHdrs; readonly until: number }>();
  const refused = metrics.counter({
    name: 'member_events_refused_total',
    help: 'Events of members that were not stored, by reason (docs/events.md): subject, rate, kept, waiting, '
      + 'busy, store.',
    labels: ['reason'],
  });

  function answer(message: Msg, kind: Reason['kind'], head: MsgHdrs): void {
    refused.add({ reason: kind });
    message.respond('', { headers: head });
  }

  function fail(message: Msg, { kind, code, reason, retrySeconds = 1 }: Reason): MsgHdrs {
    const { subject } = message;
    const leftOut = said(`${kind} ${subject}`);
    if (leftOut !== undefined) log.warn({ subject, reason, leftOut }, 'an event of a member is refused');
    const head = headers(refusedCode, reason);
    head.set(reasonHeader, reason);
    head.set(codeHeader, String(code));
    head.set(retryHeader, String(retrySeconds));
    answer(message, kind, head);
    return head;
  }

  return {
    refuse: (message, reason) => {
      const head = fail(message, reason);
      held.delete(message.subject);
      held.set(message.subject, { kind: reason.kind, head, until: now() + holdMs });
      if (held.size > mostHeld) held.delete(held.keys().next().value!);
    },
    fail: (message, reason) => void fail(message, reason),
    refuseAgain: (message) => {
      const found = held.get(message.subject);
      if (found === undefined) return false;
      if (found.until <= now()) {
        held.delete(message.subject);
        return false;
      }
      answer(message, found.kind, found.head);
      return true;
    },
  };
}
