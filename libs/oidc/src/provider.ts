import { type Deadline, DeadlineExceeded, type Secret, Unavailable } from '@platform/service';
import * as client from 'openid-client';
import { fetchThrough, isLoopbackAddress, providerOutbound } from './fetch.ts';
import { type OidcFlow, type OidcIdentity, OidcRefused } from './identity.ts';

/** The settings of a provider (open-points 18.3). */
export interface OidcProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly scopes: readonly string[];
  /** Claim with the names of the person's groups. */
  readonly groupsClaim?: string | undefined;
}

export interface OidcOptions {
  /** The exact URL to which the provider redirects the browser. */
  readonly redirectUri: string;
  /** Whether a provider on this machine is permitted, with or without TLS. True only in run mode `dev`. */
  readonly withLoopback: boolean;
}

/** Sign-in at one provider: the authorization code flow with PKCE, `state` and `nonce`. */
export interface OidcProvider {
  /** Returns the URL of the provider's sign-in page. @throws OidcRefused; Unavailable, also after the deadline */
  begin(deadline: Deadline): Promise<{ readonly url: string; readonly flow: OidcFlow }>;
  /**
   * Redeems the authorization code, and verifies the ID token that the provider returns.
   * @param parameters the query of the callback
   * @throws OidcRefused, Unavailable, DeadlineExceeded
   */
  finish(parameters: URLSearchParams, flow: OidcFlow, deadline: Deadline): Promise<OidcIdentity>;
}

/** How long the metadata of a provider is cached, in milliseconds. Keys are not cached, so new keys work at once. */
const metadataMs = 60_000;
/** How far the clocks of provider and platform may differ, in seconds. */
const clockTolerance = 30;
/** Accepted signature algorithms of ID tokens. `none` and algorithms with a shared secret are not accepted. */
const algorithms = [
  'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519',
];

