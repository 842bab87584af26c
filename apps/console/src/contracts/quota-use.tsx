import { Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import type { Contract } from '@platform/client';
import { Read } from '../ui/read.tsx';
import { figures } from '../ui/values.ts';
import { countedMonths, isProductKey, type Point, readView } from '../usage/view.ts';
import { BurnDown } from './burn-down.tsx';
import { unitOf } from './terms.ts';
import { paceOf, type Pace } from './pace.ts';

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });

/** Shows how much of the quota of a contract is used. */
export function QuotaUse({ contract }: { contract: Contract }) {
  const { metric, limit } = contract.quota!;
  return (
    <Card withBorder>
      <Title order={2} fz={18} mb="sm">{metric === 'clusters' ? 'Quota' : 'Quota of this month'}</Title>
      {metric === 'clusters'
        ? (
          <Text size="sm">
            {figures.format(limit)} clusters can get a licence; {figures.format(contract.clusters.length)} are bound.
          </Text>
        )
        : <MonthUse contract={contract} />}
    </Card>
  );
}

/** Shows the use of this UTC month, and a forecast for the rest of the month. */
function MonthUse({ contract }: { contract: Contract }) {
  const { metric, limit } = contract.quota!;
  const now = new Date();
  return (
    <Read
      what="The use of the quota"
      queryKey={['quota use', contract.id, metric]}
      load={() => usedOf(contract, now)}
    >
      {(used) => <Shown {...{ used, limit, unit: unitOf(metric), now }} />}
    </Read>
  );
}

interface Used {
  /** Use in this UTC month, in core-months or GiB-months. */
  readonly amount: number;
  /**
   * Use of each day of the month, up to and including today, in the unit of `amount`. Empty if the owner of the
   * contract had no metered events in the month.
   */
  readonly byDay: readonly number[];
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
  const pace = paceOf(used.byDay, limit, now);
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
      <Text size="sm">{wordsOf(pace, unit)}</Text>
      {used.byDay.length > 0 && <BurnDown byDay={used.byDay} limit={limit} unit={unit} now={now} />}
    </Stack>
  );
}

function wordsOf({ ends, amount }: Pace, unit: string): string {
  if (ends === 'used up') return 'The quota of this month is used up.';
  if (ends === undefined) {
    return `At this pace the quota lasts all month. The expected use is ${figures.format(amount)} ${unit}.`;
  }
  return `At this pace the quota will be used up on ${dates.format(ends)}.`;
}
