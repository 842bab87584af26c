#!/usr/bin/env bash
# Expected: a publish into a JetStream stream whose disk is full is answered with an error, and works again once there
# is room.
# Seen: it gets no answer at all, and none after there is room again: the stream stays silent until the server is
# started again, while its information is still answered.
# nats-server 2.15.2, @nats-io/jetstream 3.4.0; seen 2026-11-27. Needs Linux, root (a tmpfs) and Go; takes two minutes.
set -euo pipefail
folder=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || { kill "$server"; wait "$server"; } 2>/dev/null || true
  umount "$folder/disk" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
GOBIN="$folder" go install github.com/nats-io/nats-server/v2@v2.15.2 >/dev/null 2>&1
npm install --silent --no-audit --no-fund @nats-io/transport-node@3.4.0 @nats-io/jetstream@3.4.0 >/dev/null
mkdir disk
mount -t tmpfs -o size=8m tmpfs disk
run() {
  ./nats-server --addr 127.0.0.1 --port 14551 --jetstream --store_dir "$folder/disk" --log "$folder/log" &
  server=$!
  for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/14551) 2>/dev/null && return; sleep 0.1; done
}
cat > write.mjs <<'JS'
import { connect } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';

const client = await connect({ servers: '127.0.0.1:14551' });
const { streams } = await jetstreamManager(client);
if (process.argv[2] === 'make') await streams.add({ name: 'S', subjects: ['s'] });
const size = Number(process.argv[3]);
const answer = await client.request('s', 'x'.repeat(size), { timeout: 2000 }).then((one) => one.string(), () => 'silent');
const { state } = await streams.info('S');
console.log(answer.startsWith('{"stream"') ? 'stored' : answer, `(${state.messages} messages)`);
await client.close();
JS
run
before=$(node write.mjs make 10)
dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null || true
full=$(node write.mjs write 100000)
rm disk/filler
room=$(node write.mjs write 10)
kill "$server"; wait "$server" 2>/dev/null || true
run
after=$(node write.mjs write 10)
printf 'before: %s\nfull: %s\nwith room again: %s\nafter a restart: %s\n' "$before" "$full" "$room" "$after"
[ "$before" = 'stored (1 messages)' ] && [ "$full" = 'silent (1 messages)' ] && [ "$room" = 'silent (1 messages)' ]
[ "$after" = 'stored (2 messages)' ]
