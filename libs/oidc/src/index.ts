/** The door to openid-client: sign-in at OpenID Connect providers. */
export { type OidcFlow, type OidcIdentity, OidcRefused } from './identity.ts';
export { createOidcProvider, type OidcOptions, type OidcProvider, type OidcProviderSettings } from './provider.ts';
