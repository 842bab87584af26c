#!/usr/bin/env bash
# Expected: a unary call whose request is decoded to an empty text (or to 0 or false) reaches its handler, as every other
# value does: a codec may decode to what it likes.
# Seen: the server takes a request that is decoded to something falsy for none at all, and answers UNIMPLEMENTED. An empty
# Buffer or object, which are truthy, arrive.
# @grpc/grpc-js 1.14.7; seen 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @grpc/grpc-js@1.14.7 >/dev/null
cat > call.mjs <<'JS'
import grpc from '@grpc/grpc-js';

const asText = (path, requestDeserialize) => ({
  path, requestStream: false, responseStream: false,
  requestSerialize: Buffer.from, requestDeserialize, responseSerialize: Buffer.from, responseDeserialize: String,
});
const methods = { text: asText('/example.Echo/Text', String), bytes: asText('/example.Echo/Bytes', (bytes) => bytes) };
const answer = (_call, done) => done(null, 'answered');
const server = new grpc.Server();
server.addService(methods, { text: answer, bytes: answer });
const port = await new Promise((resolve) => {
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_error, bound) => resolve(bound));
});
const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
const call = ({ path, requestSerialize, responseDeserialize }, request) => new Promise((resolve) => {
  client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, value) => {
    resolve(error === null ? value : grpc.status[error.code]);
  });
});
console.log('text "a":', await call(methods.text, 'a'));
console.log('text "":', await call(methods.text, ''));
console.log('no bytes:', await call(methods.bytes, ''));
client.close();
server.forceShutdown();
JS
seen=$(node call.mjs)
echo "$seen"
[ "$seen" = 'text "a": answered
text "": UNIMPLEMENTED
no bytes: answered' ]
