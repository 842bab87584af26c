import { beforeAll, expect, test } from '@jest/globals';
import type { HttpClient } from '@platform/testing';
import * as fc from 'fast-check';
import { startPlatform } from '../platform.ts';

interface Team {
  id: number;
  name: string;
}

let client: HttpClient;
let made = 0;

beforeAll(async () => {
  const platform = await startPlatform();
  client = platform.http.with({ authorization: `Bearer ${platform.adminToken}` });
}, 120_000);

async function newOrganization(teams: number): Promise<string> {
  made += 1;
  const name = `changing-${made}`;
  expect((await client.post('/api/v1/orgs', { json: { username: name } })).status).toBe(201);
  for (let index = 0; index < teams; index += 1) await addTeam(name);
  return name;
}

async function addTeam(organization: string): Promise<void> {
  made += 1;
  const answer = await client.post(`/api/v1/orgs/${organization}/teams`, {
    json: { name: `team-${made}`, type: 'kubernetes' },
  });
  expect(answer.status).toBe(201);
}

async function wholeList(organization: string): Promise<Team[]> {
  return (await client.get(`/api/v1/orgs/${organization}/teams`)).json();
}

async function page(organization: string, number: number, limit: number) {
  const answer = await client.get(`/api/v1/orgs/${organization}/teams?page=${number}&limit=${limit}`);
  return { teams: answer.json<Team[]>(), total: Number(answer.header('x-total-count')) };
}

const pageSize = fc.integer({ min: 2, max: 5 });
/** Between two pages: how many teams are added, and which (counted from the beginning) are deleted. */
const change = fc.record({ added: fc.nat({ max: 2 }), deleted: fc.array(fc.nat({ max: 20 }), { maxLength: 2 }) });

test('going forward, no team is lost or doubled while others are added', async () => {
  await fc.assert(
    fc.asyncProperty(pageSize, fc.array(fc.nat({ max: 2 }), { maxLength: 6 }), async (limit, added) => {
      const organization = await newOrganization(8);
      const there = (await wholeList(organization)).map(({ id }) => id);
      const seen: number[] = [];
      for (let number = 1; ; number += 1) {
        const { teams, total } = await page(organization, number, limit);
        seen.push(...teams.map(({ id }) => id));
        if (number * limit >= total) break;
        for (let count = added[number - 1] ?? 0; count > 0; count -= 1) await addTeam(organization);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(there));
    }),
    { numRuns: 4 },
  );
}, 120_000);

// A page is a place in the list, so what is deleted before it moves the rest forward: who goes from the last page to
// the first meets such a team twice at most, and knows it by its id.
test('going back from the last page, no team that was there throughout is lost while others come and go', async () => {
  await fc.assert(
    fc.asyncProperty(pageSize, fc.array(change, { maxLength: 6 }), async (limit, changes) => {
      const organization = await newOrganization(10);
      const before = await wholeList(organization);
      const remaining = [...changes];
      const seen = new Set<number>();
      for (let number = Math.ceil(before.length / limit); number >= 1; number -= 1) {
        for (const { id } of (await page(organization, number, limit)).teams) seen.add(id);
        const { added, deleted } = remaining.shift() ?? { added: 0, deleted: [] };
        for (let count = added; count > 0; count -= 1) await addTeam(organization);
        for (const index of deleted) {
          // Owners stays.
          const team = (await wholeList(organization))[index];
          if (team && team.name !== 'Owners') {
            expect((await client.delete(`/api/v1/teams/${team.id}`)).status).toBe(204);
          }
        }
      }
      const after = new Set((await wholeList(organization)).map(({ id }) => id));
      expect(before.filter(({ id }) => after.has(id) && !seen.has(id))).toEqual([]);
    }),
    { numRuns: 4 },
  );
}, 120_000);
