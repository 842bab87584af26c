import type { LookupFunction } from 'node:net';
import { connect } from 'node:tls';
import { unavailable } from '@platform/faults';
import type { Deadline } from '@platform/service';
import type { ClusterAccess } from './kubeconfig.ts';

export interface ServingCertificate {
  /** Name of the issuing authority, for example `CN=kubernetes`. */
  readonly issuer: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** Start of the validity, in RFC 3339. */
  readonly notBefore: string;
  /** End of the validity, in RFC 3339. */
  readonly notAfter: string;
}

/**
 * Reads the certificate that the server presents. Does not verify the certificate. Sends no credentials.
 * @throws Fault UNAVAILABLE
 */
export function readServingCertificate(
  { server }: Pick<ClusterAccess, 'server'>, deadline: Deadline, lookup?: LookupFunction,
): Promise<ServingCertificate> {
  const { hostname, port } = new URL(server);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, lookup });
    const end = (settle: () => void): void => {
      deadline.signal.removeEventListener('abort', cancelled);
      settle();
      socket.destroy();
    };
    const cancelled = (): void => end(() => reject(unavailable('the cluster', deadline.signal.reason)));
    deadline.signal.addEventListener('abort', cancelled);
    socket.on('error', (error) => end(() => reject(unavailable('the cluster', error))));
    socket.on('secureConnect', () => end(() => {
      const certificate = socket.getPeerX509Certificate();
      if (certificate === undefined) return reject(unavailable('the cluster', new Error('no certificate')));
      const names = (certificate.subjectAltName ?? '').split(', ');
      const those = (kind: string) => names.filter((name) => name.startsWith(`${kind}:`))
        .map((name) => name.slice(kind.length + 1)).sort();
      return resolve({
        issuer: certificate.issuer?.trim().split('\n').join(', ') ?? '',
        dnsNames: those('DNS'),
        ipAddresses: those('IP Address'),
        notBefore: rfc3339(certificate.validFrom),
        notAfter: rfc3339(certificate.validTo),
      });
    }));
  });
}

function rfc3339(text: string): string {
  return new Date(text).toISOString().replace('.000Z', 'Z');
}
