import { randomUUID } from 'node:crypto';
import type { SeededRandom } from '@platform/testing';
import { newApplication, secrets } from './subscription-world.ts';

const long = (count: number) => 'x'.repeat(count);
const nested = (depth: number): object => (depth === 1 ? {} : { inner: nested(depth - 1) });

/** Values that no field of a BindingInfo may have. */
const wrongValues: Readonly<Record<string, readonly unknown[]>> = {
  marketplace: [5, [], {}, 'ProviderX', 'providera', ' ProviderA'],
  installerId: [null, 5, {}, [], '', 'x', '../../etc', `${'0'.repeat(20)}'; drop table installer; --`],
  clusterId: [null, 5, {}, 'x', '', 'g'.repeat(36), `${randomUUID()}\n`],
  adminUsername: [5, {}, 'a b', '../x', long(41), '-x', 'a\nb', '$(id)'],
  adminPassword: ['', 5, {}, long(129)],
  domainWhiteList: ['x', 5, {}, [5], ['*'], ['*.example.org'], ['a@example.org'], ['10.0.0.1'], [null]],
  providerAAccountID: [5, {}, long(65)],
  options: [
    5, 'x', [], true, { infra: 5 }, { infra: { dns: [] } }, { infra: { dns: { targetIPs: 'x' } } }, nested(33),
    { productbackup: { backend: {} } }, { infra: { cloudServices: { objstore: { auth: 5 } } } },
    { big: long(256 * 1024) },
  ],
};

const brokenBodies = [
  '', '{', '[]', 'null', '"text"', '5', '{"a":1}}', `${'['.repeat(100)}${']'.repeat(100)}`, '{"a":"\\u0000"}',
  '{"a":"\\ud800"}', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), '{"eventType":5}',
  '{"eventTime":"2026-02-30T00:00:00Z"}', '{"eventTime":"x"}', "{'a': 1}", '<xml/>',
];

/**
 * A notification that must be refused, with the statuses that refuse it.
 * @param installers an installer of each marketplace that is not bound
 */
export function hostileNotification(random: SeededRandom, installers: Readonly<Record<'a' | 'b' | 'c', string>>) {
  const provider = random.pick(['a', 'b', 'c'] as const);
  const base = `/marketplace/api/v1/marketplaces/provider${provider}/notification/resource`;
  const secret = provider === 'a' ? '' : `?secret=${secrets[provider]}`;
  const right = { path: base + secret, source: '198.51.100.7' };
  const binding: Record<string, unknown> = {
    marketplace: `Provider${provider.toUpperCase()}`, installerId: installers[provider], clusterId: randomUUID(),
  };
  const document = {
    eventType: provider === 'b' ? 'BIND' : 'subscribe-success',
    ...(provider === 'b' ? { applicationId: newApplication() } : {}), bindingInfo: binding,
  };
  switch (random.integer(0, 3)) {
    case 0: return { ...right, body: random.pick(brokenBodies), refused: [400] };
    case 1: {
      const body = JSON.stringify(document);
      if (provider === 'a') {
        const source = random.pick(['203.0.113.9', '::1', '::ffff:203.0.113.9', 'x', '198.51.100.7, 203.0.113.9', '']);
        return { path: base, source, body, refused: [403] };
      }
      const given = random.pick([
        '', '?secret=', '?secret=x', `${secret}x`, `${secret}&secret=x`, `?secret=%00`, `?Secret=${secrets[provider]}`,
      ]);
      // A NUL makes the parameter invalid, which may also be refused with 400.
      return { path: base + given, source: right.source, body, refused: given.includes('%00') ? [400, 403] : [403] };
    }
    default: {
      const field = random.pick(Object.keys(wrongValues));
      const key = random.pick([field, field.toUpperCase(), field.toLowerCase()]);
      const { [field]: _, ...others } = binding;
      const wrong = random.pick(wrongValues[field]!);
      const body = JSON.stringify({ ...document, bindingInfo: { ...others, [key]: wrong } });
      return { ...right, body, refused: [400] };
    }
  }
}
