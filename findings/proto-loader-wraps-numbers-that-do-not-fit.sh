#!/usr/bin/env bash
# Expected: a client made by @grpc/proto-loader refuses a number that its field cannot hold, as other languages do.
# Seen: an int64 given as a text beyond 2^63-1 arrives negative, a uint32 beyond 2^32-1 loses its upper bits, and text behind
# the digits is left out. Nothing is raised.
# @grpc/proto-loader 0.8.1 with protobufjs 7.6.6; seen 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @grpc/proto-loader@0.8.1 protobufjs@7.6.6 >/dev/null
cat > shop.proto <<'PROTO'
syntax = "proto3";
package example;
message Order { int64 amount = 1; uint32 count = 2; }
service Shop { rpc Buy(Order) returns (Order); }
PROTO
cat > buy.mjs <<'JS'
import { loadSync } from '@grpc/proto-loader';

const { 'example.Shop': { Buy } } = loadSync('shop.proto', { longs: String });
for (const order of [{ amount: '9223372036854775808' }, { count: 4294967297 }, { amount: '12 boxes' }]) {
  console.log(JSON.stringify(order), 'arrives as', JSON.stringify(Buy.requestDeserialize(Buy.requestSerialize(order))));
}
JS
seen=$(node buy.mjs)
echo "$seen"
[ "$seen" = '{"amount":"9223372036854775808"} arrives as {"amount":"-9223372036854775808"}
{"count":4294967297} arrives as {"count":1}
{"amount":"12 boxes"} arrives as {"amount":"12"}' ]
