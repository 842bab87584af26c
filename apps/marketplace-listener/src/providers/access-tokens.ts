import type { Deadline } from '@platform/service';
import {
  askProvider, askWithToken, isSuccess, type ProviderAnswer, ProviderRefusal, textOf, unreadable,
} from './provider-http.ts';

/** Access tokens of an OAuth 2.0 server, kept in memory until shortly before they expire. */
export interface AccessTokens {
  /**
   * Returns the stored token if it stays valid for another minute, otherwise a new token.
   * @throws ProviderRefusal with the error of the server; Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded
   */
  get(deadline: Deadline): Promise<string>;
  /** Gets a new token. If this fails, the stored token stays. @throws as {@link get} */
  renew(deadline: Deadline): Promise<string>;
  /** Forgets the stored token, so that the next call of `get` requests a new token. */
  forget(): void;
}

/** As {@link askWithToken}, with a token of `tokens`. If the status of the answer is 401, forgets the token. */
export async function askAuthorized(
  name: string, tokens: AccessTokens, address: string, deadline: Deadline, json?: object,
): Promise<ProviderAnswer> {
  const answer = await askWithToken(name, address, await tokens.get(deadline), deadline, json);
  if (answer.status === 401) tokens.forget();
  return answer;
}

/** A token that expires within this time, in milliseconds, is not used for another call. */
const leastLeftMs = 60_000;

/** @param form builds the parameters of a token request (RFC 6749 §4.4.2, RFC 7523 §2.1) */
export function createAccessTokens(
  name: string, address: string, form: () => Promise<Readonly<Record<string, string>>>,
): AccessTokens {
  let kept = { token: '', expiresAt: 0 };
  const renew = async (deadline: Deadline): Promise<string> => {
    const askedAt = performance.now();
    const body = new URLSearchParams(await form()).toString();
    const answer = await askProvider(name, address, {
      method: 'POST', body, deadline,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body),
        'Accept': 'application/json',
      },
    });
    const { status, json } = answer;
    if (!isSuccess(answer)) {
      if (json === undefined) throw unreadable(name, status);
      throw new ProviderRefusal({
        code: textOf(json, 'error') || String(status), message: textOf(json, 'error_description'), error: json,
      });
    }
    const token = textOf(json, 'access_token');
    if (token === '') throw unreadable(name, status);
    const seconds = Number(json?.['expires_in']);
    kept = { token, expiresAt: askedAt + (Number.isFinite(seconds) ? seconds * 1000 : 0) };
    return token;
  };
  return {
    get: async (deadline) => (performance.now() + leastLeftMs < kept.expiresAt ? kept.token : renew(deadline)),
    renew,
    forget: () => {
      kept = { token: '', expiresAt: 0 };
    },
  };
}
