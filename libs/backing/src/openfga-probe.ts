import { BackingFault } from './fault.ts';
import { getText } from './get-text.ts';

export interface OpenfgaAccess {
  /** Base URL of the HTTP API. */
  readonly url: string;
  readonly presharedKey: string;
}

/**
 * Lists stores once, to check the API, the key and the datastore.
 * @throws BackingFault NOT_READY; the reason of an aborted signal
 */
export async function probeOpenfga(access: OpenfgaAccess, signal: AbortSignal): Promise<void> {
  try {
    const { status, text } = await getText(`${access.url}/stores?page_size=1`, {
      headers: { authorization: `Bearer ${access.presharedKey}` }, signal,
    });
    if (status !== 200) throw new Error(`status ${status}: ${text.trim()}`);
  } catch (error) {
    signal.throwIfAborted();
    const message = `OpenFGA at ${access.url} cannot be used: ${(error as Error).message}.`;
    const cure = 'Check that OpenFGA runs, and check its address and the key.';
    throw new BackingFault('NOT_READY', message, cure, { cause: error });
  }
}
