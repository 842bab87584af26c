import { hostname } from 'node:os';
import { join } from 'node:path';
import { loop, services, silentLogger } from '@platform/service';
import { type IssuedFiles, openAuthority } from '@platform/tls';
import { CommandFault } from '../command-fault.ts';
import type { LauncherSettings } from '../settings.ts';

export type Certificates = Awaited<ReturnType<typeof openCertificates>>;

/** Pause between renewals, in milliseconds. A certificate is valid for a week, so renewals may fail for six days. */
const renewalMs = 86_400_000;
const retryMs = 600_000;

/**
 * Opens the authority in the state folder, or creates one. Issues certificates for the services and the operator, at
 * the start and once a day. Running services read the new certificates. Disposing ends the renewal.
 * @throws CommandFault if the authority cannot be opened or created. Damaged files are not replaced, because clients
 *   would not trust a new authority
 */
export async function openCertificates(
  settings: Pick<LauncherSettings, 'home' | 'httpHost' | 'baseUrl'>, report: (line: string) => void,
) {
  const folder = join(settings.home, 'tls');
  const authority = await openAuthority(folder).catch((error: Error) => {
    const message = `The authority in ${folder} (ca.pem and ca.key) cannot be used: ${error.message}`;
    const restore = 'If they are damaged, restore both files from a copy of the state folder';
    const cure = `${restore}; or remove both, and let clients trust the authority that the next start creates.`;
    throw new CommandFault(message, cure, { cause: error });
  });
  const hosts = hostsOf(settings);
  const issueAll = async () => {
    const issued = services.map(async ({ name }) =>
      [name, await authority.issue({ role: 'service', name, hosts })] as const);
    // The operator's command line and the launcher connect to the services with this certificate.
    const operator = await authority.issue({ role: 'operator', name: 'operator', hosts: [] });
    return { services: new Map<string, IssuedFiles>(await Promise.all(issued)), operator };
  };
  const first = await issueAll();
  let due = Date.now() + renewalMs;
  // Compare with the wall clock, so that a machine that was asleep renews the certificates when it wakes.
  const renewal = loop('certificates', 60_000, async () => {
    if (Date.now() < due) return;
    due = Date.now() + renewalMs;
    await issueAll().catch((error: Error) => {
      due = Date.now() + retryMs;
      report(`The certificates could not be renewed: ${error.message}.`);
    });
  }, silentLogger);
  return { ...first, [Symbol.asyncDispose]: () => renewal[Symbol.asyncDispose]() };
}

function hostsOf({ httpHost, baseUrl }: Pick<LauncherSettings, 'httpHost' | 'baseUrl'>): string[] {
  const known = ['localhost', '127.0.0.1', '::1', hostname()];
  if (!['0.0.0.0', '::'].includes(httpHost)) known.push(httpHost);
  // In a URL, an IPv6 host is in brackets.
  if (baseUrl !== undefined) known.push(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''));
  return [...new Set(known)];
}
