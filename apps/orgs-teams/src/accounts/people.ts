import { type Queryable, sql, UniqueViolation } from '@platform/postgres';
import { nameTaken, slugKey } from '@platform/values';

export interface PersonRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly fullName: string;
  readonly isAdmin: boolean;
  readonly active: boolean;
  readonly prohibitLogin: boolean;
  readonly mayCreateOrganization: boolean;
}

export type NewPerson = Omit<PersonRow, 'id'>;

/** The flags that decide whether a user is a site admin who can sign in. */
type PersonFlags = Pick<PersonRow, 'isAdmin' | 'active' | 'prohibitLogin'>;

export const personColumns = sql`
  id, name, email, full_name as "fullName", is_admin as "isAdmin", active, prohibit_login as "prohibitLogin",
  allow_create_organization as "mayCreateOrganization"`;

/** Inserts a user. @throws Fault ALREADY_EXISTS when the name is taken */
export async function insertPerson(queryable: Queryable, person: NewPerson): Promise<PersonRow> {
  return namedOnce(person.name, () => queryable.one(sql<PersonRow>`
      insert into account (kind, name, email, full_name, is_admin, active, prohibit_login, allow_create_organization)
      values (
        'person', ${person.name}, ${person.email}, ${person.fullName}, ${person.isAdmin}, ${person.active},
        ${person.prohibitLogin}, ${person.mayCreateOrganization}
      )
      returning ${personColumns}`));
}

/** Returns the user with this name, ignoring case; undefined if there is none. */
export async function findPerson(queryable: Queryable, name: string): Promise<PersonRow | undefined> {
  const key = slugKey(name);
  return key === undefined ? undefined : queryable.maybeOne(sql<PersonRow>`
    select ${personColumns} from account where lower(name collate "C") = ${key} and kind = 'person'`);
}

/** Returns the user with this id; undefined if there is none. Before a write, the caller must lock the account. */
export async function readPerson(queryable: Queryable, id: number): Promise<PersonRow | undefined> {
  return queryable.maybeOne(sql<PersonRow>`select ${personColumns} from account where id = ${id} and kind = 'person'`);
}

export type ChangeablePerson = Omit<PersonRow, 'id' | 'name'>;

export async function updatePerson(queryable: Queryable, id: number, person: ChangeablePerson): Promise<PersonRow> {
  return queryable.one(sql<PersonRow>`
    update account
       set is_admin = ${person.isAdmin}, active = ${person.active}, prohibit_login = ${person.prohibitLogin},
           full_name = ${person.fullName}, email = ${person.email},
           allow_create_organization = ${person.mayCreateOrganization}, updated_at = now()
     where id = ${id} and kind = 'person'
    returning ${personColumns}`);
}

/** Deletes a user, including the user's tokens. The caller must first delete all memberships of the user. */
export async function deletePerson(queryable: Queryable, id: number): Promise<void> {
  await queryable.execute(sql`delete from account where id = ${id} and kind = 'person'`);
}

/** Counts the other site admins who can sign in. The caller must lock the administrative organization's team Owners. */
export async function countOtherAdmins(queryable: Queryable, id: number): Promise<number> {
  const { count } = await queryable.one(sql<{ count: number }>`
    select count(*) as "count" from account where is_admin and active and not prohibit_login and id <> ${id}`);
  return count;
}

function isUsableAdmin({ isAdmin, active, prohibitLogin }: PersonFlags): boolean {
  return isAdmin && active && !prohibitLogin;
}

/**
 * Whether a change removes the last site admin who can sign in (open-points 1.10).
 * @param after the flags after the change; undefined when the account is deleted
 * @param otherAdmins see {@link countOtherAdmins}
 */
export function leavesNoAdmin(before: PersonFlags, after: PersonFlags | undefined, otherAdmins: number): boolean {
  return isUsableAdmin(before) && otherAdmins === 0 && (after === undefined || !isUsableAdmin(after));
}

/** Runs the insert of an account. @throws Fault ALREADY_EXISTS when an account already has the name */
export async function namedOnce<Result>(name: string, insert: () => Promise<Result>): Promise<Result> {
  try {
    return await insert();
  } catch (error) {
    if (error instanceof UniqueViolation && error.constraint === 'account_name') throw nameTaken(name, error);
    throw error;
  }
}
