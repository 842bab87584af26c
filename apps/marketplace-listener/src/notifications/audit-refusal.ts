import { type Database, sql } from '@platform/postgres';
import { Fault } from '@platform/faults';
import type { Deadline } from '@platform/service';
import { insertRefusal, type Operation } from '../audit/store.ts';
import type { Payload } from './payload.ts';

/** The reasons of refusals that are audited. */
const audited: ReadonlySet<string> = new Set([
  'MALFORMED_BODY', 'INVALID_VALUE', 'UNKNOWN_EVENT_TYPE', 'INVALID_BINDING', 'SUBSCRIPTION_CLOSED',
  'INSTALLER_ALREADY_BOUND',
]);

/**
 * Calls `act`, unless the notification is malformed. Audits a refusal with a reason in `audited`, if the subscription
 * of the notification is known (open-points 11.8).
 * @throws the problem of a malformed notification; the errors of `act`
 */
export async function auditRefusal<Result>(
  database: Database, operation: Operation, payload: Payload, deadline: Deadline, act: () => Promise<Result>,
): Promise<Result> {
  try {
    if (payload.problem !== undefined) throw payload.problem;
    return await act();
  } catch (error) {
    if (error instanceof Fault && audited.has(error.reason)) {
      const subscriptionId = await findSubscription(database, payload, deadline);
      if (subscriptionId !== undefined) {
        const refusal = { operation, description: error.message, data: payload.data, digests: payload.digests };
        await insertRefusal(database, subscriptionId, refusal, { deadline });
      }
    }
    throw error;
  }
}

async function findSubscription(
  database: Database, { marketplace, applicationId, installerId }: Payload, deadline: Deadline,
): Promise<number | undefined> {
  const row = await database.maybeOne(sql<{ id: number }>`
    select subscription.id from subscription
      left join installer on installer.id = subscription.installer_id
     where subscription.marketplace = ${marketplace}
       and case when ${marketplace} = 'ProviderB' then lower(application_id) = lower(${applicationId ?? null}::text)
                else installer.public_id = ${installerId ?? null}::text end`, { deadline });
  return row?.id;
}
