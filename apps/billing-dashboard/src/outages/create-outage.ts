import type { NewOutage, OutageServiceService } from '@platform/proto/billing/v1/outage';
import type { Handler } from '@platform/rpc';
import { lengthProblem, slugKey, Violations } from '@platform/values';
import type { Parts } from '../parts.ts';
import { insertOutage, showOutage } from './store.ts';

/** Maximum number of tags, and maximum lengths of texts in characters (open-points 1.9, 8.5). */
const most = { tags: 20, tagCharacters: 50, comments: 2_000, clusterId: 128 } as const;

/** POST /dashboard/system-outages (spec §4.6). Refuses invalid values with VALIDATION_FAILED (open-points 8.5). */
export function createOutage({ accounts, write }: Parts): Handler<typeof OutageServiceService.createOutage> {
  return async ({ outage }, context) => {
    const violations = new Violations();
    const values = valuesOf(outage!, violations);
    const { accountName = '' } = outage!;
    const account = slugKey(accountName) === undefined ? undefined : await accounts.byName(accountName, context);
    if (accountName !== '' && account === undefined) violations.note('accountName', 'is not a user or an organization');
    violations.refuse();
    const accountId = account?.id ?? 0;
    return write(context, [], async (work) => {
      const row = await insertOutage(work, { ...values, accountId });
      work.audit({
        action: 'outage.created', object: `outage:${row.id}`, subjectIds: account === undefined ? [] : [accountId],
        details: { clusterId: row.clusterId, start: row.start, end: row.end },
      });
      return showOutage({ ...row, accountName: account?.name ?? null });
    });
  };
}

function valuesOf({ clusterId = '', start, end, tags: given, comments = '' }: NewOutage, violations: Violations) {
  const tags = [...new Set(given.map((tag) => tag.trim()))];
  tags.forEach((tag, place) =>
    violations.note(`tags[${place}]`, lengthProblem(tag, { least: 1, most: most.tagCharacters })));
  if (given.length > most.tags) violations.note('tags', `must have at most ${most.tags} items`);
  violations.note('clusterID', lengthProblem(clusterId, { most: most.clusterId }));
  violations.note('comments', lengthProblem(comments, { most: most.comments }));
  if (start!.getTime() >= end!.getTime()) violations.note('end', 'must be after start, by a millisecond or more');
  return { clusterId, start: start!, end: end!, tags, comments };
}
