import { Fault } from '@platform/faults';
import type { Deadline } from '@platform/service';
import { certificateProblem } from './certificate-problem.ts';
import type { JudgedAddresses } from './connection.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import { readServingCertificate } from './serving-certificate.ts';

const mostCharacters = 300;

/**
 * Explains in one line why a call to a cluster failed. Only the operator may see the line, because it describes the
 * server at the address. A faulty certificate is read over a new connection, without credentials.
 */
export async function explainContact(
  access: Pick<ClusterAccess, 'server'>, cause: unknown, outbound: JudgedAddresses, deadline: Deadline,
): Promise<string> {
  const { host } = new URL(access.server);
  const problem = certificateProblem(cause);
  if (problem === undefined) return `${host}: ${shortened(deepest(cause))}`;
  const shown = await readServingCertificate(access, deadline, outbound.lookup).catch(() => undefined);
  if (shown === undefined) return `${host}: ${problem.message}`;
  const { issuer, dnsNames, ipAddresses, notBefore, notAfter } = shown;
  const held = {
    authority: `its authority is ${issuer}`,
    name: `it is for ${[...dnsNames, ...ipAddresses].join(', ')}`,
    time: `it is valid from ${notBefore} to ${notAfter}`,
  };
  return `${host}: ${problem.message} (${shortened(held[problem.kind])})`;
}

/**
 * Follows the causes of an error. Returns the message of the first Fault with a reason other than UNAVAILABLE, or the
 * message of the last cause if there is no such Fault.
 */
function deepest(error: unknown): string {
  if (error instanceof AggregateError) return deepest(error.errors[0]);
  const { message, cause } = error as Error;
  const speaksForItself = error instanceof Fault && error.reason !== 'UNAVAILABLE';
  return cause === undefined || speaksForItself ? message : deepest(cause);
}

function shortened(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}
