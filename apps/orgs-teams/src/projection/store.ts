import { type Queryable, sql } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';

export async function* organizationPages(
  queryable: Queryable, most: number, { deadline }: OutgoingContext,
): AsyncGenerator<readonly number[]> {
  for (let after = 0; ; ) {
    const rows = await queryable.query(
      sql<{ id: number }>`select id from organization where id > ${after} order by id limit ${most}`, { deadline },
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/**
 * Marks all tuples of these organizations to be written again. Skips organizations that are already marked. Sets new
 * revisions, which invalidate kept decisions (authorization.md R5, repair). Takes locks in the order of W1.
 * @returns the number of organizations that this call marked
 */
export async function rewriteAll(queryable: Queryable, organizationIds: readonly number[]): Promise<number> {
  await queryable.query(sql`
    select from account where id = any (${organizationIds}::bigint[]) order by id for no key update`);
  const added = await queryable.query(sql<{ id: number }>`
    insert into projection_pending (organization_id, unit, touches)
    select organization.id, 'all', null
      from organization
     where organization.id = any (${organizationIds}::bigint[])
       and not exists (
         select from projection_pending unit
          where unit.organization_id = organization.id and unit.unit = 'all' and unit.touches is null
       )
     order by organization.id
    returning organization_id as "id"`);
  const ids = added.map(({ id }) => id);
  await queryable.execute(sql`update account set revision = gen_random_uuid() where id = any (${ids}::bigint[])`);
  await queryable.query(sql`
    select from team where organization_id = any (${ids}::bigint[]) order by id for no key update`);
  await queryable.execute(sql`update team set revision = gen_random_uuid() where organization_id = any (${ids}::bigint[])`);
  return ids.length;
}
