import { randomBytes } from 'node:crypto';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

export function pictureKey(name: string): string {
  return `avatars/${name}`;
}

/** Returns a new random name that is hard to guess. Anyone who knows the name of a picture can read the picture. */
export function newPictureName(): string {
  return randomBytes(16).toString('hex');
}

/** Time within which an account must use a new file. After this time, an unused file is removed. */
const claimWithin = sql`interval '1 hour'`;

/** Stores the name of a file before the file itself is stored. So the file can be removed if no account uses it. */
export async function announcePicture(queryable: Queryable, name: string, deadline: Deadline): Promise<void> {
  await queryable.execute(
    sql`insert into picture_file (name, removable_at) values (${name}, now() + ${claimWithin})`, { deadline },
  );
}

/** Sets the picture of an account to the file with this name. The file of the previous picture becomes removable. */
export async function usePicture(queryable: Queryable, accountId: number, name: string): Promise<void> {
  await queryable.one(sql`
    update picture_file set removable_at = null where name = ${name} and removable_at > now() returning name`);
  await queryable.execute(sql`update account set avatar = ${name}, updated_at = now() where id = ${accountId}`);
}

/** Resets an account to its default picture; returns whether the account had an uploaded picture. */
export async function dropPicture(queryable: Queryable, accountId: number): Promise<boolean> {
  const changed = await queryable.execute(sql`
    update account set avatar = ${newPictureName()}, updated_at = now()
     where id = ${accountId}
       and exists (select from picture_file where name = account.avatar)`);
  return changed > 0;
}

/**
 * Returns the name of the account with this picture, and whether the picture is a file. Returns undefined if no account
 * has this picture.
 */
export async function findPicture(
  queryable: Queryable, name: string, deadline: Deadline,
): Promise<{ account: string; isFile: boolean } | undefined> {
  return queryable.maybeOne(sql<{ account: string; isFile: boolean }>`
    select account.name as "account",
           exists (select from picture_file where name = account.avatar and removable_at is null) as "isFile"
      from account where avatar = ${name}`, { deadline });
}

/** Returns names of files that can be removed, at most 100. */
export async function readRemovablePictures(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.query(sql<{ name: string }>`
    select name from picture_file where removable_at <= now() order by removable_at limit 100`);
  return rows.map(({ name }) => name);
}

export async function forgetPicture(queryable: Queryable, name: string): Promise<void> {
  await queryable.execute(sql`delete from picture_file where name = ${name} and removable_at <= now()`);
}
