#!/usr/bin/env bash
# Expected: `fetch({ max_bytes })` of a consumer takes as many messages as fit in these bytes. Its type also permits
# `max_messages`, to set both limits.
# Seen: it takes at most 100 messages, whatever the bytes, and then throws "batch completed". With `max_messages` as
# well, the call is refused at run time: the options are mutually exclusive.
# @nats-io/jetstream 3.4.0, nats-server 2.15.2; seen 2026-12-01. Needs Go; takes a minute.
set -euo pipefail
folder=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || { kill "$server"; wait "$server"; } 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
GOBIN="$folder" go install github.com/nats-io/nats-server/v2@v2.15.2 >/dev/null 2>&1
npm install --silent --no-audit --no-fund @nats-io/transport-node@3.4.0 @nats-io/jetstream@3.4.0 >/dev/null
./nats-server --addr 127.0.0.1 --port 14571 --jetstream --store_dir "$folder/store" --log "$folder/log" &
server=$!
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/14571) 2>/dev/null && break; sleep 0.1; done
cat > fetch.mjs <<'JS'
import { connect } from '@nats-io/transport-node';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';

const client = await connect({ servers: '127.0.0.1:14571' });
const manager = await jetstreamManager(client);
await manager.streams.add({ name: 'stream', subjects: ['stream'] });
await manager.consumers.add('stream', { durable_name: 'consumer', ack_policy: 'explicit' });
for (let place = 0; place < 250; place += 1) await jetstream(client).publish('stream', 'text');
const consumer = await jetstream(client).consumers.get('stream', 'consumer');
let taken = 0;
let end = 'no error';
try {
  for await (const message of await consumer.fetch({ max_bytes: 1024 * 1024, expires: 2_000 })) {
    taken += 1;
    message.ack();
  }
} catch (error) {
  end = error.message;
}
console.log(`of 250 messages, a fetch of 1 MiB takes ${taken}, and ends with: ${end}`);
const refusal = await consumer.fetch({ max_bytes: 1024 * 1024, max_messages: 250 }).then(() => 'none', String);
console.log(`both limits: ${refusal}`);
await client.close();
process.exitCode = taken === 100 && end === 'batch completed' && refusal.includes('mutually exclusive') ? 0 : 1;
JS
node fetch.mjs
