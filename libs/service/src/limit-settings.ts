import { defaulted, type Setting } from './setting.ts';
import { auto, integer } from './setting-kinds.ts';

/** Settings that limit lists, roles and the rate of requests. */
export const limitSettings = {
  'lists.largestUnpaged': defaulted(
    integer(1, 2_000),
    '1000',
    'Maximum number of rows of a list that is requested without `page` and `limit`. If more rows exist, the header '
      + '`Link` leads to them.',
  ),
  'limits.rolesPerTeam': defaulted(integer(0, 1_000), '10', 'Maximum number of custom roles of one team.'),
  'limits.teamsPerRole': defaulted(integer(0, 10_000), '100', 'Maximum number of teams that have one custom role.'),
  'rateLimit.enabled': defaulted(
    auto, 'auto', 'Whether request rates are limited; `auto`: on in run mode `prod`. Each replica counts separately.',
  ),
  'rateLimit.anonymousPerSecond': defaulted(
    integer(1, 1_000_000),
    '20',
    'Anonymous requests per second and source address; an IPv6 network (/64) counts as one address.',
  ),
  'rateLimit.anonymousBurst': defaulted(
    integer(1, 1_000_000), '200', 'Anonymous requests that a source address may send at once.',
  ),
  'rateLimit.accountPerSecond': defaulted(
    integer(1, 1_000_000), '100',
    'Authenticated requests per second and account. A body of more than 64 KiB, or a batch of more than 100 values, '
      + 'counts as several requests.',
  ),
  'rateLimit.accountBurst': defaulted(
    integer(1, 1_000_000), '1000', 'Authenticated requests that an account may send at once.',
  ),
  'rateLimit.failedCredentialsPerSecond': defaulted(
    integer(1, 1_000_000),
    '1',
    'Requests with bad credentials per second and source address.',
  ),
  'rateLimit.failedCredentialsBurst': defaulted(
    integer(1, 1_000_000), '60', 'Requests with bad credentials that a source address may send at once.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
