import { type Queryable, sql } from '@platform/postgres';

/** Finds the stored notification that has one of the given digests. */
export async function findNotification(
  queryable: Queryable, digests: readonly Buffer[],
): Promise<{ readonly digest: Buffer; readonly answered: boolean } | undefined> {
  return queryable.maybeOne(sql<{ digest: Buffer; answered: boolean }>`
    select digest, answered from notification where digest = any (${digests}::bytea[]) limit 1`);
}

export async function insertNotification(
  queryable: Queryable, digest: Buffer, subscriptionId: number, answered: boolean,
): Promise<void> {
  await queryable.execute(sql`
    insert into notification (digest, subscription_id, answered) values (${digest}, ${subscriptionId}, ${answered})
        on conflict (digest) do update set answered = notification.answered or excluded.answered`);
}

/**
 * Notes that a notification is answered with 200.
 * @returns false if the notification is unknown, or if this was noted before
 */
export async function noteAnswered(queryable: Queryable, digest: Buffer): Promise<boolean> {
  return (await queryable.execute(sql`
    update notification set answered = true where digest = ${digest} and not answered`)) > 0;
}

export async function unansweredNotifications(queryable: Queryable, subscriptionId: number): Promise<Buffer[]> {
  const rows = await queryable.query(sql<{ digest: Buffer }>`
    select digest from notification where subscription_id = ${subscriptionId} and not answered`);
  return rows.map(({ digest }) => digest);
}

/** Deletes a notification. If the marketplace repeats the notification, it is applied again. */
export async function forgetNotification(queryable: Queryable, digest: Buffer): Promise<void> {
  await queryable.execute(sql`delete from notification where digest = ${digest}`);
}
