#!/usr/bin/env bash
# Expected: a JetStream stream with a duplicate window of 0 stores messages with the same Nats-Msg-Id twice, as "0" of
# other limits means off.
# Seen: 0 becomes the default of two minutes, and the least window is 100 ms. Only a stream that has a source (which need
# not exist) keeps 0, and stores both.
# nats-server 2.15.2, @nats-io/jetstream 3.4.0; seen 2026-11-27. Needs Go; takes two minutes.
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
./nats-server --addr 127.0.0.1 --port 14552 --jetstream --store_dir "$folder/store" --log "$folder/log" &
server=$!
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/14552) 2>/dev/null && break; sleep 0.1; done
cat > write.mjs <<'JS'
import { connect, headers } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';

const client = await connect({ servers: '127.0.0.1:14552' });
const { streams } = await jetstreamManager(client);

async function storedOf(name, more) {
  try {
    const { config } = await streams.add({ name, subjects: [name], ...more });
    const head = headers();
    head.set('Nats-Msg-Id', 'one');
    for (const text of ['first', 'second']) await client.request(name, text, { headers: head });
    const { state } = await streams.info(name);
    return `window ${(config.duplicate_window ?? 0) / 1e6} ms, ${state.messages} stored`;
  } catch (error) {
    return error.message;
  }
}

console.log(await storedOf('zero', { duplicate_window: 0 }));
console.log(await storedOf('small', { duplicate_window: 99e6 }));
console.log(await storedOf('sourced', { duplicate_window: 0, sources: [{ name: 'none' }] }));
await client.close();
JS
seen=$(node write.mjs)
echo "$seen"
[ "$seen" = 'window 120000 ms, 1 stored
duplicates window needs to be >= 100ms
window 0 ms, 2 stored' ]
