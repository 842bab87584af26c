import { hash, timingSafeEqual } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { Logger, Secret } from '@platform/service';
import type { PeerIdentity } from '@platform/tls';

/** The credentials that show whether a service or the operator makes a call. */
export interface ShownCredentials {
  readonly serviceCredential: string | undefined;
  /** The identity in the peer's certificate; undefined on connections without TLS. */
  readonly certificate: PeerIdentity | undefined;
}

/**
 * Returns a function that checks whether a call comes from a service or the operator. If the caller has a certificate,
 * the function ignores the caller's credential.
 * @param valid the accepted credentials of services; several while one is being replaced
 * @param operatorVerifier SHA-256 of the operator's credential; services know only this hash
 */
export function serviceCheck(
  valid: readonly Secret[], operatorVerifier: Buffer | undefined,
): (call: ShownCredentials) => boolean {
  const digests = valid.map((secret) => digest(secret.reveal()));
  return callerCheck([...digests, operatorVerifier], (role) => role !== 'client');
}

/** Returns a function that checks whether a call comes from the operator. */
export function operatorCheck(verifier: Buffer | undefined): (call: ShownCredentials) => boolean {
  return callerCheck([verifier], (role) => role === 'operator');
}

/**
 * Returns a check of the caller of a call. If the caller has a certificate, `accepts` decides. Otherwise, the digest of
 * its credential must be one of `digests`. Digests are compared in constant time.
 */
function callerCheck(
  digests: readonly (Buffer | undefined)[], accepts: (role: PeerIdentity['role']) => boolean,
): (call: ShownCredentials) => boolean {
  const known = digests.filter((one) => one !== undefined);
  return ({ serviceCredential, certificate }) => {
    if (certificate !== undefined) return accepts(certificate.role);
    if (serviceCredential === undefined) return false;
    const given = digest(serviceCredential);
    return known.reduce((found, expected) => timingSafeEqual(given, expected) || found, false);
  };
}

export function noService(method: string, { certificate, log }: ShownCredentials & { log?: Logger }): Fault {
  if (certificate === undefined) return new Fault('UNAUTHENTICATED', 'a valid service credential is required');
  log?.warn({ method, certificate }, 'refused: the certificate belongs to neither a service nor the operator');
  return new Fault('UNAUTHENTICATED', 'the certificate of a service or the operator is required');
}

function digest(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Whether a text has the length of a token and no control characters (open-points 1.3). */
export function isPlausibleToken(token: string): boolean {
  return token.length >= 8 && token.length <= 512 && !/[\u0000-\u001f\u007f]/.test(token);
}
