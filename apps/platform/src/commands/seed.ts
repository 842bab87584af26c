import { Fault } from '@platform/faults';
import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { ClusterOwnerServiceService, type ClusterToPut } from '@platform/proto/clusters/v1/owners';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { BulkServiceService } from '@platform/proto/orgs/v1/bulk';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '@platform/rpc';
import { readConfig, repeatUntil, silentLogger } from '@platform/service';
import { UsageFault } from '../command-fault.ts';
import type { Environment } from '../settings.ts';
import type { Output } from '../output.ts';
import { objectHistory } from '../seed/object-history.ts';
import { planSeed, type SeedPlan, type SeedSize } from '../seed/plan.ts';
import { step } from '../progress.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { openFollowers } from './followers.ts';

/** Maximum number of items in one call. */
const batchSize = 1_000;
/**
 * Maximum number of organizations in one call. Less than `batchSize`, because the service also adds the first teams and
 * an owner to each organization.
 */
const organizationBatchSize = 200;
const callsAtOnce = 4;
/** Time limit of one call, in milliseconds. A call may wait for other calls of the same command. */
const patienceMs = 120_000;

/**
 * `platform seed`: creates users, organizations, teams, members, clusters and contracts. Then waits until
 * contracts-licensing has copied the rows of orgs-teams and clusters. Last, adds objects. A repeated call adds what is
 * missing.
 * @throws Fault, UsageFault, CommandFault, ConfigError
 */
export async function seed(
  size: SeedSize, options: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  refuseImpossible(size);
  await using bulk = await connectOperator(BulkServiceService, 'orgs-teams', options, environment);
  await using identity = await connectOperator(IdentityServiceService, 'orgs-teams', options, environment);
  await using clusters = await connectOperator(ClusterOwnerServiceService, 'clusters', options, environment);
  const contractsName = 'contracts-licensing';
  await using contracts = await connectOperator(ContractOwnerServiceService, contractsName, options, environment);
  await using followers = await openFollowers([contractsName], options, environment);
  const plan = planSeed(size);
  const indexes = Array.from({ length: size.organizations }, (_, index) => index);
  let added = 0;

  const userIds: number[] = [];
  const users = batchesOf(Array.from({ length: size.users }, (_, index) => index), batchSize);
  await atOnce('Creating users', users, async (batch) => {
    const answer = await patiently((call) => bulk.putUsers({ users: batch.map(plan.user) }, call));
    for (const [place, index] of batch.entries()) userIds[index] = answer.ids[place]!;
    added += answer.added;
  });

  const organizationIds: number[] = [];
  await atOnce('Creating organizations', batchesOf(indexes, organizationBatchSize), async (batch) => {
    const organizations = batch.map((index) => plan.organization(index, userIds));
    const answer = await patiently((call) => bulk.putOrganizations({ organizations }, call));
    for (const [place, index] of batch.entries()) organizationIds[index] = answer.ids[place]!;
    added += answer.added;
  });

  await atOnce('Adding teams and members to organizations', indexes, async (index) => {
    const organizationId = organizationIds[index]!;
    const teamIds: number[] = [];
    for (const teams of batchesOf(plan.teams, batchSize)) {
      const answer = await patiently((call) => bulk.putTeams({ organizationId, teams }, call));
      teamIds.push(...answer.ids);
      added += answer.added;
    }
    for (const memberships of batchesOf(plan.memberships(index, teamIds, userIds), batchSize)) {
      const answer = await patiently((call) => bulk.putMemberships({ organizationId, memberships }, call));
      added += answer.added;
    }
    await patiently((call) => identity.settle({ organizationId }, call));
  });

  const clustersToPut = indexes.flatMap((index) => plan.clusters(index, organizationIds[index]!));
  await atOnce('Creating clusters', batchesOf(clustersToPut, batchSize), (batch) =>
    patiently((call) => clusters.putClusters({ clusters: batch }, call)));
  const contractsToPut = indexes.flatMap((index) => plan.contracts(index, organizationIds[index]!));
  const clustersOfContract = Math.ceil(size.clusters / Math.max(1, size.contracts));
  const contractBatchSize = Math.max(1, Math.floor(batchSize / Math.max(1, clustersOfContract)));
  await atOnce('Creating contracts', batchesOf(contractsToPut, contractBatchSize), (batch) =>
    patiently((call) => contracts.putContracts({ contracts: batch }, call)));

  for (const source of ['orgs-teams', 'clusters'] as const) {
    await followers.follow(
      source, 'Everything except the objects is added (run the command again to add the objects)', patienceMs,
    );
  }
  await seedObjects(size, plan, clustersToPut, options, environment);

  const { organizations, members } = size;
  const counts = {
    users: size.users,
    organizations,
    // The plan does not include the team Owners.
    teams: organizations * (plan.teams.length + 1),
    members: organizations * members,
    clusters: clustersToPut.length,
    contracts: contractsToPut.length,
    objects: clustersToPut.length * size.objects,
    // Number of new users, organizations, teams and memberships.
    added,
  };
  output.answer(counts, () => [
    `Seed ${size.seed}: ${size.users} users, ${organizations} organizations, ${counts.teams} teams, ${counts.members} members, `
      + `${counts.clusters} clusters, ${counts.contracts} contracts, ${counts.objects} objects; ${added} new.`,
  ]);
}

