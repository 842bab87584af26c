import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServiceSettings } from '@platform/testing';
import { checked } from '../contracts/contract-world.ts';
import type { World } from '../orgs/world.ts';
import type { Mix, Order, Outcome, Read, Slot, Task } from './requests.ts';

export const connections = 64;

/** Rate limits count requests as in production, but are high enough for the few accounts of a measurement. */
export const loadSettings: ServiceSettings = {
  'log.level': 'warn',
  'rateLimit.enabled': 'true',
  'rateLimit.anonymousPerSecond': '1000000',
  'rateLimit.anonymousBurst': '1000000',
  'rateLimit.accountPerSecond': '1000000',
  'rateLimit.accountBurst': '1000000',
};

/** Generators of load; disposing ends them. */
export interface Generator extends Disposable {
  run(task: Task): Promise<Outcome>;
}

/** Starts a generator of the mix in a separate process. */
export function startGenerator(baseUrl: string, mix: Mix): Generator {
  const child = fork(join(import.meta.dirname, 'generator.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const tell = (order: Order) => void child.send(order);
  tell({ baseUrl, mix });
  return {
    run: async (task) => {
      const ended = new AbortController();
      const gone = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`the generator ended with ${String(code)}`);
      });
      tell(task);
      try {
        const [outcome] = await Promise.race([once(child, 'message', { signal: ended.signal }), gone]);
        return outcome as Outcome;
      } finally {
        gone.catch(() => undefined);
        ended.abort();
      }
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

/**
 * Organizations with 21 members and 11 teams that are only read, so that their answers never change, by an owner and a
 * member of each; and other organizations that are written to.
 */
export async function prepareMix(world: World, organizations: number): Promise<Mix> {
  const people = await Array.fromAsync({ length: 20 }, () => world.person());
  const reads: Read[] = [];
  const permissions: Read[] = [];
  const slots: Slot[] = [];
  for (let count = 0; count < organizations; count += 1) {
    const boss = await world.person();
    const calm = await world.organization(boss);
    const { Editors, Viewers } = calm.teams;
    const path = `/api/v1/orgs/${calm.username}`;
    await world.join(boss, Viewers, ...people);
    for (let team = 1; team <= 8; team += 1) {
      const json = { name: `team-${team}`, type: 'kubernetes', permission: 'read' };
      checked(await boss.http.post(`${path}/teams`, { json }), 201);
    }
    for (const { token, http } of [boss, people[count % people.length]!]) {
      const read = async (target: string): Promise<Read> => {
        return { method: 'GET', path: target, token, answer: checked(await http.get(target)).text };
      };
      const targets = [path, `${path}/members`, `${path}/teams`, `/api/v1/teams/${Viewers}`, `/api/v1/teams/${Viewers}/members`];
      for (const target of targets) reads.push(await read(target));
      for (const team of [Editors, Viewers]) {
        permissions.push(await read(`/api/v1/authz/objects/team/${team}/allowed-permissions?org=${calm.username}`));
      }
    }
    const { username: organization } = await world.organization(boss);
    for (let slot = 0; slot < Math.ceil(connections / organizations); slot += 1) {
      slots.push({ token: boss.token, organization, guest: people[0]!.username, team: `slot-${slot}` });
    }
  }
  return { reads, permissions, slots };
}
