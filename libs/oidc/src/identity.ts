/** Values that the platform needs to finish a sign-in. The browser that began the sign-in keeps them. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  /** Code verifier of PKCE. */
  readonly verifier: string;
}

/** The identity of a person according to a provider. The ID token of the provider was verified. */
export interface OidcIdentity {
  readonly issuer: string;
  /** Identifies the person at the issuer permanently. The e-mail address may change. */
  readonly subject: string;
  /** Empty if the provider does not send an address. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly preferredUsername: string;
  /** Undefined if the settings name no claim with groups. */
  readonly groups: readonly string[] | undefined;
}

/** The provider did not sign the person in, or its answer failed a check. The message is for the log. */
export class OidcRefused extends Error {
  override readonly name = 'OidcRefused';
}
