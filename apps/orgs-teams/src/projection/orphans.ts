import type { Tuple } from '@platform/proto/authz/v1/decision';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/**
 * Returns the tuples whose object has no row, unless a change of the object is pending. A row cannot appear later: a
 * tuple is written after its rows are committed, and ids are not reused.
 */
export async function findOrphans(
  queryable: Queryable, tuples: readonly Tuple[], deadline: Deadline,
): Promise<Tuple[]> {
  const organizationIds = [...idsOf(tuples, 'organization')];
  const roleIds = [...idsOf(tuples, 'role')];
  const owned = await queryable.query(sql<{ object: string }>`
    select 'organization:' || asked.id as "object"
      from unnest(${organizationIds}::bigint[]) as asked (id)
     where exists (select from organization where organization.id = asked.id)
        or exists (select from projection_pending unit where unit.organization_id = asked.id)
    union all
    select 'role:' || asked.id
      from unnest(${roleIds}::bigint[]) as asked (id)
     where exists (select from role where role.id = asked.id)
        or exists (
          select from projection_pending unit
           where unit.unit = 'role:' || asked.id or unit.unit like 'assignment:' || asked.id || '/%'
        )`, { deadline });
  const objects = new Set(owned.map(({ object }) => object));
  return tuples.filter(({ object }) => !objects.has(object));
}

function idsOf(tuples: readonly Tuple[], type: string): Set<number> {
  const form = new RegExp(`^${type}:([1-9][0-9]{0,15})$`);
  return new Set(tuples.flatMap(({ object }) => {
    const id = Number(form.exec(object)?.[1] ?? 0);
    return Number.isSafeInteger(id) && id > 0 ? [id] : [];
  }));
}
