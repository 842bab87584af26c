import { Group } from '@mantine/core';
import { hint } from './hints.tsx';

const day = 86_400_000;
const weeks = 26;

interface CalendarProps {
  /** The amounts by UTC day (`2026-11-27`). */
  readonly amounts: ReadonlyMap<string, number>;
  /** Returns the text of the hint of a day. The hint shows the date in front of this text. */
  readonly words: (amount: number, date: string) => string;
  /** Describes the calendar for people who cannot see it. */
  readonly label: string;
  /** The half year that ends today, or the half year that begins this week. */
  readonly half?: 'past' | 'coming';
}

/** Amounts by day in half a year. Each column is a week, from Monday at the top to Sunday at the bottom. */
export function Calendar({ amounts, words, label, half = 'past' }: CalendarProps) {
  const now = new Date();
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const monday = today - ((now.getUTCDay() + 6) % 7) * day;
  const begin = half === 'coming' ? monday : monday - (weeks - 1) * 7 * day;
  const end = half === 'coming' ? monday + (weeks * 7 - 1) * day : today;
  const most = Math.max(1, ...amounts.values());
  const days = Array.from({ length: Math.round((end - begin) / day) + 1 }, (_, index) =>
    new Date(begin + index * day).toISOString().slice(0, 10));
  return (
    <div role="img" aria-label={label}>
      <div className="calendar">
        {days.map((date) => {
          const amount = amounts.get(date) ?? 0;
          return (
            <span
              key={date}
              {...hint(`${date}: ${words(amount, date)}`)}
              style={amount === 0 ? undefined
                : { background: 'var(--mantine-primary-color-filled)', opacity: 0.35 + 0.65 * (amount / most) }}
            />
          );
        })}
      </div>
      <Group justify="space-between" mt={6} c="dimmed" fz="xs">
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </Group>
    </div>
  );
}
