import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { type LabPerson, labPeople } from './people.ts';

export { type LabPerson, labPeople } from './people.ts';

/** A real OpenID Connect provider on this machine, for development and tests. */
export interface LabProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface LabProviderOptions {
  /** Port on 127.0.0.1; default: a free port. */
  readonly port?: number;
  /** Addresses to which the provider may redirect: `{base_url}/auth/oidc/{provider}/callback`. */
  readonly redirectUris: readonly string[];
  readonly people?: readonly LabPerson[];
}

/**
 * Starts a provider. To sign in, a user chooses a person on a page and needs no password. The client id and the client
 * secret are constants, so that the settings of a platform can stay the same.
 * @throws an error with the code EADDRINUSE if the port is in use
 */
export async function startLabProvider(
  { port = 0, redirectUris, people = labPeople }: LabProviderOptions,
): Promise<LabProvider> {
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['platform', 'lab'];
  const provider = new Provider(issuer, configurationOf({ clientId, clientSecret, redirectUris, people }));
  const callback = provider.callback();
  answer = (request, response) => {
    const choosing = /^\/choose\/[\w-]+$/.test(request.url ?? '');
    const done = choosing ? choose(provider, people, request, response) : callback(request, response);
    done.catch(() => void (response.headersSent ? response.destroy() : response.writeHead(400).end('try again\n')));
  };
  return {
    issuer,
    clientId,
    clientSecret,
    [Symbol.asyncDispose]: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

interface Registration extends Required<Pick<LabProviderOptions, 'redirectUris' | 'people'>> {
  readonly clientId: string;
  readonly clientSecret: string;
}

function configurationOf({ clientId, clientSecret, redirectUris, people }: Registration): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [{
      client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris],
      response_types: ['code'], grant_types: ['authorization_code'], token_endpoint_auth_method: 'client_secret_post',
    }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'lab', alg: 'RS256', use: 'sig' }] as never },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    claims: {
      openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'], groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    // Put the claims of the requested scopes into the ID token too, for example the groups.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/choose/${uid}` },
    findAccount: (_context, id) => {
      const person = people.find(({ login }) => login === id);
      return person && { accountId: id, claims: () => claimsOf(person) };
    },
    loadExistingGrant: grantAll,
  };
}

function claimsOf({ login, name, email, isVerified, groups }: LabPerson) {
  return { sub: login, name, preferred_username: login, email, email_verified: isVerified, groups: [...groups] };
}

/** Grants all scopes without asking the user for consent. */
async function grantAll({ oidc }: KoaContextWithOIDC) {
  const accountId = oidc.session?.accountId;
  if (accountId === undefined || oidc.client === undefined) return undefined;
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId });
  grant.addOIDCScope('openid email profile groups');
  await grant.save();
  return grant;
}

/** GET: returns a page with a button for each person. POST: signs in the chosen person. */
async function choose(
  provider: Provider, people: readonly LabPerson[], request: IncomingMessage, response: ServerResponse,
): Promise<void> {
  if (request.method === 'POST') {
    const chosen = new URLSearchParams(await bodyOf(request)).get('login') ?? '';
    await provider.interactionFinished(request, response, { login: { accountId: chosen, remember: false } });
    return;
  }
  await provider.interactionDetails(request, response);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(pageOf(people));
}

const mostBytes = 10_000;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request.setEncoding('utf8') as AsyncIterable<string>) {
    body += piece;
    if (body.length > mostBytes) throw new Error('the form is too large');
  }
  return body;
}

/** The people are constants of this repository (`people.ts` or tests), so their fields need no escaping. */
function pageOf(people: readonly LabPerson[]): string {
  const buttons = people.map(({ login, name, email, isVerified, groups }) => `
<form method="post"><input type="hidden" name="login" value="${login}">
<p><button>${name}</button> ${email}${isVerified ? '' : ' (not verified)'}, groups: ${groups.join(', ') || 'none'}</p></form>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Lab provider</title></head>
<body style="font-family: sans-serif; max-width: 40em; margin: 4em auto">
<h1>Who signs in?</h1>${buttons.join('')}
</body></html>
`;
}
