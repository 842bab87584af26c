#!/usr/bin/env bash
# Expected: a process with two connections to NATS looks at each in turn, after one read of a socket (64 KiB, some
# hundred messages of 100 bytes), so a flood on one connection delays the other one by the time for these.
# Seen: many reads of the flooded connection come one after the other, before anything else in the process runs: libuv
# reads a readable socket up to 32 times in a row. Each callback of thousands of messages runs first.
# @nats-io/transport-node 3.4.0, nats-server 2.15.2, Node 20.20.2; seen 2026-11-29. Needs Go; takes a minute.
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
npm install --silent --no-audit --no-fund @nats-io/transport-node@3.4.0 >/dev/null
./nats-server --addr 127.0.0.1 --port 14561 --log "$folder/log" &
server=$!
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/14561) 2>/dev/null && break; sleep 0.1; done
cat > send.mjs <<'JS'
import { connect } from '@nats-io/transport-node';

const client = await connect({ servers: '127.0.0.1:14561' });
for (let sent = 0; sent < 60_000; sent += 1) client.publish('flood', 'x'.repeat(100));
await client.flush();
await client.close();
JS
cat > receive.mjs <<'JS'
import { spawn } from 'node:child_process';
import { connect } from '@nats-io/transport-node';

const client = await connect({ servers: '127.0.0.1:14561' });
let [all, inRow, most] = [0, 0, 0];
const turn = () => {
  most = Math.max(most, inRow);
  inRow = 0;
  if (all < 60_000) setImmediate(turn);
};
let over;
const done = new Promise((resolve) => { over = resolve; });
client.subscribe('flood', {
  callback: () => {
    all += 1;
    inRow += 1;
    // Some work for each message. The first one is long, so that others wait in the socket.
    for (const end = performance.now() + (all === 1 ? 500 : 0.05); performance.now() < end;);
    if (all === 60_000) setImmediate(over);
  },
});
await client.flush();
spawn(process.execPath, ['send.mjs'], { stdio: 'inherit' });
turn();
await done;
turn();
console.log(most);
await client.close();
JS
most=$(node receive.mjs)
printf 'most messages of one connection in a row: %s\n' "$most"
[ "$most" -gt 1500 ]
