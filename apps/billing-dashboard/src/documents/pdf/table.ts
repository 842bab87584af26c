import type { Amounts, Table, TableRow } from '../month-document.ts';
import type { Block } from './blocks.ts';
import { type Frame, type Line, muted, type Style } from './text.ts';

const measures = ['total', 'prod', 'nonProd', 'free'] as const;
const resources = ['cpu', 'memory'] as const;
const columns = measures.flatMap((measure) => resources.map((resource) => ({ measure, resource })));
export const measureNames = { total: 'All usage', prod: 'Production', nonProd: 'Non-production', free: 'Free' };
const totalUnits = { cpu: 'core-min', memory: 'GiB-min' } as const;
const monthUnits = { cpu: 'core-months', memory: 'GiB-months' } as const;

const gap = 10;
const indent = 12;
/**
 * The column of names should get at least this share of the width of the table. If the share would be smaller, the
 * figures shrink, but not below 3 points.
 */
const leastNames = 0.28;
const sizes = { figure: 7.5, name: 8, note: 6.5, head: 7 } as const;

/** Returns a table as blocks. The head of the table is repeated on each page. @param pageHeight without margins */
export function tableBlocks(table: Table, frame: Frame, pageHeight: number): Block[] {
  const { text, left, width } = frame;
  const format = columns.map(({ measure, resource }) =>
    numberFormat(table.rows.map(({ amounts }) => amounts[measure][resource])));
  const figuresOf = (amounts: Amounts) =>
    columns.map(({ measure, resource }, place) => format[place]!(amounts[measure][resource]));
  const headStyle: Style = { size: sizes.head, bold: true, color: muted };
  const units = columns.map(({ measure, resource }) => (measure === 'total' ? totalUnits : monthUnits)[resource]);
  const widthsAt = (size: number) => columns.map((_, place) => Math.max(
    text.line(units[place]!, headStyle).width,
    ...widest(table.rows.map(({ amounts }) => figuresOf(amounts)[place]!))
      .map((figure) => text.line(figure, { size }).width),
  ));
  const needed = (widths: readonly number[]) => widths.reduce((sum, one) => sum + one + gap, 0);
  let size: number = sizes.figure;
  while (size > 3 && needed(widthsAt(size)) > width * (1 - leastNames)) size -= 0.5;
  const widths = widthsAt(size);
  const nameWidth = width - needed(widths);
  const rights = widths.map((_, place) => left + nameWidth + needed(widths.slice(0, place + 1)));
  const drawFigures = (lines: readonly Line[], style: Style, baseline: number) =>
    lines.forEach((line, place) => text.draw(line, style, rights[place]! - line.width, baseline));

  const head = headBlock(table.subject, frame, { rights, widths, units, headStyle });
  const rowBlocks = (row: TableRow): Block[] => {
    const x = left + (row.isPart ? indent : 0);
    const nameStyle: Style = { size: sizes.name, bold: !row.isPart };
    const noteStyle: Style = { size: sizes.note, color: muted };
    const room = nameWidth - (x - left);
    const lines = [
      ...text.lines(row.name, nameStyle, room).map((line) => ({ line, style: nameStyle, height: 11 })),
      ...text.lines(row.note, noteStyle, room).map((line) => ({ line, style: noteStyle, height: 9 })),
    ];
    const figures = figuresOf(row.amounts).map((figure) => text.line(figure, { size }));
    return divided(lines, pageHeight - head.height - 6).map((part, place, parts) => ({
      height: Math.max(11, heightOf(part)) + 5,
      head,
      draw: (top: number) => {
        if (place === 0) drawFigures(figures, { size }, top + 10);
        let y = top;
        for (const { line, style, height } of part) {
          y += height;
          text.draw(line, style, x, y - (height - style.size) / 2 + 0.5);
        }
        if (place === parts.length - 1) rule(frame, top + Math.max(11, heightOf(part)) + 4.5);
      },
    }));
  };
  const empty: Block = {
    height: 16,
    head,
    draw: (top) => text.draw(text.line('No usage', { size: 8 }), { size: 8, color: muted }, left, top + 11),
  };
  return [{ ...head, keepsNext: true }, ...(table.rows.length === 0 ? [empty] : table.rows.flatMap(rowBlocks))];
}

function headBlock(
  subject: string, { pdf, text, left, width, ink }: Frame,
  { rights, widths, units, headStyle }: { rights: number[]; widths: number[]; units: string[]; headStyle: Style },
): Block {
  return {
    height: 30,
    draw: (top) => {
      text.draw(text.line(subject, headStyle), headStyle, left, top + 22);
      measures.forEach((measure, place) => {
        const [first, last] = [place * 2, place * 2 + 1];
        const start = rights[first]! - widths[first]!;
        const name = text.line(measureNames[measure], headStyle);
        text.draw(name, headStyle, (start + rights[last]! - name.width) / 2, top + 11);
        pdf.moveTo(start, top + 13.5).lineTo(rights[last]!, top + 13.5).lineWidth(0.4).stroke('#cbd5e1');
      });
      units.forEach((unit, place) => {
        const line = text.line(unit, headStyle);
        text.draw(line, headStyle, rights[place]! - line.width, top + 22);
      });
      pdf.moveTo(left, top + 26.5).lineTo(left + width, top + 26.5).lineWidth(1).stroke(ink);
    },
  };
}

function rule({ pdf, left, width }: Frame, y: number): void {
  pdf.moveTo(left, y).lineTo(left + width, y).lineWidth(0.3).stroke('#e2e8f0');
}

function heightOf(lines: readonly { readonly height: number }[]): number {
  return lines.reduce((sum, { height }) => sum + height, 0);
}

/** Splits lines into groups, each at most `most` high. No single line may be higher than `most`. */
function divided<Item extends { readonly height: number }>(lines: readonly Item[], most: number): Item[][] {
  const parts: Item[][] = [[]];
  for (const line of lines) {
    if (heightOf(parts.at(-1)!) + line.height > most) parts.push([]);
    parts.at(-1)!.push(line);
  }
  return parts;
}

/**
 * Returns a list with one of the longest texts, or an empty list if there are no texts. All digits have the same width,
 * so the longest number is also the widest.
 */
function widest(texts: readonly string[]): string[] {
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  return texts.filter((text) => text.length === longest).slice(0, 1);
}

/**
 * Returns a formatter that writes all numbers with the same number of decimals. It uses as many decimals as the most
 * precise of the given numbers needs, at most six. Usage has at most six decimals (open-points 7.2).
 */
export function numberFormat(numbers: readonly number[]): (value: number) => string {
  const decimals = numbers.reduce((most, value) => Math.max(most, decimalsOf(value)), 0);
  return new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format;
}

/** The number of decimals, at most six. 0 for numbers from 1e21 on, because JavaScript writes them with an exponent. */
function decimalsOf(value: number): number {
  return value < 1e21 ? (value.toFixed(6).split('.')[1] ?? '').replace(/0+$/, '').length : 0;
}
