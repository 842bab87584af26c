import { describe, expect, it } from '@jest/globals';
import { requestOf } from '../examples/call-example.ts';
import type { Case } from './cases.ts';
import { foreignCallsOf } from './foreign-names.ts';
import type { Attacked } from './isolation.ts';
import { tryIsolation } from './try-isolation.ts';

/** Whether a method reveals or changes things of another organization. */
export function describeIsolation(all: readonly Case[], world: () => Attacked): void {
  // Methods that ignore credentials have no accounts to isolate.
  const cases = all.filter(({ method: { http, access } }) => http !== undefined && access.who !== 'anonymous');

  it.each(cases.map((one) => [one.name, one] as const))(
    '%s on things of others answers as on what exists nowhere, and changes nothing there',
    async (_name, one) => {
      expect(await tryIsolation(world(), one, foreignCallsOf(one, world().theirs, world().ours))).toEqual([]);
    },
  );

  describe('what is compared', () => {
    it('is there for those to whom it belongs', async () => {
      const reads = cases.filter(({ method, example: { as = 'owner' }, actsFor }) =>
        method.http!.verb === 'GET' && as === 'owner' && actsFor === 'organization');
      const statuses = await Promise.all(reads.map(async ({ method, example, name }) => {
        const { verb, target } = await requestOf(method, example, world().theirs.names.meant);
        return [name, (await world().theirs.owner.http.send(verb, target)).status] as const;
      }));
      // These objects exist only after a call of their own, or belong to the one user that all worlds share.
      const absent = /SyncToken|ListUserTokens/;
      expect(statuses.filter(([name, status]) => status >= 400 && !absent.test(name))).toEqual([]);
      expect(reads.length).toBeGreaterThan(20);
    });
  });
}
