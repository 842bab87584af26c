import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Header and claims of an ID token, and the key that signs it. */
export interface Forged {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `own` is the key in the provider's metadata; `other` is an unknown key; `secret` is the client's secret. */
  readonly signedBy?: 'own' | 'other' | 'secret' | 'public key' | 'nobody';
  /** The answer of UserInfo. Without it, UserInfo refuses the access token. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

/** An endpoint of the provider, by its path. */
export type ProviderPart = '/.well-known/openid-configuration' | '/keys' | '/token' | '/userinfo';

/** A provider that the test controls: it signs with its own keys, and can lie about everything else. */
export interface HostileProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Statuses with which endpoints fail. */
  readonly failing: Map<ProviderPart, number>;
  /** Makes the token endpoint answer this code with a forged token, with this nonce unless the claims contain one. */
  answer(code: string, nonce: string, forged: Forged): void;
}

export const hostileClient = { clientID: 'platform', clientSecret: 'a-secret-of-the-client-that-is-long-enough' };

export async function startHostileProvider(): Promise<HostileProvider> {
  const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [own, other] = [keyPair(), keyPair()];
  const jwk = own.publicKey.export({ format: 'jwk' });
  const answers = new Map<string, { nonce: string; forged: Forged }>();
  const failing = new Map<ProviderPart, number>();
  let issuer = '';
  const server = createServer((request, response) => {
    const json = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const failure = failing.get(request.url as ProviderPart);
    if (failure !== undefined) return json({ error: 'server_error' }, failure);
    if (request.url === '/userinfo') {
      const code = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
      const userInfo = answers.get(code)?.forged.userInfo;
      return userInfo === undefined ? json({ error: 'invalid_token' }, 401) : json(userInfo);
    }
    if (request.url === '/.well-known/openid-configuration') {
      return json({
        issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`, userinfo_endpoint: `${issuer}/userinfo`,
        response_types_supported: ['code'], subject_types_supported: ['public'],
        // Algorithms that an attacker would want the platform to accept.
        id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none'],
      });
    }
    if (request.url === '/keys') return json({ keys: [{ ...jwk, kid: 'own', use: 'sig' }] });
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece)).on('end', () => {
      const code = new URLSearchParams(body).get('code') ?? '';
      const told = answers.get(code);
      if (told === undefined) return json({ error: 'invalid_grant' }, 400);
      return json({ access_token: code, token_type: 'bearer', id_token: tokenOf(told.nonce, told.forged) });
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function tokenOf(nonce: string, { header, claims, signedBy = 'own' }: Forged): string {
    const now = Math.floor(Date.now() / 1000);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const all = { iss: issuer, aud: hostileClient.clientID, iat: now, exp: now + 300, nonce, ...claims };
    const content = `${part({ alg: 'RS256', kid: 'own', ...header })}.${part(all)}`;
    return `${content}.${signatureOf(content, signedBy)}`;
  }

  function signatureOf(content: string, by: NonNullable<Forged['signedBy']>): string {
    const byKey = (key: KeyObject) => sign('sha256', Buffer.from(content), key).toString('base64url');
    const bySecret = (secret: string) => createHmac('sha256', secret).update(content).digest('base64url');
    switch (by) {
      case 'own': return byKey(own.privateKey);
      case 'other': return byKey(other.privateKey);
      case 'secret': return bySecret(hostileClient.clientSecret);
      case 'public key': return bySecret(own.publicKey.export({ format: 'pem', type: 'spki' }).toString());
      case 'nobody': return '';
    }
  }

  return {
    issuer,
    failing,
    answer: (code, nonce, forged) => void answers.set(code, { nonce, forged }),
    [Symbol.asyncDispose]: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
