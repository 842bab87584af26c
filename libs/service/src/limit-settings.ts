import { defaulted, type Setting } from './setting.ts';
import { auto, integer } from './setting-kinds.ts';

/** Settings that limit lists, roles and the rate of requests. */
export const limitSettings = {
  'lists.largestUnpaged': defaulted(
    integer(1, 2_000),
    '1000',
    'Most rows of a list that is asked for without `page` and `limit`; `Link` leads to the rest.',
  ),
  'limits.rolesPerTeam': defaulted(integer(0, 1_000), '10', 'Most custom roles on one team.'),
  'limits.teamsPerRole': defaulted(integer(0, 10_000), '100', 'Most teams that have one custom role.'),
  'rateLimit.enabled': defaulted(auto, 'auto', '`auto`: on in run mode `prod`. Each replica counts for itself.'),
  'rateLimit.anonymousPerSecond': defaulted(
    integer(1, 1_000_000),
    '20',
    'Anonymous requests per source address; an IPv6 network (/64) counts as one.',
  ),
  'rateLimit.anonymousBurst': defaulted(integer(1, 1_000_000), '200', 'The same at once.'),
  'rateLimit.accountPerSecond': defaulted(
    integer(1, 1_000_000), '100', 'Authenticated requests per account; a body over 64 KiB counts as several.',
  ),
  'rateLimit.accountBurst': defaulted(integer(1, 1_000_000), '1000', 'The same at once.'),
  'rateLimit.failedCredentialsPerSecond': defaulted(
    integer(1, 1_000_000),
    '1',
    'Requests with bad credentials per source address.',
  ),
  'rateLimit.failedCredentialsBurst': defaulted(integer(1, 1_000_000), '60', 'The same at once.'),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
