import { endProgress } from './progress.ts';
import { visible } from './visible.ts';

/** Where a command writes. Characters that control the terminal or are invisible are escaped: see {@link visible}. */
export interface Output {
  /** `--json`: standard output gets one JSON line and nothing else. */
  readonly json: boolean;
  /** Prints the answer: the value as JSON, or the lines as text. */
  answer(value: unknown, lines: () => readonly string[]): void;
  /** Prints a line that is not part of the answer, such as a warning. For progress, see progress.ts. */
  say(line: string): void;
}

export function createOutput(json: boolean): Output {
  return {
    json,
    answer: (value, lines) => {
      endProgress();
      process.stdout.write(`${json ? visible(JSON.stringify(value)) : lines().map(visible).join('\n')}\n`);
    },
    say: (line) => {
      (json ? process.stderr : process.stdout).write(`${visible(line)}\n`);
    },
  };
}

/** Aligns cells in columns, each as wide as its longest cell. */
export function columns(given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map(visible));
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  return rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ').trimEnd());
}

/** Formats names and values as lines, with the names in a column. Leaves out names without a value. */
export function facts(given: readonly Fact[]): string[] {
  return columns(given.filter(([, value]) => value !== undefined && value !== '').map(([name, value]) =>
    [`${name}:`, typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)]));
}

type Fact = readonly [name: string, value: string | number | boolean | undefined];

/** RFC3339 in UTC with whole seconds (open-points 1.7); undefined without a time. */
export function timeText(time: Date | undefined): string | undefined {
  return time?.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** The day in UTC: `2026-11-21`. */
export function dayText(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().slice(0, 10);
}
