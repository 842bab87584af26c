import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';

/** Updates the table `account`, and deletes the contracts of deleted accounts (open-points 5.7). */
export const applyAccounts: Apply<'account'> = async (transaction, facts) => {
  const known = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  await transaction.execute(sql`
    insert into account (id, slug, kind)
    select id, slug, case kind when 'person' then 'user' else kind end
      from jsonb_to_recordset(${sql.json(known)}::jsonb) as given (id bigint, slug text, kind text)
        on conflict (id) do update set slug = excluded.slug, kind = excluded.kind, deleted = false`);
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  if (gone.length === 0) return;
  await transaction.execute(sql`update account set deleted = true where id = any (${gone}::bigint[])`);
  // Delete the bindings in one statement, because a trigger updates `associated_cluster` after each statement
  // (ADR 0149).
  await transaction.execute(sql`
    delete from contract_cluster where contract_id = any (array(
      select id from contract where owner_id = any (${gone}::bigint[]) order by id for update
    ))`);
  await transaction.execute(sql`delete from contract where owner_id = any (${gone}::bigint[])`);
};
