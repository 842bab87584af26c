import { hash, timingSafeEqual } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { Logger, Secret } from '@platform/service';
import type { PeerIdentity } from '@platform/tls';

/** The credentials of a call. They show whether a service or the operator makes the call. */
export interface ShownCredentials {
  readonly serviceCredential: string | undefined;
  /** The identity in the peer's certificate; undefined on connections without TLS. */
  readonly certificate: PeerIdentity | undefined;
}

/**
 * Recognizes calls of services and of the operator. With mutual TLS only the certificate counts, so a leaked credential
 * is useless.
 * @param valid the accepted credentials; several are valid while one is being replaced
 * @param operatorVerifier SHA-256 of the operator's credential, which no service holds
 */
export function serviceCheck(
  valid: readonly Secret[], operatorVerifier: Buffer | undefined,
): (call: ShownCredentials) => boolean {
  const digests = valid.map((secret) => digest(secret.reveal()));
  const isCredential = credentialCheck(operatorVerifier === undefined ? digests : [...digests, operatorVerifier]);
  return ({ serviceCredential, certificate }) =>
    certificate === undefined ? isCredential(serviceCredential) : certificate.role !== 'client';
}

/** Recognizes the operator among the callers that {@link serviceCheck} accepts. */
export function operatorCheck(verifier: Buffer | undefined): (call: ShownCredentials) => boolean {
  const isCredential = credentialCheck(verifier === undefined ? [] : [verifier]);
  return ({ serviceCredential, certificate }) =>
    certificate === undefined ? isCredential(serviceCredential) : certificate.role === 'operator';
}

/** The refusal of a caller who may not call an internal method. */
export function noService(method: string, { certificate, log }: ShownCredentials & { log?: Logger }): Fault {
  if (certificate === undefined) return new Fault('UNAUTHENTICATED', 'a service credential is required');
  log?.warn({ method, certificate }, 'refused: the certificate belongs to neither a service nor the operator');
  return new Fault('UNAUTHENTICATED', 'the certificate of a service or the operator is required');
}

/** Compares a presented credential in constant time. */
function credentialCheck(digests: readonly Buffer[]): (presented: string | undefined) => boolean {
  return (presented) => {
    if (presented === undefined) return false;
    const given = digest(presented);
    return digests.reduce((found, expected) => timingSafeEqual(given, expected) || found, false);
  };
}

function digest(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Whether a lookup of a token makes sense (open-points 1.3). The token store knows the exact form of tokens. */
export function isPlausibleToken(token: string): boolean {
  return token.length >= 8 && token.length <= 512 && !/[\u0000-\u001f\u007f]/.test(token);
}
