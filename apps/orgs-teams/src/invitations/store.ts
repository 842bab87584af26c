import { type Queryable, sql } from '@platform/postgres';

export interface Invitation {
  readonly name: string;
  readonly email: string;
  readonly expiresAt: Date;
  readonly isAccepted: boolean;
  /** Whether the user may sign in. */
  readonly isUsable: boolean;
}

const columns = sql`
  account.name, account.email, invitation.expires_at as "expiresAt", accepted_at is not null as "isAccepted",
  active and not prohibit_login as "isUsable"`;

export async function insertInvitation(queryable: Queryable, userId: number): Promise<void> {
  await queryable.execute(sql`insert into invitation (user_id) values (${userId})`);
}

/** Returns the invitation of a user; undefined when the user was not invited or was deleted. */
export function findInvitation(queryable: Queryable, userId: number): Promise<Invitation | undefined> {
  return queryable.maybeOne(sql<Invitation>`
    select ${columns} from invitation join account on account.id = user_id where user_id = ${userId}`);
}

/**
 * Like {@link findInvitation}, but locks the invitation until the transaction ends, so that it is accepted only once.
 */
export function lockInvitation(queryable: Queryable, userId: number): Promise<Invitation | undefined> {
  return queryable.maybeOne(sql<Invitation>`
    select ${columns} from invitation join account on account.id = user_id where user_id = ${userId}
       for update of invitation`);
}

export async function markAccepted(queryable: Queryable, userId: number): Promise<void> {
  await queryable.execute(sql`update invitation set accepted_at = now() where user_id = ${userId}`);
}
