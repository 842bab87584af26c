/** The door to openid-client: people who sign in at a provider of OpenID Connect. */
export { type OidcFlow, type OidcIdentity, OidcRefused } from './identity.ts';
export { createOidcProvider, type OidcOptions, type OidcProvider, type OidcProviderSettings } from './provider.ts';
