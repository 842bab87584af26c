// `npm run bench -- [bench…] [--rounds N] [--requests N]` runs the named benches, by default all. The benches are hop,
// routes, contracts, replicas, scale, licences, metricsproxy, events, usage and clusters.
// `npm run bench -- against <commit>` compares this code with a commit and runs no other bench.
import { parseArgs } from 'node:util';
import { benchAgainst } from './against.ts';
import { benchClusters } from './clusters.ts';
import { benchContracts } from './contracts.ts';
import { benchEvents } from './events.ts';
import { benchHop } from './hop.ts';
import { benchLicences } from './licences.ts';
import { benchMetricsProxy } from './metricsproxy.ts';
import { benchReplicas } from './replicas.ts';
import { benchRoutes } from './routes.ts';
import { benchScale } from './scale.ts';
import { benchUsage } from './usage.ts';

const benches = {
  hop: benchHop, routes: benchRoutes, contracts: benchContracts, replicas: benchReplicas, scale: benchScale,
  licences: benchLicences, metricsproxy: benchMetricsProxy, events: benchEvents,
  usage: benchUsage, clusters: benchClusters,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' }, requests: { type: 'string', default: '3000' } },
});
const size = { rounds: Number(values.rounds), requests: Number(values.requests) };
const [first, commit] = positionals;
if (first === 'against') {
  if (commit === undefined) throw new Error('name the commit after `against`');
  await benchAgainst(size, commit);
}
for (const name of first === 'against' ? [] : positionals.length > 0 ? positionals : Object.keys(benches)) {
  const bench = benches[name as keyof typeof benches];
  if (!bench) throw new Error(`there is no bench ${name}; there are ${Object.keys(benches).join(', ')}`);
  await bench(size);
}
