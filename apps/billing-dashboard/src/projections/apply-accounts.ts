import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';

/** Brings the accounts in line. A deleted one keeps its row: its usage stays. */
export const applyAccounts: Apply<'account'> = async (transaction, facts) => {
  const known = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  await transaction.execute(sql`update account set deleted = true where id = any (${gone}::bigint[])`);
  await transaction.execute(sql`
    insert into account (id, slug, kind, email)
    select id, slug, case kind when 'person' then 'user' else kind end, email
      from jsonb_to_recordset(${sql.json(known)}::jsonb) as given (id bigint, slug text, kind text, email text)
        on conflict (id) do update
       set slug = excluded.slug, kind = excluded.kind, email = excluded.email, deleted = false`);
};
