/** Sign-in at OpenID Connect providers. No other project imports openid-client. */
export { type OidcFlow, type OidcIdentity, OidcRefused } from './identity.ts';
export { createOidcProvider, type OidcOptions, type OidcProvider, type OidcProviderSettings } from './provider.ts';
