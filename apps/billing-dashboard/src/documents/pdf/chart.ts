import type { MonthDocument } from '../month-document.ts';
import type { Block } from './blocks.ts';
import { type Frame, muted } from './text.ts';

const label = { size: 7, color: muted } as const;
const legendWidth = 150;

/** A chart with one column for each day of the month. Each column stacks the values of the series. */
export function chartBlock(
  { series }: MonthDocument, resource: 'cpu' | 'memory', title: string,
  { pdf, text, left, width, height, color }: Frame & { height: number; color: (place: number) => string },
): Block {
  const values = series.map(({ days }) => days.map((day) => day[resource]));
  const days = values[0]?.length ?? 0;
  const sums = Array.from({ length: days }, (_, day) => values.reduce((sum, one) => sum + one[day]!, 0));
  const step = niceStep(Math.max(...sums, 0));
  const steps = Math.max(1, Math.ceil(Math.max(...sums, 0) / step));
  const ticks = Array.from({ length: steps + 1 }, (_, place) => place * step);
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 9 });
  const axis = Math.max(...ticks.map((tick) => text.line(format.format(tick), label).width)) + 6;
  return {
    height,
    draw: (top) => {
      const heading = { size: 10, bold: true } as const;
      text.draw(text.line(title, heading), heading, left, top + 12);
      const plot = { left: left + axis, top: top + 26, width: width - axis - legendWidth - 16, height: height - 56 };
      const bottom = plot.top + plot.height;
      const yOf = (value: number) => bottom - (value / (steps * step)) * plot.height;
      for (const tick of ticks) {
        const line = text.line(format.format(tick), label);
        text.draw(line, label, plot.left - 6 - line.width, yOf(tick) + 2.5);
        pdf.moveTo(plot.left, yOf(tick)).lineTo(plot.left + plot.width, yOf(tick)).lineWidth(0.3).stroke('#e2e8f0');
      }
      const slot = plot.width / Math.max(days, 1);
      for (let day = 0; day < days; day += 1) {
        let base = 0;
        values.forEach((one, place) => {
          const value = one[day]!;
          if (value > 0) {
            const y = yOf(base + value);
            pdf.rect(plot.left + day * slot + slot * 0.15, y, slot * 0.7, yOf(base) - y).fill(color(place));
          }
          base += value;
        });
        const number = text.line(String(day + 1), label);
        text.draw(number, label, plot.left + (day + 0.5) * slot - number.width / 2, bottom + 10);
      }
      series.forEach(({ name }, place) => {
        const [x, y] = [plot.left + plot.width + 16, plot.top + place * 14];
        pdf.rect(x, y, 7, 7).fill(color(place));
        text.draw(text.line(name, { size: 7.5 }, legendWidth - 12), { size: 7.5 }, x + 12, y + 6.5);
      });
    },
  };
}

/** The step between axis labels: 1, 2 or 5 times a power of ten. */
function niceStep(highest: number): number {
  if (highest <= 0) return 1;
  const rough = highest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
}
