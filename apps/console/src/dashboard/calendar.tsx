import { Tooltip } from '@mantine/core';

const day = 86_400_000;
const weeks = 26;

/** Amounts by day (`2026-11-27`) as a calendar of half a year: weeks across, days of the week downwards. */
export function Calendar({
  amounts,
  unit,
  end = new Date(),
}: {
  amounts: ReadonlyMap<string, number>;
  unit: string;
  end?: Date;
}) {
  const last = Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate());
  const begin = last - ((weeks - 1) * 7 + ((end.getUTCDay() + 6) % 7)) * day;
  const most = Math.max(1, ...amounts.values());
  const days = Array.from({ length: Math.round((last - begin) / day) + 1 }, (_, index) =>
    new Date(begin + index * day).toISOString().slice(0, 10),
  );
  return (
    <div className="calendar" role="img" aria-label={`${amounts.size} days with outages in half a year`}>
      {days.map((date) => {
        const amount = amounts.get(date) ?? 0;
        return (
          <Tooltip key={date} label={`${date}: ${amount.toFixed(1)} ${unit}`} openDelay={100}>
            <span
              style={
                amount === 0
                  ? undefined
                  : { background: 'var(--mantine-primary-color-filled)', opacity: 0.35 + 0.65 * (amount / most) }
              }
            />
          </Tooltip>
        );
      })}
    </div>
  );
}
