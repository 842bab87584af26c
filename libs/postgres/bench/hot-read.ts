/**
 * Compares the cost of a prepared read through this library with the same read through plain pg with a pool. Usage:
 * `node libs/postgres/bench/hot-read.ts postgres://…`. The variants alternate. CPU time covers this process only.
 */
import pg from 'pg';
import { createMetrics, deadlineIn } from '@platform/service';
import { connect, sql } from '../src/index.ts';

const url = process.argv[2];
if (url === undefined) throw new TypeError('usage: hot-read.ts <postgres url>');

const concurrency = 32;
const readsPerRound = 20_000;
const rounds = 7;
const text = 'select $1::int8 as id, $2::text as name, now() as at, true as active';

const pool = new pg.Pool({ connectionString: url, max: 10 });
await using database = connect({ url, applicationName: 'bench' });
await using measured = connect({ url, applicationName: 'bench', metrics: createMetrics({ service: 'bench' }) });

let id = 0;
const next = () => sql`select ${(id += 1)}::int8 as id, ${'name'}::text as name, now() as at, true as active`;
const sides = {
  'plain pg': () => pool.query({ name: 'plain', text, values: [(id += 1), 'name'] }),
  'this library': () => database.one(next()),
  'with a deadline': () => database.one(next(), { deadline: deadlineIn(2_000) }),
  'with metrics and a deadline': () => measured.one(next(), { deadline: deadlineIn(2_000) }),
};

interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

async function measure(read: () => Promise<unknown>): Promise<Cost> {
  let left = readsPerRound;
  const start = performance.now();
  const before = process.cpuUsage();
  const work = async (): Promise<void> => {
    while ((left -= 1) >= 0) await read();
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / readsPerRound, wall: ((performance.now() - start) * 1_000) / readsPerRound };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const costs = new Map<string, Cost[]>(Object.keys(sides).map((name) => [name, []]));
for (let round = -1; round < rounds; round += 1) {
  for (const [name, read] of Object.entries(sides)) {
    const cost = await measure(read);
    if (round >= 0) costs.get(name)?.push(cost);
  }
}
const [plain] = [...costs.values()].map((all) => median(all.map(({ cpu }) => cpu)));
for (const [name, all] of costs) {
  const cpu = median(all.map((cost) => cost.cpu));
  const wall = median(all.map((cost) => cost.wall));
  const ratio = (cpu / (plain ?? NaN)).toFixed(2);
  process.stdout.write(`${name}: ${cpu.toFixed(1)} µs CPU, ${wall.toFixed(1)} µs wall, ${ratio} ×\n`);
}
await pool.end();
