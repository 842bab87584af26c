#!/usr/bin/env bash
# Expected: with `sync_interval: always`, JetStream syncs each message to disk, so 100 messages cost 100 syncs, in an
# atomic batch as one by one.
# Seen: 100 single messages sync the file of the stream about 100 times; an atomic batch of 100 syncs it a few times. But
# a batch of 2 syncs more often than 2 single messages, because the server first writes it to files of its own.
# nats-server 2.15.2, @nats-io/jetstream 3.4.0; seen 2026-12-01. Needs Go and apt (strace); takes two minutes.
set -euo pipefail
folder=$(mktemp -d)
tracer=
finish() {
  [ -z "$tracer" ] || { pkill -P "$tracer"; wait "$tracer"; } 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
command -v strace >/dev/null || apt-get install -qq -y strace >/dev/null
GOBIN="$folder" go install github.com/nats-io/nats-server/v2@v2.15.2 >/dev/null 2>&1
npm install --silent --no-audit --no-fund @nats-io/transport-node@3.4.0 @nats-io/jetstream@3.4.0 >/dev/null
printf 'listen: "127.0.0.1:14556"\njetstream { store_dir: "%s/store", sync_interval: always }\n' "$folder" > nats.conf
strace -f -qq -e trace=fsync,fdatasync,openat -o trace ./nats-server -c nats.conf >log 2>&1 &
tracer=$!
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/14556) 2>/dev/null && break; sleep 0.1; done
cat > write.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { connect, headers } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';

const client = await connect({ servers: '127.0.0.1:14556' });
const { streams } = await jetstreamManager(client);
await streams.add({ name: 'stream', subjects: ['stream'], allow_atomic: true });
const syncs = () => (readFileSync('trace', 'utf8').match(/ (fsync|fdatasync)\(|O_SYNC/g) ?? []).length;

async function countSyncs(write) {
  const before = syncs();
  await write();
  return syncs() - before;
}

async function writeSingly(count) {
  for (let place = 0; place < count; place += 1) await client.request('stream', 'text');
}

async function writeBatch(count) {
  const id = `of-${count}`;
  for (let place = 1; place <= count; place += 1) {
    const head = headers();
    head.set('Nats-Batch-Id', id);
    head.set('Nats-Batch-Sequence', String(place));
    if (place < count) client.publish('stream', 'text', { headers: head });
    else {
      head.set('Nats-Batch-Commit', '1');
      const { count: stored } = (await client.request('stream', 'text', { headers: head })).json();
      if (stored !== count) throw new Error(`${stored} of ${count} were stored`);
    }
  }
}

const singly = await countSyncs(() => writeSingly(100));
const batch = await countSyncs(() => writeBatch(100));
const two = await countSyncs(() => writeSingly(2));
const batchOfTwo = await countSyncs(() => writeBatch(2));
console.log(`syncs: 100 single messages ${singly}, a batch of 100 ${batch}; 2 single messages ${two}, a batch of 2 ${batchOfTwo}`);
await client.close();
process.exitCode = singly >= 90 && batch <= 20 && batchOfTwo > two ? 0 : 1;
JS
node write.mjs