async function seedObjects(
  { objects, months }: SeedSize, { derive }: SeedPlan, clusters: readonly ClusterToPut[],
  options: ServerOptions, environment: Environment,
): Promise<void> {
  if (objects === 0) return;
  const { shards } = readConfig({ shards: 'bus.shards' }, { environment, log: silentLogger });
  await using events = await connectOperator(EventAdminServiceService, 'billing-dashboard', options, environment);
  const now = new Date();
  await atOnce('Adding objects to clusters', clusters, async ({ ownerId, uid }) => {
    const place = { ownerId: ownerId!, clusterUid: uid!, objects, months, shards };
    for (const batch of batchesOf(objectHistory(derive, place, now), batchSize)) {
      await patiently((call) => events.enterHistory({ events: batch }, call));
    }
  });
}

function refuseImpossible({ users, organizations, members, clusters, contracts }: SeedSize): void {
  if (organizations === 0) return;
  if (contracts > 0 && clusters > contracts * batchSize) {
    const least = Math.ceil(clusters / batchSize);
    const message = `This command binds at most ${batchSize} clusters to a contract`;
    throw new UsageFault(message, `Set --contracts to ${least} or more.`);
  }
  if (members < 1) {
    throw new UsageFault('An organization must have an owner', 'Give at least 1 for --members and for --users.');
  }
  if (members > users) {
    throw new UsageFault(
      `There are only ${users} users for ${members} members`, 'Set --users to the value of --members or more.',
    );
  }
}

/**
 * Repeats a call while it conflicts or the service is unavailable. Starts no attempt after `patienceMs`. Concurrent
 * calls may conflict if they concern the same users.
 */
function patiently<Answer>(call: (context: OutgoingContext) => Promise<Answer>): Promise<Answer> {
  return repeatUntil(() => call(operatorCall(patienceMs)), {
    signal: AbortSignal.timeout(patienceMs),
    again: (error) => error instanceof Fault && ['CONFLICT', 'UNAVAILABLE'].includes(error.reason),
  });
}

function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, batch) => items.slice(batch * size, (batch + 1) * size));
}

/**
 * Processes up to four items at once. After a failure, starts no further items. Waits for the running items, then
 * throws the first failure.
 * @param name name of the step in the progress. If an item is an array, the progress counts its elements
 */
async function atOnce<Item>(
  name: string, items: readonly Item[], work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const doing = step(name);
  const sizeOf = (item: Item): number => (Array.isArray(item) ? item.length : 1);
  const all = items.reduce((sum, item) => sum + sizeOf(item), 0);
  let done = 0;
  const count = (more: number): void => doing.reached(`${done += more} of ${all}`);
  count(0);
  const waiting = items.values();
  const failures: unknown[] = [];
  await Promise.all(Array.from({ length: callsAtOnce }, async () => {
    for (const item of waiting) {
      if (failures.length > 0) return;
      await work(item).then(() => count(sizeOf(item)), (error: unknown) => failures.push(error));
    }
  }));
  if (failures.length > 0) throw failures[0];
}
