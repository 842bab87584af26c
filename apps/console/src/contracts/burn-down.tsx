import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { figures } from '../ui/values.ts';

interface BurnDownProps {
  byDay: readonly number[];
  limit: number;
  unit: string;
  now: Date;
}

/** What is left of a quota after each day of the month. */
export function BurnDown({ byDay, limit, unit, now }: BurnDownProps) {
  const { colors } = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  let left = limit;
  const rows = Array.from({ length: days + 1 }, (_, day) => {
    if (day > 0) left -= byDay[day - 1] ?? 0;
    return { day, ...(day <= byDay.length && { left: Math.max(0, left) }) };
  });
  const label = isDark ? '#c9cdd2' : '#495057';
  return (
    <div role="img" aria-label={`What is left of ${figures.format(limit)} ${unit} by day`} style={{ height: 200 }}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={rows} margin={{ top: 8, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke={isDark ? '#3b3f45' : '#e9ecef'} />
          <XAxis dataKey="day" tick={{ fill: label, fontSize: 12 }} tickLine={false} />
          <YAxis tick={{ fill: label, fontSize: 12 }} width={56} tickLine={false} axisLine={false} />
          <Tooltip
            cursor={{ fillOpacity: 0.1 }}
            formatter={(value) => `${figures.format(Number(value))} ${unit}`}
            labelFormatter={(day) => `After day ${String(day)}`}
            contentStyle={{ background: isDark ? '#25262b' : 'white', borderRadius: 8 }}
          />
          <Bar dataKey="left" name="Left" fill={colors['brand']![6]} isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
