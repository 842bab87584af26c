#!/usr/bin/env bash
# Expected: a server of @grpc/grpc-js that stops in order (tryShutdown) lets the calls that are under way end. A client with
# keepalive gets its answer like one without.
# Seen: after the server's GOAWAY Node sends no more pings, and the client takes that for a lost connection: its next
# keepalive ends the call with UNAVAILABLE, although the server is there and answers.
# @grpc/grpc-js 1.14.7; seen 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @grpc/grpc-js@1.14.7 >/dev/null
cat > stop.mjs <<'JS'
import grpc from '@grpc/grpc-js';

const slow = {
  path: '/example.Clock/Slow', requestStream: false, responseStream: false,
  requestSerialize: Buffer.from, requestDeserialize: String, responseSerialize: Buffer.from, responseDeserialize: String,
};
const server = new grpc.Server();
server.addService({ slow }, { slow: (_call, answer) => setTimeout(() => answer(null, 'answered'), 4_000) });
const port = await new Promise((resolve) => {
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_error, bound) => resolve(bound));
});

function call(options) {
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), options);
  return new Promise((resolve) => {
    client.makeUnaryRequest(slow.path, slow.requestSerialize, slow.responseDeserialize, 'now', (error, value) => {
      client.close();
      resolve(error === null ? value : grpc.status[error.code]);
    });
  });
}

const answers = [call({}), call({ 'grpc.keepalive_time_ms': 1_500, 'grpc.keepalive_timeout_ms': 1_500 })];
setTimeout(() => server.tryShutdown(() => {}), 500);
const [without, withKeepalive] = await Promise.all(answers);
console.log(`without keepalive: ${without}, with keepalive: ${withKeepalive}`);
JS
seen=$(node stop.mjs)
echo "$seen"
[ "$seen" = 'without keepalive: answered, with keepalive: UNAVAILABLE' ]
