import { randomUUID } from 'node:crypto';
import { sql } from '@platform/postgres';
import type { HttpAnswer } from '@platform/testing';
import type { Organization, World } from '../src/orgs/world.ts';
import type { Gateways } from './balancer.ts';
import type { Kind } from './load.ts';

/** The calls of clients, with the expected answers. */
export interface Calls {
  /** Reads of all kinds, including refused ones; each always has the same answer. */
  readonly reads: readonly Kind[];
  /** Writes: each creates a team with a unique name. */
  readonly writes: readonly Kind[];
  /** Makes replicas forget their decisions about the reads, so that the engine decides the next reads. */
  forget(): Promise<void>;
  /** Compares the rows with the answers, and returns the differences. */
  disagreements(): Promise<string[]>;
}

/** Names of teams: `made` were answered 201; those in `open` may or may not exist. */
interface Ledger {
  readonly made: Set<string>;
  readonly open: Set<string>;
}

/** Makes two organizations: one is only read, so that its answers never change; the other is written to. */
export async function prepareCalls(world: World, gateways: Gateways = world.platform.http): Promise<Calls> {
  const { organization: calm, boss, people, path } = await world.organizationWith(3);
  const stranger = await world.person();
  const busy = await world.organization(boss);
  const read = (name: string, token: string, target: string) => readKind(gateways, name, token, 'GET', target);
  const [viewer] = people;
  const objects = [
    { objectType: 'organization', objectID: calm.id }, { objectType: 'team', objectID: calm.teams.Viewers },
  ];
  const reads = await Promise.all([
    read('version', '', '/api/v1/version'),
    read('branding', boss.token, '/api/v1/branding'),
    read('organization', boss.token, path),
    read('members', viewer!.token, `${path}/members`),
    read('teams', viewer!.token, `${path}/teams`),
    read('team', boss.token, `/api/v1/teams/${calm.teams.Editors}`),
    read('is owner', viewer!.token, `${path}/is-owner`),
    read('what a stranger may not', stranger.token, `${path}/teams`),
    read('catalogue', boss.token, '/api/v1/authz/roles/available_permissions'),
    read(
      'allowed permissions', viewer!.token,
      `/api/v1/authz/objects/team/${calm.teams.Viewers}/allowed-permissions?org=${calm.username}`,
    ),
    readKind(
      gateways, 'allowed permissions of many', boss.token, 'POST',
      `/api/v1/authz/objects/allowed-permissions?org=${calm.username}`, objects,
    ),
  ]);
  const ledger: Ledger = { made: new Set(), open: new Set() };
  return {
    reads,
    writes: [createTeam(gateways, boss.token, busy, ledger)],
    forget: async () => {
      await world.database.execute(sql`
        update team set revision = gen_random_uuid() where organization_id = ${calm.id}`);
    },
    disagreements: async () => {
      const rows = await world.database.query(
        sql<{ name: string }>`select name from team where organization_id = ${busy.id}`,
      );
      const names = new Set(rows.map(({ name }) => name));
      const own = new Set([...names].filter((name) => name.startsWith('made ')));
      return [
        ...[...ledger.made.difference(names)].map((name) => `${name} was answered 201, and is not there`),
        ...[...own.difference(ledger.made.union(ledger.open))].map((name) => `${name} is there, and was refused`),
      ];
    },
  };
}

/** A call whose answer never changes; the current answer is the expected one. */
export async function readKind(
  gateways: Gateways, name: string, token: string, method: string, path: string, json?: unknown,
): Promise<Kind> {
  const headers: Record<string, string> = token === '' ? {} : { authorization: `token ${token}` };
  const request = { headers, ...(json === undefined ? {} : { json }) };
  const ask = () => gateways.send(method, path, request);
  const right = await ask();
  if (right.status >= 500) throw new Error(`${name} is answered ${right.status} ${right.text}`);
  const body = shown(right);
  return {
    name,
    repeatable: true,
    call: async () => {
      const answer = await ask();
      const isRight = answer.status === right.status && shown(answer) === body;
      return { answer, wrong: isRight ? undefined : `not as before (${right.status} ${body.slice(0, 200)})` };
    },
  };
}

/** The content of an answer, without the parts that differ between requests. */
function shown(answer: HttpAnswer): string {
  return answer.text.replace(/"requestId":"[^"]*"/, '').replace(/"url":"[^"]*"/, '');
}

/** Creates a team with a new name, so that a write done twice, or refused after it was done, causes a conflict. */
function createTeam(gateways: Gateways, token: string, { username }: Organization, { made, open }: Ledger): Kind {
  return {
    name: 'create a team',
    repeatable: false,
    call: async () => {
      const name = `made ${randomUUID().slice(0, 18)}`;
      open.add(name);
      const answer = await gateways.send('POST', `/api/v1/orgs/${username}/teams`, {
        headers: { authorization: `token ${token}` },
        json: { name, type: 'kubernetes', permission: 'read' },
      });
      if (answer.status === 201) made.add(name);
      // Only 503 leaves open whether the team was created.
      if (answer.status !== 503) open.delete(name);
      return { answer, wrong: answer.status === 201 ? undefined : 'refused' };
    },
  };
}
