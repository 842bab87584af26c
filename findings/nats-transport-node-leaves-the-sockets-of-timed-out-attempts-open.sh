#!/usr/bin/env bash
# Expected: connect() of @nats-io/transport-node that rejects after its timeout, with reconnect off, leaves nothing
# behind: a program that tries again and again has at most one connection to the server.
# Seen: where a server accepts connections but sends no INFO, each attempt rejects with "timeout", and its socket stays
# open as long as the server leaves it open: one more for each attempt.
# @nats-io/transport-node 3.4.0; seen 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @nats-io/transport-node@3.4.0 >/dev/null
cat > silent.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';

const open = new Set();
const server = createServer((socket) => {
  open.add(socket);
  socket.on('error', () => {}).on('close', () => open.delete(socket)).resume();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const servers = `127.0.0.1:${server.address().port}`;
const ends = new Set();
for (let attempt = 0; attempt < 10; attempt += 1) {
  await connect({ servers, timeout: 200, reconnect: false }).catch((error) => ends.add(error.message));
}
await pause(2_000);
console.log(`10 attempts ended with ${[...ends].join(', ')}; ${open.size} sockets are open 2 s later`);
process.exit();
JS
seen=$(node silent.mjs)
echo "$seen"
[ "$seen" = '10 attempts ended with timeout; 10 sockets are open 2 s later' ]
