import { createInbox, errors, type Msg } from '@nats-io/transport-node';
import type { BusConnected } from './ask-member.ts';
import { codeHeader, reasonHeader, refusedCode, retryHeader } from './refuse-events.ts';

/** The platform has not stored an event. The message of this error contains the reason. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
  /**
   * 429: a limit on events or bytes is reached. 503: storing the event failed. 400: the event can never be stored.
   * Older platforms also send error codes of JetStream.
   */
  readonly code: number;
  readonly retryMs: number;

  constructor(reason: string, code: number, retryMs: number) {
    super(reason);
    this.code = code;
    this.retryMs = retryMs;
  }
}

export function sendEvent(
  { client, lost }: BusConnected, subject: string, text: string, timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const reply = createInbox();
    const onLost = (): void => reject(new errors.ClosedConnectionError());
    lost.addEventListener('abort', onLost, { once: true });
    client.subscribe(reply, {
      max: 1,
      timeout: timeoutMs,
      callback: (error, message) => {
        lost.removeEventListener('abort', onLost);
        const refusal = error ?? refusalOf(message);
        return refusal === undefined ? resolve() : reject(refusal);
      },
    });
    client.publish(subject, text, { reply });
  });
}

/** Returns the refusal in an answer; undefined if the answer is not a refusal. */
function refusalOf({ headers: head, data, subject }: Msg): Error | undefined {
  if (head?.code === refusedCode) {
    const reason = head.get(reasonHeader);
    if (reason === '') return new errors.NoRespondersError(subject);
    return new EventRefused(reason, Number(head.get(codeHeader)), 1_000 * Number(head.get(retryHeader)));
  }
  // Older platforms let JetStream answer directly. Any answer other than an error means that the event is stored.
  const { code, description } = errorIn(Buffer.from(data).toString()) ?? {};
  return description === undefined ? undefined : new EventRefused(description, code ?? refusedCode, 1_000);
}

function errorIn(text: string): { readonly code?: number; readonly description?: string } | undefined {
  try {
    return (JSON.parse(text) as { error?: object } | null)?.error;
  } catch {
    return undefined;
  }
}
