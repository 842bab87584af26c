import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { type ClaimsWorld, pathOf, startClaimsWorld } from './claims-world.ts';

let marketplace: ClaimsWorld;
let made = 0;

beforeAll(async () => {
  marketplace = await startClaimsWorld({ of: ['orgs-teams'], because: 'killed' });
}, 120_000);
afterAll(async () => marketplace?.[Symbol.asyncDispose]());

const check = (id: string, replica: 0 | 1 = 0) => marketplace.listeners[replica].get(pathOf(id));

/** The installer of a claim with its subscription. */
async function installed(claimId: string, { isBound, state }: { readonly isBound: boolean; readonly state: string }) {
  const publicId = String((made += 1)).padStart(20, '0');
  await marketplace.rows.execute(sql`
    with made as (
      insert into installer (public_id, marketplace, name, owner_name, claim_id, cluster_uid)
      values (${publicId}, 'ProviderA', ${`installer-${made}`}, 'standalone', ${claimId},
              ${isBound ? randomUUID() : null}::uuid)
      returning id
    )
    insert into subscription (public_id, marketplace, state, installer_id)
    select ${publicId}, 'ProviderA', ${state}, id from made`);
}

describe('without a central marketplace server (open-points 11.5)', () => {
  it.each([
    [true, 'Bounded', true], [true, 'Running', true], [true, 'Pending', false], [true, 'Failed', false],
    [true, 'Revoked', false], [true, 'Deleting', false], [true, 'Deleted', false], [false, 'Running', false],
  ])('with an installer that is bound (%s) and a subscription that is %s the answer is %s', async (isBound, state, isClaimable) => {
    const { claimId } = await marketplace.standalone();
    await installed(claimId, { isBound, state });
    expect((await check(claimId)).json()).toEqual({ isClaimable, claimID: claimId });
    expect(outcome(await check(claimId, 1))).toBe(isClaimable ? '200' : '429 retry_backoff');
  });

  it('the answer is no without an installer', async () => {
    const { claimId } = await marketplace.standalone();
    expect((await check(claimId)).json()).toEqual({ isClaimable: false, claimID: claimId });
  });

  it('what is claimable can be named and claimed, and is 409 from then on', async () => {
    const { claimId } = await marketplace.standalone();
    await installed(claimId, { isBound: true, state: 'Running' });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => check(claimId, index % 2 === 0 ? 0 : 1)));
    expect(answers.map((answer) => answer.json())).toEqual(answers.map(() => ({ isClaimable: true, claimID: claimId })));
    const audited = await marketplace.world.database.query(sql<{ action: string }>`
      select action from audit where details->>'claimId' = ${claimId} and action = 'organization.make_claimable'`);
    expect(audited).toHaveLength(1);
    await marketplace.world.database.execute(sql`update claim set claimed_at = now() where id = ${claimId}`);
    expect(outcome(await check(claimId))).toBe('409 already_claimed');
  });

  it('leaves no window while orgs-teams is away', async () => {
    const { claimId } = await marketplace.standalone();
    await installed(claimId, { isBound: true, state: 'Running' });
    const [orgsTeams] = marketplace.world.platform.services['orgs-teams'].replicas;
    await orgsTeams.kill();
    expect(outcome(await check(claimId))).toBe('503 unavailable');
    await orgsTeams.restart();
    const answer = await until(async () => {
      const again = await check(claimId);
      return again.status !== 503 && again;
    }, { within: 20_000, what: 'orgs-teams is found again' });
    expect(answer.json()).toEqual({ isClaimable: true, claimID: claimId });
  });
});
