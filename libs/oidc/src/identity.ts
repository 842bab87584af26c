/** What must be the same when the person comes back. Kept secret, and in the browser that began alone. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** Who a provider says a person is, after everything it said was verified. */
export interface OidcIdentity {
  readonly issuer: string;
  /** Names the person at the issuer, for ever; the address does not. */
  readonly subject: string;
  /** Empty where the provider tells none. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly preferredUsername: string;
  /** Undefined where no claim with groups is asked for. */
  readonly groups: readonly string[] | undefined;
}

/** The provider did not sign the person in, or what it says is not to be believed. The message is for the log. */
export class OidcRefused extends Error {
  override readonly name = 'OidcRefused';
}
