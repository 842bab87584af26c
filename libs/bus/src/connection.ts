import type { Msg } from '@nats-io/transport-node';
import { type BusLogin, dial } from './dial.ts';
import { sendEvent } from './send-event.ts';

export interface BusMessage {
  readonly subject: string;
  readonly text: string;
  /** Subject for the answer; undefined if the sender expects no answer. */
  readonly replyTo: string | undefined;
}

/** One connection to the bus. Disposing this object closes the connection at once. */
export interface BusConnection extends AsyncDisposable {
  /** Maximum bytes of a message that the server accepts. */
  readonly mostBytes: number;
  /** Sends a message, and waits until the server has received it. */
  publish(subject: string, text: string, options?: { readonly replyTo?: string }): Promise<void>;
  /**
   * Sends a request and returns the answer.
   * @throws an error of the NATS client if no subscriber exists, the connection ends, or no answer arrives in time
   */
  request(subject: string, text: string, timeoutMilliseconds: number): Promise<BusMessage>;
  /**
   * Sends an event, and returns once the platform has stored it.
   * @throws EventRefused if the platform refuses the event; an error of the NATS client if no subscriber exists, the
   *   connection ends, or no answer arrives in time
   */
  sendEvent(subject: string, text: string, timeoutMilliseconds: number): Promise<void>;
  /**
   * Resolves once the server has accepted the subscription.
   * @throws an error of the NATS client if the server refuses the subscription, or the connection ends
   */
  subscribe(subject: string, heard: (message: BusMessage) => void): Promise<void>;
  /**
   * Resolves when the connection has ended, with the error that ended the connection, if any. The connection also ends
   * if the server does not answer for some seconds.
   */
  readonly closed: Promise<Error | undefined>;
}

/**
 * Connects once. A lost connection is not restored.
 * @param timeoutMilliseconds time limit for each address of a server
 * @throws Error if no server answers in time, or the credentials are invalid or refused
 */
export async function connectBus(login: BusLogin, timeoutMilliseconds: number): Promise<BusConnection> {
  const client = await dial(login, timeoutMilliseconds);
  const lost = new AbortController();
  const closed = client.closed().then((error) => error ?? undefined);
  void closed.then(() => lost.abort());
  return {
    mostBytes: client.info!.max_payload,
    publish: async (subject, text, { replyTo } = {}) => {
      client.publish(subject, text, replyTo === undefined ? {} : { reply: replyTo });
      await client.flush();
    },
    request: async (subject, text, timeout) => toMessage(await client.request(subject, text, { timeout })),
    sendEvent: (subject, text, timeout) => sendEvent({ client, lost: lost.signal }, subject, text, timeout),
    subscribe: async (subject, heard) => {
      const refusal = Promise.withResolvers<never>();
      // A refusal after the flush has no effect, so it must not become an unhandled rejection.
      refusal.promise.catch(() => undefined);
      client.subscribe(subject, {
        callback: (error, message) => (error === null ? heard(toMessage(message)) : refusal.reject(error)),
      });
      // The server answers in order: a refusal of the subscription comes before the answer to the flush.
      await Promise.race([client.flush(), refusal.promise]);
    },
    closed,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function toMessage(message: Msg): BusMessage {
  return { subject: message.subject, text: message.string(), replyTo: message.reply || undefined };
}
