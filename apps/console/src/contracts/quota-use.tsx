import { Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import type { Contract } from '@platform/client';
import { Read } from '../ui/read.tsx';
import { figures } from '../ui/values.ts';
import { countedMonths, isProductKey, type Point, readView } from '../usage/view.ts';
import { BurnDown } from './burn-down.tsx';
import { unitOf } from './terms.ts';
import { paceOf, type Pace } from './pace.ts';

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });

/** Shows how much of the quota is used. For a quota of a month, also shows a forecast. */
export function QuotaUse({ contract }: { contract: Contract }) {
  const { metric, limit } = contract.quota!;
  const now = new Date();
  return (
    <Card withBorder>
      <Title order={2} fz={18} mb="sm">Quota of this month</Title>
      <Read
        what="The use of the quota"
        queryKey={['quota use', contract.id, metric]}
        load={async () => (metric === 'clusters' ? { amount: contract.clusters.length } : usedOf(contract, now))}
      >
        {(used) => <Shown {...{ used, limit, unit: unitOf(metric), now }} />}
      </Read>
    </Card>
  );
}

/**
 * Use of the quota. For clusters, `amount` is their number. Otherwise, it is the use in this UTC month, and `byDay` has
 * the use of each day.
 */
interface Used {
  readonly amount: number;
  readonly byDay?: readonly number[];
}

async function usedOf({ id, orgOrUser, product, quota }: Contract, now: Date): Promise<Used> {
  const month = now.toISOString().slice(0, 7);
  if (!(await countedMonths(orgOrUser)).includes(month)) return { amount: 0, byDay: [] };
  const { series = [] } = await readView({
    org: orgOrUser, month, product: isProductKey(product) ? product : 'productdb', split: 'contracts', type: 'billable',
  });
  const points = series.find(({ key }) => key === String(id))?.points ?? [];
  const amountOf = ({ cpu, memory }: Point) => (quota!.metric === 'cpu_core_month' ? cpu : memory);
  const byDate = new Map(points.map((point) => [Number(point.date.slice(8)), amountOf(point)]));
  const byDay = Array.from({ length: now.getUTCDate() }, (_, index) => byDate.get(index + 1) ?? 0);
  return { amount: byDay.reduce((sum, one) => sum + one, 0), byDay };
}

function Shown({ used, limit, unit, now }: { used: Used; limit: number; unit: string; now: Date }) {
  const share = (used.amount / limit) * 100;
  const pace = used.byDay && paceOf(used.byDay, limit, now);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600}>{figures.format(used.amount)} of {figures.format(limit)} {unit}</Text>
        <Text size="sm" c="dimmed">{figures.format(share)} %</Text>
      </Group>
      <Progress
        value={Math.min(100, share)}
        color={share >= 100 ? 'red' : share >= 80 ? 'orange' : undefined}
        aria-label="Quota used"
      />
      {pace && <Text size="sm">{wordsOf(pace)}</Text>}
      {used.byDay && used.byDay.length > 0 && <BurnDown byDay={used.byDay} limit={limit} unit={unit} now={now} />}
    </Stack>
  );
}

function wordsOf({ ends, amount }: Pace): string {
  if (ends === 'used up') return 'The quota of this month is used up.';
  if (ends === undefined) return `At this pace the quota lasts: about ${figures.format(amount)} by the end of the month.`;
  return `At this pace the quota ends on ${dates.format(ends)}.`;
}