export function createOidcProvider(
  settings: OidcProviderSettings, { redirectUri, withLoopback }: OidcOptions,
): OidcProvider {
  const { issuer, clientId, clientSecret, scopes, groupsClaim } = settings;
  const outbound = providerOutbound(withLoopback);
  const inTheClear = withLoopback && isLoopbackAddress(issuer);
  const metadata = { client_secret: clientSecret.reveal(), [client.clockTolerance]: clockTolerance };
  let kept: { readonly server: client.ServerMetadata; readonly readAt: number } | undefined;

  async function readServer(deadline: Deadline): Promise<client.ServerMetadata> {
    if (kept !== undefined && performance.now() - kept.readAt < metadataMs) return kept.server;
    const found = await client.discovery(new URL(issuer), clientId, metadata, undefined, {
      [client.customFetch]: fetchThrough(outbound, withLoopback, deadline),
      execute: inTheClear ? [client.allowInsecureRequests] : [],
      timeout: 0,
    }).catch((cause: unknown) => {
      throw new Unavailable('the metadata of the provider cannot be read', { cause });
    });
    const server = found.serverMetadata();
    // Without this check, any tenant of a shared host could act as the configured issuer.
    if (server.issuer !== issuer) throw new Unavailable('the issuer of the provider differs from the settings');
    kept = { server: { ...server }, readAt: performance.now() };
    return kept.server;
  }

  /** Returns a new configuration for each call, so that no keys are cached. */
  async function configuration(deadline: Deadline): Promise<client.Configuration> {
    const server = await readServer(deadline);
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic;
    const configured = new client.Configuration({ ...server }, clientId, metadata, authenticate(clientSecret.reveal()));
    configured[client.customFetch] = fetchThrough(outbound, withLoopback, deadline);
    configured.timeout = 0;
    if (inTheClear) client.allowInsecureRequests(configured);
    // By default, the library does not check the signature of an ID token that it receives over TLS.
    client.enableNonRepudiationChecks(configured);
    return configured;
  }

  return {
    begin: (deadline) => told(async () => {
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const url = client.buildAuthorizationUrl(await configuration(deadline), {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, flow: { state, nonce, verifier } };
    }),
    finish: (parameters, { state, nonce, verifier }, deadline) => told(async () => {
      const configured = await configuration(deadline);
      const callback = new URL(redirectUri);
      callback.search = parameters.toString();
      const tokens = await client.authorizationCodeGrant(configured, callback, {
        expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true,
      });
      refuseWeakSignature(tokens.id_token!);
      const claims = tokens.claims()!;
      if (claims.iss !== issuer) throw new OidcRefused('the ID token is from another issuer');
      if (isWhole(claims, groupsClaim) || configured.serverMetadata().userinfo_endpoint === undefined) {
        return identityOf(issuer, claims, claims, groupsClaim);
      }
      // Some providers return profile or groups only from the userinfo endpoint. Its `sub` must match the ID token.
      const userInfo = await client.fetchUserInfo(configured, tokens.access_token, claims.sub);
      return identityOf(issuer, claims, userInfo, groupsClaim);
    }),
  };
}

/**
 * Refuses an ID token whose signature algorithm is not in `algorithms`, even if the metadata of the provider names the
 * algorithm.
 */
function refuseWeakSignature(idToken: string): void {
  const [header = ''] = idToken.split('.');
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { alg?: unknown };
  if (typeof alg === 'string' && algorithms.includes(alg)) return;
  throw new OidcRefused(`the signature algorithm ${alg} is refused for ID tokens`);
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns whether the ID token has the e-mail address. If the settings name a claim with groups, the token must also
 * have this claim or refer to another source of it.
 */
function isWhole(idToken: Claims, groupsClaim: string | undefined): boolean {
  return idToken['email'] !== undefined && (groupsClaim === undefined || tellsGroups(idToken, groupsClaim));
}

/** Returns whether the claims contain the groups, or refer to another source of the groups (`_claim_names`). */
function tellsGroups(claims: Claims, name: string): boolean {
  const elsewhere = claims['_claim_names'];
  return Object.hasOwn(claims, name)
    || (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name));
}

/** @param userInfo the answer of the userinfo endpoint, or the ID token again if the endpoint was not asked */
function identityOf(
  issuer: string, idToken: Claims & { readonly sub: string }, userInfo: Claims, groupsClaim: string | undefined,
): OidcIdentity {
  // Read the whole profile from one document, because `email_verified` applies to the address in the same document.
  const profile = idToken['email'] === undefined ? userInfo : idToken;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  if (idToken.sub === '' || idToken.sub.length > 255) throw new OidcRefused('the subject is empty or too long');
  return {
    issuer,
    subject: idToken.sub,
    email: textOf(profile['email']),
    emailVerified: profile['email_verified'] === true,
    name: textOf(profile['name']),
    preferredUsername: textOf(profile['preferred_username']),
    groups: groupsClaim === undefined
      ? undefined : groupsOf(tellsGroups(idToken, groupsClaim) ? idToken : userInfo, groupsClaim),
  };
}

/**
 * Returns the groups in the claim. Without the claim, the person is in no group.
 * @throws OidcRefused if the claim is neither a text nor a list of texts, or if the claims only refer to another source
 *   of the groups (`_claim_names`, OpenID Connect Core 5.6.2)
 */
function groupsOf(claims: Claims, name: string): readonly string[] {
  if (!tellsGroups(claims, name)) return [];
  if (!Object.hasOwn(claims, name)) throw new OidcRefused('the provider omits the groups; there may be too many');
  const value = claims[name];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new OidcRefused(`the claim ${name} is not a list of groups`);
}

/** Error codes with which a provider reports its own failure, not a refusal of the person (RFC 6749, 4.1.2.1). */
const passing: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/**
 * Runs `run`, and converts its errors. If the provider failed or did not answer, the error becomes Unavailable or
 * DeadlineExceeded. All other errors become OidcRefused.
 */
async function told<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OidcRefused) throw error;
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof Unavailable || cause instanceof DeadlineExceeded) throw cause;
    }
    if (error instanceof client.AuthorizationResponseError && passing.has(error.error)) {
      throw new Unavailable('the provider failed', { cause: error });
    }
    throw new OidcRefused('the sign-in at the provider failed', { cause: error });
  }
}
