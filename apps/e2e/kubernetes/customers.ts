import { randomUUID } from 'node:crypto';
import type { HttpClient } from '@platform/testing';
import { readKind } from '../faults/calls.ts';
import type { Kind } from '../faults/load.ts';
import { inSeconds, ok } from '../src/contracts/contract-world.ts';
import type { Release } from './release.ts';

const product = 'productdb-enterprise';

/** Customers of an installed platform, and their requests. */
export interface Customers {
  readonly adminToken: string;
  /** Name of the organization whose answers do not change. */
  readonly calm: string;
  readonly reads: readonly Kind[];
  readonly writes: readonly Kind[];
  /** Compares the existing teams with the answers, and returns the differences. */
  disagreements(): Promise<string[]>;
  /** Credentials and a licence for the agent of a cluster. */
  member(clusterUid: string): Promise<{ readonly product: string; readonly creds: string; readonly license: string }>;
}

/** Creates customers through the gateway and the command line, like an operator. */
export async function prepareCustomers(http: HttpClient, release: Release): Promise<Customers> {
  const { token: adminToken } = JSON.parse(await release.command(
    'admin', 'token', 'create', '--user', 'platform-admin', '--name', 'proof', '--json',
  )) as { token: string };
  const stranger = `stranger-${randomUUID().slice(0, 8)}`;
  await release.command(
    'admin', 'user', 'create', '--username', stranger, '--email', `${stranger}@example.org`, '--json',
  );
  const { token: strangerToken } = JSON.parse(await release.command(
    'admin', 'token', 'create', '--user', stranger, '--name', 'proof', '--json',
  )) as { token: string };
  const admin = http.with({ authorization: `token ${adminToken}` });
  const [calm, busy] = [`calm-${randomUUID().slice(0, 8)}`, `busy-${randomUUID().slice(0, 8)}`];
  const { id } = ok<{ id: number }>(await admin.post('/api/v1/orgs', { json: { username: calm } }), 201);
  ok(await admin.post('/api/v1/orgs', { json: { username: busy } }), 201);
  const path = `/api/v1/orgs/${calm}`;
  const team = ok<{ id: number }>(await admin.post(`${path}/teams`, {
    json: { name: 'Readers', type: 'kubernetes', permission: 'read' },
  }), 201);
  const read = (name: string, token: string, target: string) => readKind(http, name, token, 'GET', target);
  const reads = await Promise.all([
    read('version', '', '/api/v1/version'),
    read('organization', adminToken, path),
    read('teams', adminToken, `${path}/teams`),
    read('members', adminToken, `${path}/members`),
    read('team', adminToken, `/api/v1/teams/${team.id}`),
    read('what a stranger may not', strangerToken, `${path}/teams`),
    read('contracts', adminToken, '/api/v1/contracts'),
    read('available products', adminToken, '/api/v1/contracts/available_products'),
    read('months', adminToken, `/api/v1/dashboard/summary/generated-months?org=${calm}`),
    readKind(http, 'allowed permissions', adminToken, 'POST', `/api/v1/authz/objects/allowed-permissions?org=${calm}`, [
      { objectType: 'organization', objectID: id }, { objectType: 'team', objectID: team.id },
    ]),
  ]);
  const made = new Set<string>();
  const open = new Set<string>();
  const createTeam: Kind = {
    name: 'create a team',
    repeatable: false,
    call: async () => {
      const name = `made ${randomUUID().slice(0, 18)}`;
      open.add(name);
      const answer = await admin.post(`/api/v1/orgs/${busy}/teams`, {
        json: { name, type: 'kubernetes', permission: 'read' },
      });
      if (answer.status === 201) made.add(name);
      if (answer.status !== 503) open.delete(name);
      // A migration may lock the table for longer than a change waits; the answer is then 409, and no team was made.
      const isRight = answer.status === 201 || answer.status === 409;
      return { answer, wrong: isRight ? undefined : 'refused' };
    },
  };
  return {
    adminToken, calm, reads, writes: [createTeam],
    disagreements: async () => {
      const names = new Set<string>();
      for (let page = 1; ; page += 1) {
        const teams = ok<{ name: string }[]>(await admin.get(`/api/v1/orgs/${busy}/teams?page=${page}&limit=50`));
        if (teams.length === 0) break;
        for (const { name } of teams) names.add(name);
      }
      const own = new Set([...names].filter((name) => name.startsWith('made ')));
      return [
        ...[...made.difference(names)].map((name) => `${name} was answered 201, and is not there`),
        ...[...own.difference(made.union(open))].map((name) => `${name} is there, and was refused`),
      ];
    },
    member: async (clusterUid) => {
      const { creds } = JSON.parse(await release.command(
        'admin', 'bus-account', 'create', '--org', calm, '--cluster-uid', clusterUid, '--product', product, '--json',
      )) as { creds: string };
      const contracts = ok<{ id: number }[]>(await admin.post('/api/v1/contracts', {
        json: { uid: id, name: 'Basic', products: ['productdb'], end: inSeconds(30 * 86_400) },
      }), 201);
      ok(await admin.post(`/api/v1/contracts/${contracts[0]!.id}/clusters`, { json: [{ cluster: clusterUid }] }), 201);
      const issued = ok<{ license: string }>(await admin.post(`/api/v1/license/issue?org=${calm}`, {
        json: { cluster: clusterUid },
      }));
      return { product, creds, license: Buffer.from(issued.license, 'base64').toString() };
    },
  };
}
