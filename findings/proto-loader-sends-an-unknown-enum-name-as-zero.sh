#!/usr/bin/env bash
# Expected: a client made by @grpc/proto-loader refuses the name of an enum value that does not exist, as protojson and
# generated clients do: {plan: 'paid'} where the value is PAID is an error.
# Seen: the name is dropped in silence, and the server gets the first value of the enum.
# @grpc/proto-loader 0.8.1 with protobufjs 7.6.6; seen 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @grpc/proto-loader@0.8.1 protobufjs@7.6.6 >/dev/null
cat > shop.proto <<'PROTO'
syntax = "proto3";
package example;
enum Plan { FREE = 0; PAID = 1; }
message Order { Plan plan = 1; }
service Shop { rpc Buy(Order) returns (Order); }
PROTO
cat > buy.mjs <<'JS'
import { loadSync } from '@grpc/proto-loader';

const { 'example.Shop': { Buy } } = loadSync('shop.proto', { enums: String, defaults: true });
for (const plan of ['PAID', 'paid']) console.log(plan, 'arrives as', Buy.requestDeserialize(Buy.requestSerialize({ plan })).plan);
JS
seen=$(node buy.mjs)
echo "$seen"
[ "$seen" = 'PAID arrives as PAID
paid arrives as FREE' ]
