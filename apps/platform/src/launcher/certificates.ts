import { hostname } from 'node:os';
import { join } from 'node:path';
import { loop, services, silentLogger } from '@platform/service';
import { type IssuedFiles, openAuthority } from '@platform/tls';
import { CommandFault } from '../command-fault.ts';
import type { LauncherSettings } from '../settings.ts';

/** The certificates of the services, by name, and of the operator's command line and the launcher. */
export type Certificates = Awaited<ReturnType<typeof openCertificates>>;

/** A certificate is valid for a week, so six renewals in a row may fail. */
const renewalMs = 86_400_000;
const retryMs = 600_000;

/**
 * Opens the authority in the state folder, and makes a certificate for every service: at each start and each day;
 * running services read them again. Disposing ends their renewal.
 * @throws CommandFault when the authority is damaged: a new one is not made automatically, because no client trusts it
 *   yet
 */
export async function openCertificates(
  settings: Pick<LauncherSettings, 'home' | 'httpHost' | 'baseUrl'>,
  report: (line: string) => void,
) {
  const folder = join(settings.home, 'tls');
  const authority = await openAuthority(folder).catch((error: Error) => {
    throw new CommandFault(
      `The authority in ${folder} (ca.pem and ca.key) cannot be used: ${error.message}`,
      'Put both files back from a copy of the state folder; or remove both, and let all clients trust the new one.',
      { cause: error },
    );
  });
  const hosts = hostsOf(settings);
  const issueAll = async () => {
    const issued = services.map(async ({ name }) => {
      return [name, await authority.issue({ role: 'service', name, hosts })] as const;
    });
    const operator = await authority.issue({ role: 'operator', name: 'operator', hosts: [] });
    return { services: new Map<string, IssuedFiles>(await Promise.all(issued)), operator };
  };
  const first = await issueAll();
  let due = Date.now() + renewalMs;
  // Check by the wall clock, so a machine that slept renews when it wakes.
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

/** The names and addresses at which people may reach the gateway. */
function hostsOf({ httpHost, baseUrl }: Pick<LauncherSettings, 'httpHost' | 'baseUrl'>): string[] {
  const known = ['localhost', '127.0.0.1', '::1', hostname()];
  if (!['0.0.0.0', '::'].includes(httpHost)) known.push(httpHost);
  // An IPv6 host stands in brackets.
  if (baseUrl !== undefined) known.push(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''));
  return [...new Set(known)];
}
