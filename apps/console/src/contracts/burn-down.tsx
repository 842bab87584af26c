import { BarChart } from '../ui/bar-chart.tsx';
import { figures } from '../ui/values.ts';

/** A chart of the remaining quota after each day of the month. */
export function BurnDown(
  { byDay, limit, unit, now }: { byDay: readonly number[]; limit: number; unit: string; now: Date },
) {
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  const left = Array.from({ length: days + 1 }, (_, day) =>
    day > byDay.length ? 0 : Math.max(0, limit - byDay.slice(0, day).reduce((sum, one) => sum + one, 0)));
  return (
    <BarChart
      label={`Remaining quota by day (quota: ${figures.format(limit)} ${unit})`}
      places={left.map((_, day) => String(day))}
      series={[{ name: 'Left', color: 'var(--mantine-primary-color-filled)', values: left }]}
      height={200}
      hintOf={(day) =>
        day > byDay.length ? `Day ${day} has not begun` : `Day ${day}: ${figures.format(left[day]!)} ${unit} are left`
      }
    />
  );
}
