import { defaulted, given, type Setting } from './setting.ts';
import { oidcProviders } from './oidc-setting.ts';
import { duration } from './setting-kinds.ts';

/** Settings of sign-in, sessions and access tokens (open-points 18). */
export const accountSettings = {
  'auth.sessionIdle': defaulted(
    duration(60_000), '12h', 'How long a session in a browser lasts without use.',
  ),
  'auth.sessionLongest': defaulted(duration(60_000), '7d', 'Maximum duration of a session in a browser.'),
  'auth.oidc': given(
    oidcProviders, 'OpenID Connect providers with which people can sign in ([sign-in.md](sign-in.md)).',
  ),
  'tokens.defaultLifetime': defaulted(
    duration(), '90d',
    'Lifetime of access tokens that people create without stating an expiry; at most `tokens.longestLifetime`. `0s`: '
      + 'the same as `tokens.longestLifetime`.',
  ),
  'tokens.longestLifetime': defaulted(
    duration(), '366d', 'Maximum lifetime of access tokens that people create; `0s`: unlimited.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
