import { probeJetstream } from '@platform/bus/probe';
import { BackingFault } from './fault.ts';

/** Settings to use a NATS in operator mode, and to admit and expel clients. All except `url` are secrets. */
export interface NatsAccess {
  readonly url: string;
  /** Credentials (the text of a `.creds` file) of the platform's own user. */
  readonly credentials: string;
  /** Credentials of a user of the system account. This user may push account JWTs. */
  readonly systemCredentials: string;
  /** Seed (`SA…`) of the platform's account or of one of its signing keys. It signs the JWTs of users. */
  readonly accountSeed: string;
  /** Seed (`SO…`) of the operator or of one of its signing keys. It signs the JWTs of accounts. */
  readonly operatorSeed: string;
}

/**
 * Time limit for each step of a probe (the connection, a request), in milliseconds. The caller's signal does not end a
 * step earlier.
 */
export const PROBE_MILLISECONDS = 2_000;

/** Connects once and asks JetStream about the account. @throws BackingFault NOT_READY; reason of an aborted signal */
export async function probeNats(access: Pick<NatsAccess, 'url' | 'credentials'>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  try {
    await probeJetstream(access, PROBE_MILLISECONDS);
  } catch (error) {
    const message = `NATS at ${access.url} cannot be used: ${(error as Error).message}.`;
    const cure = 'Check that NATS runs, and check its address and the credentials.';
    throw new BackingFault('NOT_READY', message, cure, { cause: error });
  }
  signal.throwIfAborted();
}
