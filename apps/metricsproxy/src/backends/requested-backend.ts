import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { AddressRefused, type Outbound, type OutboundTls } from '@platform/outbound';
import type { Backend, ServiceAddress, Tls } from '@platform/proto/metricsproxy/v1/metricsproxy';
import type { Deadline } from '@platform/service';
import { controlCharacterProblem, invalidValue, lengthProblem, validationFailed, Violations } from '@platform/values';

/** The address of a Prometheus server, and the credentials for the server. All fields are stored encrypted. */
export interface BackendAccess {
  /** URL with http or https. A query in the URL is added to each request. */
  readonly url: string;
  /** Value of the header Authorization; undefined for no header. */
  readonly authorization?: string | undefined;
  readonly tls?: OutboundTls | undefined;
}

const longestUrl = 2_000;
const longestText = 1_000;
const longestPem = 200_000;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Checks the backend in a registration request. `url` is preferred to `service`. An object (`service`, `basicAuth`,
 * `tls`) with only empty fields counts as absent (open-points 1.7).
 * @throws Fault VALIDATION_FAILED if there is neither `url` nor `service`, INVALID_VALUE for other problems
 */
export async function requestedBackend(
  backend: Backend, outbound: Pick<Outbound, 'check'>, deadline: Deadline,
): Promise<BackendAccess> {
  const service = given(backend.service);
  if (backend.url === '' && service === undefined) {
    throw validationFailed([{ path: 'backend', message: 'must have url or service' }]);
  }
  const violations = new Violations();
  const url = backend.url === '' ? serviceUrl(service!, violations) : backend.url;
  const path = backend.url === '' ? 'backend.service' : 'backend.url';
  violations.note(path, lengthProblem(url, { most: longestUrl }) ?? controlCharacterProblem(url));
  const authorization = authorizationOf(backend, violations);
  const tls = tlsOf(given(backend.tls), violations);
  violations.refuse(invalidValue);
  const checked = await outbound.check(url, deadline).catch((error: unknown) => {
    if (!(error instanceof AddressRefused)) throw error;
    throw invalidValue([{ path, message: `is refused: ${error.message}` }]);
  });
  checked.hash = '';
  return { url: checked.href, authorization, tls };
}

function given<Members extends object>(members: Members | undefined): Members | undefined {
  return members && Object.values(members).some((value) => value !== '' && value !== false) ? members : undefined;
}

function serviceUrl(service: ServiceAddress, violations: Violations): string {
  const { scheme, name, namespace, port, path, query } = service;
  const note = (member: string, problem: string | undefined) => violations.note(`backend.service.${member}`, problem);
  if (!['', 'http', 'https'].includes(scheme)) note('scheme', 'must be http or https');
  if (!label.test(name)) note('name', 'must be the name of a Kubernetes service');
  if (!label.test(namespace)) note('namespace', 'must be the name of a Kubernetes namespace');
  if (port !== '' && !(/^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= 65_535)) note('port', 'must be a port number');
  if (path !== '' && !/^\/[^?#]*$/.test(path)) note('path', 'must begin with a slash, without ? and #');
  if (query.includes('#')) note('query', 'must not have #');
  const at = `${scheme || 'http'}://${name}.${namespace}.svc${port === '' ? '' : `:${port}`}`;
  return `${at}${path}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`;
}

/** Value of the header Authorization; undefined for no header. A bearer token is preferred to basic authentication. */
function authorizationOf({ basicAuth, bearerToken: sent }: Backend, violations: Violations): string | undefined {
  const basic = given(basicAuth);
  const note = (path: string, value: string) =>
    violations.note(path, lengthProblem(value, { most: longestText }) ?? controlCharacterProblem(value));
  if (basic !== undefined) {
    note('backend.basicAuth.username', basic.username);
    note('backend.basicAuth.password', basic.password);
    if (basic.username.includes(':')) violations.note('backend.basicAuth.username', 'must not have a colon');
  }
  // Remove white space at both ends, because a token from a file may end with a line break.
  const bearerToken = sent.trim();
  const isHeaderText = /^[\x21-\x7e]*$/.test(bearerToken);
  const wrong = 'must be ASCII without spaces, control characters and line ends';
  violations.note('backend.bearerToken', isHeaderText ? lengthProblem(bearerToken, { most: 16_000 }) : wrong);
  if (bearerToken !== '') return `Bearer ${bearerToken}`;
  if (basic === undefined) return undefined;
  return `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`;
}

function tlsOf(tls: Tls | undefined, violations: Violations): OutboundTls | undefined {
  if (tls === undefined) return undefined;
  const { ca, cert, key, serverName, insecureSkipTlsVerify: insecure } = tls;
  const note = (member: string, problem: string | undefined) => violations.note(`backend.tls.${member}`, problem);
  for (const [member, pem] of [['ca', ca], ['cert', cert], ['key', key]] as const) {
    note(member, lengthProblem(pem, { most: longestPem }));
  }
  if (ca !== '' && certificatesIn(ca).length === 0) note('ca', 'must be certificates in PEM');
  if (cert !== '' && key === '') note('key', 'is required with a certificate');
  if (key !== '' && cert === '') note('cert', 'is required with a key');
  if (cert !== '' && key !== '') notePair(cert, key, note);
  if (serverName !== '' && !/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,253})$/.test(serverName)) note('serverName', 'must be a host name');
  return {
    ...(ca === '' ? {} : { ca }),
    ...(cert === '' ? {} : { cert, key }),
    ...(serverName === '' ? {} : { serverName }),
    ...(insecure ? { insecure } : {}),
  };
}

function notePair(cert: string, key: string, note: (member: string, problem: string) => void): void {
  const [leaf] = certificatesIn(cert);
  const privateKey = privateKeyIn(key);
  if (leaf === undefined) note('cert', 'must be one or more certificates in PEM');
  if (privateKey === undefined) note('key', 'must be an unencrypted private key in PEM');
  if (leaf !== undefined && privateKey !== undefined && !leaf.checkPrivateKey(privateKey)) {
    note('cert', 'does not match the key');
  }
}

function privateKeyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** Returns the certificates in a text. Returns an empty list if one of the certificates is invalid. */
function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}
