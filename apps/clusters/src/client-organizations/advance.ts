import { Fault } from '@platform/faults';
import { addJobs, type JobContext } from '@platform/jobs';
import { type Database, sql, type Transaction } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { bringInLine } from './bring-in-line.ts';
import {
  type ClientRow, deleteClient, findClient, lockClient, markCreated, markDeleted, setClosing, setDeleting,
  unfinishedClients,
} from './store.ts';
import { importClusters, readClientClusters } from './cluster-store.ts';
import { advanceClient } from './task.ts';

/** Delay before the job takes over from the call that began a deletion, in milliseconds. */
export const cutOffMs = 5_000;

type AdvanceParts = Pick<Parts, 'clientAccounts' | 'config' | 'database' | 'hubs' | 'sealer'>;

/**
 * Does the next steps for a client organization (open-points 4.2). Every step may run twice, even concurrently, on any
 * replica and after a crash.
 */
export async function advance(parts: AdvanceParts, id: number, job: JobContext): Promise<void> {
  const { clientAccounts, database } = parts;
  let client = await findClient(database, id, job.deadline);
  if (client === undefined) return;
  if (client.state === 'creating') {
    const { organization } = await clientAccounts.settleClientOrganization({ creation: client.creation }, job);
    if (organization === undefined) return void (await deleteClient(database, id));
    await finishCreation(database, id, organization.id);
  }
  if (client.state === 'closing') await closeAccount(parts, client, job);
  client = await findClient(database, id, job.deadline);
  if (client === undefined || client.state === 'creating') return;
  await bringInLine(parts, client, job.deadline);
  if (client.state === 'deleting') await finishDeletion(parts, client, job);
}

/** Adds a job for each client organization that is not deleted, because its objects on the hub may have changed. */
export async function advanceAll(database: Database, { deadline }: JobContext): Promise<void> {
  const jobs = (await unfinishedClients(database, deadline)).map((id) => advanceClient({ id }, { key: `client ${id}` }));
  await addJobs(database, jobs);
}

/**
 * Completes the creation of a client organization after orgs-teams has created its account. Imports the clusters for
 * the account, and adds the job that creates objects on the clusters. May be repeated.
 */
export async function finishCreation(database: Database, id: number, organizationId: number): Promise<void> {
  await database.transact(async (transaction) => {
    const client = await lockClient(transaction, id);
    if (client?.state !== 'creating') return;
    await markCreated(transaction, id, organizationId);
    await importClusters(transaction, id, organizationId, client.hub);
    await addJobs(transaction, [advanceClient({ id }, { key: `client ${id}` })]);
  });
}

/**
 * Closes the account of a client organization. After that, the deletion of the organization can no longer be refused.
 * @throws the failure of orgs-teams. ORG_IN_USE: another service has objects of the account. This ends the deletion.
 */
export async function closeAccount(
  { clientAccounts, database }: AdvanceParts, { id, organizationId, deletingAt }: ClientRow, call: OutgoingContext,
): Promise<void> {
  const deletion = deletingAt!.toISOString();
  // A late answer of orgs-teams must not change a newer deletion of the same organization.
  const next = (step: (transaction: Transaction) => Promise<unknown>) => database.transact(async (transaction) => {
    const now = await lockClient(transaction, id);
    if (now?.state !== 'closing' || now.deletingAt!.toISOString() !== deletion) return;
    await step(transaction);
  });
  try {
    await clientAccounts.closeClientOrganization({ id: organizationId!, deletion }, call);
  } catch (error) {
    if (error instanceof Fault && error.reason === 'ORG_IN_USE') await next((work) => setClosing(work, id, false));
    throw error;
  }
  await next(async (work) => {
    // If no cluster is left, the calling function finishes the deletion at once. In this case, the job starts later,
    // because the job is needed only if the function is interrupted.
    const afterMs = await setDeleting(work, id) > 0 ? 0 : cutOffMs;
    await addJobs(work, [advanceClient({ id }, { key: `client ${id}`, afterMs })]);
  });
}

/** Deletes the rows of the account's clusters, then the account. Does nothing unless all spokes are `deleted`. */
export async function finishDeletion(
  { clientAccounts, database }: AdvanceParts, { id, organizationId }: ClientRow, call: OutgoingContext,
): Promise<void> {
  const left = await readClientClusters(database, id, call.deadline);
  if (left.some(({ state }) => state !== 'deleted')) return;
  await database.execute(sql`delete from cluster where owner_id = ${organizationId}`, { deadline: call.deadline });
  await clientAccounts.deleteClientOrganization({ id: organizationId! }, call);
  await markDeleted(database, id);
}
