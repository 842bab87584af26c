import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { as, type OtlpCollector, rpcClient, until } from '@platform/testing';
import { documentedHttp } from '../documented.ts';
import type { Organization, Person, World } from '../orgs/world.ts';

/** A secret unlike our tokens. If somebody sends such a secret in place of a token, our logs must not contain it. */
const mistaken = 'Correct-Horse_battery.staple~42';

interface Traced {
  /** All its services write lines of the level `trace`. */
  readonly world: World;
  readonly collector: OtlpCollector;
  readonly person: Person;
  readonly organization: Organization;
}

/** Cases about secrets that callers send. They come last, because the last case reads all that was written. */
export function describeSecrets(of: () => Traced): void {
  /** All log lines of the services. */
  function everyLine(): string[] {
    return Object.values(of().world.platform.services).flatMap(({ replicas }) => replicas.flatMap(({ log }) => log));
  }

  const isLogged = (requestId: string) =>
    until(() => everyLine().some((line) => line.includes(requestId)), { what: 'the request is logged' });

  /** The four places for a token in a request (open-points 1.3). */
  const carriers: readonly (readonly [string, (token: string) => { query?: string; header?: string }])[] = [
    ['Authorization: token', (token) => ({ header: `token ${token}` })],
    ['Authorization: Bearer', (token) => ({ header: `Bearer ${token}` })],
    ['?token=', (token) => ({ query: `?token=${token}` })],
    ['?access_token=', (token) => ({ query: `?page=1&access_token=${token}` })],
  ];

  describe.each(carriers)('a token in %s', (_, carry) => {
    it.each([
      ['that is accepted', () => of().person.token, () => `/api/v1/orgs/${of().organization.username}`, 200],
      ['that nobody has', () => mistaken, () => `/api/v1/orgs/${of().organization.username}`, 401],
      ['on a path that does not exist', () => mistaken, () => '/api/v1/nobody/knows', 404],
      ['for an invalid number', () => of().person.token, () => '/api/v1/teams/none', 400],
    ])('%s is in no answer', async (__, tokenOf, pathOf, status) => {
      const [token, path] = [tokenOf(), pathOf()];
      const { query = '', header } = carry(token);
      const requestId = `secret-${randomUUID()}`;
      const headers = { 'X-Request-Id': requestId, ...(header === undefined ? {} : { Authorization: header }) };
      const answer = await documentedHttp(of().world.platform.baseUrl).get(`${path}${query}`, { headers });
      expect(answer.status).toBe(status);
      expect(`${answer.text}${JSON.stringify(answer.headers)}`).not.toContain(token);
      await isLogged(requestId);
    });
  });

  /**
   * A secret with which a reader of the log could sign in, download the content of an installer, or claim an
   * organization. Like the text above, it does not look like our tokens, which a log always hides.
   */
  const code = randomBytes(20).toString('base64url');

  it.each([
    ['POST', `/auth/sign-in/mail/${code}`], ['POST', `/auth/sign-up/${code}`], ['POST', `/auth/invitation/${code}`],
    ['POST', `/auth/link/${code}`], ['PUT', `/auth/link/${code}`],
    ['GET', `/links/installer/7/acme/8-${code}/archive.tar.gz`], ['POST', `/links/invitation/${code}`], ['PATCH', `/api/v1/orgs/claim/${code}`],
    ['GET', `/marketplace/api/v1/marketplaces/standalone-organizations/${code}/claimable`],
  ])('a code in the path of %s %s is logged without it', async (verb, path) => {
    for (const target of [path, `${of().world.platform.baseUrl}${path}`, `/${path}`]) {
      const requestId = `secret-${randomUUID()}`;
      const { hostname, port } = new URL(of().world.platform.baseUrl);
      const head = `${verb} ${target} HTTP/1.1\r\nHost: ${hostname}\r\nX-Request-Id: ${requestId}\r\nContent-Length: 0\r\n`;
      await text(connect(Number(port), hostname).end(`${head}Connection: close\r\n\r\n`));
      await isLogged(requestId);
    }
  });

  it('ignores a wrong service credential, and repeats no token of an invalid request', async () => {
    const direct = { serviceCredential: mistaken };
    const organizations = await rpcClient(OrganizationServiceService, [of().world.platform.grpc['orgs-teams']], direct);
    const get = (token: string) => organizations.getOrganization({ orgname: of().organization.username }, as(token));
    await expect(get(of().person.token)).resolves.toMatchObject({ username: of().organization.username });
    await expect(get(mistaken)).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    const { port, hostname } = new URL(of().world.platform.baseUrl);
    for (const bytes of [`GET /?token=${mistaken} HTTP/9.9\r\n\r\n`, `CONNECT /?token=${mistaken} HTTP/1.1\r\n\r\n`]) {
      expect(await text(connect(Number(port), hostname).end(bytes))).not.toContain(mistaken);
    }
  });

  it('nothing that was shown is in anything that was written', async () => {
    const serviceSpans = () => of().collector.spans.filter(({ kind }) => kind === 2);
    await until(() => serviceSpans().length >= 3 * carriers.length, { what: 'the traces arrive' });
    const written = `${everyLine().join('\n')}${JSON.stringify(of().collector.spans)}`;
    const { platform } = of().world;
    for (const secret of [of().person.token, mistaken, code, platform.adminToken, platform.serviceCredential]) {
      expect(written.split('\n').filter((line) => line.includes(secret)).slice(0, 3)).toEqual([]);
    }
  });
}
