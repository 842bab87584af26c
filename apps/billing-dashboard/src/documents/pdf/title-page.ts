import type { MonthDocument } from '../month-document.ts';
import { measureNames, numberFormat } from './table.ts';
import { type Frame, muted, type Style, type TextSetter } from './text.ts';

/** Maximum width of a figure, in points. A wider figure could reach the unit of the previous column. */
const widestFigure = 155;

export function drawTitlePage(document: MonthDocument, options: Frame): void {
  const { pdf, text, left, width, ink } = options;
  const { letterhead: { logo, appName }, owner, month, period } = document;
  const put = (line: string, style: Style, y: number) => text.draw(text.line(line, style, width), style, left, y);
  pdf.rect(0, 0, pdf.page.width, 10).fill(ink);
  pdf.image(Buffer.from(logo), left, 44, { fit: [180, 60] });
  put(appName, { size: 16, bold: true }, 132);
  put('Database usage', { size: 30, bold: true, color: ink }, 190);
  put(`${owner}, ${month}`, { size: 18 }, 218);
  put(`${period.start} to ${period.end} (end not included), UTC`, { size: 9, color: muted }, 240);
  put(stateOf(document), { size: 9, color: muted }, 254);
  drawTotals(document.totals, 290, options);
}

/** Returns a line that states whether the figures can still change. */
export function stateOf({ final, asOf }: Pick<MonthDocument, 'final' | 'asOf'>): string {
  return final ? `Final since ${asOf}` : `Preliminary, as of ${asOf}: events may come up to 35 days late`;
}

function drawTotals(totals: MonthDocument['totals'], top: number, { pdf, text, left, ink }: Frame): void {
  const { total, billable, prod, nonProd, free } = totals;
  const inMinutes = numberFormat([total.cpu, total.memory]);
  const inMonths = numberFormat([billable, prod, nonProd, free].flatMap(({ cpu, memory }) => [cpu, memory]));
  const rows = [
    [measureNames.total, 'core-minutes', 'GiB-minutes', inMinutes, total],
    ['Billable', 'core-months', 'GiB-months', inMonths, billable],
    [measureNames.prod, 'core-months', 'GiB-months', inMonths, prod],
    [measureNames.nonProd, 'core-months', 'GiB-months', inMonths, nonProd],
    [measureNames.free, 'core-months', 'GiB-months', inMonths, free],
  ] as const;
  const unit = { size: 8, color: muted } as const;
  const [cpuRight, memoryRight] = [left + 330, left + 560];
  ['CPU', 'Memory'].forEach((name, place) => {
    const style = { size: 9, bold: true, color: muted } as const;
    const line = text.line(name, style);
    text.draw(line, style, (place === 0 ? cpuRight : memoryRight) - line.width, top);
  });
  pdf.moveTo(left, top + 6).lineTo(memoryRight + 70, top + 6).lineWidth(1).stroke(ink);
  rows.forEach(([name, cpuUnit, memoryUnit, format, { cpu, memory }], place) => {
    const y = top + 26 + place * 24;
    const style: Style = { size: 11, bold: place < 2 };
    text.draw(text.line(name, style), style, left + (place < 2 ? 0 : 12), y);
    for (const [value, right, unitName] of [[cpu, cpuRight, cpuUnit], [memory, memoryRight, memoryUnit]] as const) {
      const figure = fitting(text, format(value), style);
      text.draw(figure.line, figure.style, right - figure.line.width, y);
      text.draw(text.line(unitName, unit), unit, right + 6, y);
    }
    pdf.moveTo(left, y + 8).lineTo(memoryRight + 70, y + 8).lineWidth(0.3).stroke('#e2e8f0');
  });
}

/** Typesets a figure, in a smaller size if the figure would be too wide. */
function fitting(text: TextSetter, figure: string, style: Style) {
  let { size } = style;
  while (size > 4 && text.line(figure, { ...style, size }).width > widestFigure) size -= 0.5;
  const fitted = { ...style, size };
  return { line: text.line(figure, fitted), style: fitted };
}
