import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, seeded } from '@platform/testing';
import { csvRows } from '../src/csv-rows.ts';
import { beginPeak, peakMemory } from '../src/load/resident-memory.ts';
import { inContainers } from '../src/load/container.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';

export const name = 'csv';
export const describe = 'The audit with 100,000 entries as CSV: row for row equal to JSON, gateway and orgs-teams grow by '
  + 'less than 64 MiB, and LibreOffice opens it without a formula.';
export const servers = true;

const wholeRows = 100_000;
const leastRows = 2_500;
const mostGrowth = 64;
const path = '/api/v1/admin/audit';
const run = promisify(execFile);

/** Texts that a spreadsheet, a CSV parser or a line reader could misinterpret. */
const texts = [
  'ada', '=1+1', '=HYPERLINK("https://example.org";"x")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'", '"', 'a,b', 'a\r\nb',
  'a\nb', ' ', '', '数据库', '100%', '1e5', '2026-01-01', 'true', '=', '""', ',', "';--",
];

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({ hosts: organizationHosts, surroundings: inContainers });
  const count = Math.max(leastRows, Math.round(wholeRows * share));
  const { services } = world.platform;
  const pids = [services.gateway, services['orgs-teams']].map(({ replicas: [{ pid }] }) => pid);
  // Memory that each process allocates for its first answers is not growth.
  for (let warm = 0; warm < 4; warm += 1) await read(world, '?format=csv');
  await enter(world, count, seed);
  report(`${count} entries are there`);

  const before = pids.map(beginPeak);
  const csv = await read(world, '?format=csv');
  const growth = pids.map(peakMemory).map((mebibytes, index) => Math.round(mebibytes - before[index]!));
  report(`the CSV has ${csv.length} bytes`);
  const counterexamples: string[] = [];
  if (growth.some((mebibytes) => mebibytes >= mostGrowth)) counterexamples.push(`grown by ${growth.join(' and ')} MiB`);
  const [header, ...rows] = csvRows(csv.toString('utf8'));
  const entries = await readEntries(world);
  if (rows.length !== entries.length) counterexamples.push(`${rows.length} rows instead of ${entries.length}`);
  for (const [place, entry] of entries.entries()) {
    const wanted = header!.map((column) => cellOf(entry, column));
    if (rows[place]?.join('\0') === wanted.join('\0')) continue;
    counterexamples.push(`row ${place + 1}: ${JSON.stringify(rows[place])} instead of ${JSON.stringify(wanted)}`);
  }
  const opened = share < 1 ? undefined : await openInLibreOffice(csv, report);
  if (opened !== undefined && opened.formulas > 0) counterexamples.push(`${opened.formulas} formulas`);
  if (opened !== undefined && opened.rows !== rows.length + 1) counterexamples.push(`LibreOffice has ${opened.rows} rows`);
  const shown = opened === undefined ? 'LibreOffice is not tried' : `LibreOffice: ${opened.rows} rows, ${opened.formulas} formulas`;
  return {
    figure: `${rows.length} rows, ${csv.length} bytes; gateway and orgs-teams grew by ${growth.join(' and ')} MiB; ${shown}`,
    holds: counterexamples.length > 0 ? false : share < 1 || opened !== undefined || undefined,
    counterexamples: counterexamples.slice(0, 10),
  };
}

async function enter(world: World, count: number, seed: number): Promise<void> {
  const random = seeded(seed);
  const rows = Array.from({ length: count }, (_, place) => ({
    actor: random.pick(texts), object: `team:${place + 1}`, name: random.pick(texts), address: random.pick(texts),
  }));
  for (let at = 0; at < rows.length; at += 5_000) {
    await world.database.execute(sql`
      insert into audit (actor, action, object, request_id, details, via, address)
      select actor, 'team.update', object, '', jsonb_build_object('name', name), 'token', address
        from jsonb_to_recordset(${sql.json(rows.slice(at, at + 5_000))}::jsonb)
          as given (actor text, object text, name text, address text)`);
  }
}

async function read(world: World, query: string): Promise<Buffer> {
  const { status, body, text } = await world.siteAdmin.http.get(path + query, { within: 300_000 });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body;
}

/** All entries as JSON, part by part. */
async function readEntries(world: World): Promise<object[]> {
  const entries: object[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer = await world.siteAdmin.http.get(next, { within: 60_000 });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    entries.push(...answer.json<object[]>());
    const link = /<([^>]+)>; rel="next"/.exec(answer.header('link') ?? '')?.[1];
    next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
  }
  return entries;
}

/** The expected content of a column's cell (open-points 18.7). */
function cellOf(entry: object, column: string): string {
  const value = column.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], entry);
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Undefined if LibreOffice is not installed. */
async function openInLibreOffice(csv: Buffer, report: ProofOptions['report']) {
  const folder = await mkdtemp(join(tmpdir(), 'platform-csv-'));
  try {
    await writeFile(join(folder, 'audit.csv'), csv);
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
    const to = ['--headless', '--convert-to', 'fods', '--outdir', folder];
    // Separated by commas, quoted by `"`, in UTF-8.
    const from = '--infilter=CSV:44,34,76,1';
    await run('soffice', [profile, from, ...to, join(folder, 'audit.csv')], { timeout: 600_000 });
    report('LibreOffice has opened it');
    let [rows, formulas] = [0, 0];
    for await (const line of createInterface({ input: createReadStream(join(folder, 'audit.fods')) })) {
      rows += line.match(/<table:table-row (?![^>]*number-rows-repeated)/g)?.length ?? 0;
      formulas += line.match(/table:formula=/g)?.length ?? 0;
    }
    return { rows, formulas };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
