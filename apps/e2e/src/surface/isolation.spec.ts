import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { requestOf } from '../examples/call-example.ts';
import { startExampleWorld } from '../examples/example-world.ts';
import { casesOf } from './cases.ts';
import { foreignCallsOf } from './foreign-names.ts';
import { type Attacked, attackedOf } from './isolation.ts';
import { tryIsolation } from './try-isolation.ts';

const examples = await readExamples();
// Where credentials are ignored there is no account to keep apart.
const cases = readSurface(await readImage()).methods
  .filter(({ http, access }) => http !== undefined && access.who !== 'anonymous')
  .flatMap((method) => casesOf(method, examples));

let stack: AsyncDisposableStack;
let world: Attacked;
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  world = stack.use(await attackedOf(stack.use(await startExampleWorld())));
}, 120_000);
afterAll(() => stack.disposeAsync());

it.each(cases.map((one) => [one.name, one] as const))(
  '%s on things of others answers as on what exists nowhere, and changes nothing there',
  async (_name, one) => {
    expect(await tryIsolation(world, one, foreignCallsOf(one, world.theirs, world.ours))).toEqual([]);
  },
);

describe('what is compared', () => {
  it('is there for those to whom it belongs', async () => {
    const reads = cases.filter(({ method, example: { as = 'owner' }, actsFor }) => {
      return method.http!.verb === 'GET' && as === 'owner' && actsFor === 'organization';
    });
    const statuses = await Promise.all(reads.map(async ({ method, example, name }) => {
      const { verb, target } = await requestOf(method, example, world.theirs.names.meant);
      return [name, (await world.theirs.owner.http.send(verb, target)).status] as const;
    }));
    // Made by a call alone; of a user, who stays the one of the example.
    const absent = /SyncToken|ListUserTokens/;
    expect(statuses.filter(([name, status]) => status >= 400 && !absent.test(name))).toEqual([]);
    expect(reads.length).toBeGreaterThan(20);
  });
});
