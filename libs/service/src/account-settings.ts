import { defaulted, given, type Setting } from './setting.ts';
import { oidcProviders } from './oidc-setting.ts';
import { duration } from './setting-kinds.ts';

/** Settings of sessions and access tokens of people (open-points 18). */
export const accountSettings = {
  'auth.sessionIdle': defaulted(
    duration(60_000), '12h', 'How long a session in a browser lasts without use.',
  ),
  'auth.sessionLongest': defaulted(duration(60_000), '7d', 'How long a session in a browser lasts at most.'),
  'auth.oidc': given(
    oidcProviders, 'Providers of OpenID Connect that sign people in ([sign-in.md](sign-in.md)).',
  ),
  'tokens.defaultLifetime': defaulted(
    duration(), '90d', 'How long access tokens last that people make without an end; `0s`: for ever.',
  ),
  'tokens.longestLifetime': defaulted(
    duration(), '366d', 'How long access tokens last at most that people make; `0s`: without a limit.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
