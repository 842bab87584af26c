import { createSecureContext } from 'node:tls';
import { type Cluster, KubeConfig, loadYaml, type User } from '@kubernetes/client-node';
import { Fault } from '@platform/faults';

/** How to reach one cluster: the current context of a kubeconfig, after validation. */
export interface ClusterAccess {
  readonly config: KubeConfig;
  /** Address of the API server, such as `https://host:port`. */
  readonly server: string;
}

/** Maximum characters of a kubeconfig, checked before parsing. A usual kubeconfig has a few kilobytes. */
const mostCharacters = 256 * 1024;

/**
 * Reads a kubeconfig from an untrusted source. The kubeconfig must not make this process run a program, read a file, or
 * connect without TLS (operator.md §3). Therefore `exec`, `auth-provider`, file references and servers without https
 * are refused.
 * @throws Fault INVALID_VALUE that names the problem; the message contains no credential
 */
export function parseKubeconfig(text: string): ClusterAccess {
  if (text.length > mostCharacters) throw refused(`must have at most ${mostCharacters} characters`);
  const config = new KubeConfig();
  try {
    refuseUnreadMembers(loadYaml<unknown>(text));
    config.loadFromString(text);
  } catch (error) {
    if (error instanceof Fault) throw error;
    // Leave out the parser's message, because it may quote the kubeconfig.
    throw refused('must be a kubeconfig in YAML or JSON');
  }
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  if (cluster === null || user === null) throw refused('must have a current context with a cluster and a user');
  refuseUnsafe(cluster, user);
  refuseUnreadable(cluster, user);
  const only = new KubeConfig();
  only.loadFromOptions({
    clusters: [cluster],
    users: [user],
    contexts: [{ name: 'current', cluster: cluster.name, user: user.name }],
    currentContext: 'current',
  });
  return { config: only, server: cluster.server };
}

/**
 * Refused fields of a kubeconfig user, each with its message. For `token-file`, the library would read a file on this
 * machine. The library ignores the other fields. Without `tokenFile`, calls would lack the token. Without the `as-`
 * fields, calls could have more rights than the kubeconfig requests.
 */
const unreadMembers = {
  'tokenFile': 'must contain certificates, keys and tokens, not file names',
  'token-file': 'must contain certificates, keys and tokens, not file names',
  'as-uid': 'must not use as-uid, as-groups or as-user-extra',
  'as-groups': 'must not use as-uid, as-groups or as-user-extra',
  'as-user-extra': 'must not use as-uid, as-groups or as-user-extra',
} as const;

/** Checks all users, not only the current user. If several have the same name, the library chooses one of them. */
function refuseUnreadMembers(config: unknown): void {
  const { users } = (config ?? {}) as { users?: unknown };
  for (const entry of Array.isArray(users) ? users as unknown[] : []) {
    const user = (entry as { user?: unknown } | null)?.user ?? {};
    for (const [member, problem] of Object.entries(unreadMembers)) {
      const value = (user as Record<string, unknown>)[member];
      if (value !== undefined && value !== null && value !== '') throw refused(problem);
    }
  }
}

function refuseUnsafe({ server, caFile, proxyUrl }: Cluster, { exec, authProvider, certFile, keyFile }: User): void {
  if (exec !== undefined) throw refused('must not run a program (exec)');
  if (authProvider !== undefined) throw refused('must not use an auth-provider');
  if (certFile !== undefined || keyFile !== undefined) throw refused(unreadMembers.tokenFile);
  const url = typeof server === 'string' ? URL.parse(server) : null;
  if (url === null || url.protocol !== 'https:') throw refused('must name a server with an https address');
  if (url.username + url.password !== '') throw refused('must not have credentials in the address of the server');
  if (caFile !== undefined) throw refused('must contain certificate-authority-data, not a file name');
  if (proxyUrl !== undefined) throw refused('must not name a proxy-url');
}

function refuseUnreadable({ caData }: Cluster, { certData, keyData, token }: User): void {
  if (token !== undefined && !/^[\x21-\x7e]*$/.test(token)) {
    throw refused('must not have spaces, control characters or non-ASCII characters in its token');
  }
  const given = Object.entries({ ca: caData, cert: certData, key: keyData }).filter(([, data]) => data !== undefined);
  try {
    createSecureContext(Object.fromEntries(given.map(([name, data]) => [name, Buffer.from(data!, 'base64')])));
  } catch {
    throw refused('must contain readable certificates, and a key that belongs to its client certificate');
  }
}

function refused(message: string): Fault {
  return new Fault('INVALID_VALUE', `the kubeconfig ${message}`, { violations: [{ path: 'kubeconfig', message }] });
}
