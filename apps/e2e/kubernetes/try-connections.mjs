// `node try-connections.mjs TARGETS`: tries TCP connections from its own network and prints which were accepted.
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

const targets = JSON.parse(process.argv[2]);
const withinMs = 3_000;
const from = networkInterfaces().eth0.find(({ family }) => family === 'IPv4').address;
const results = await Promise.all(targets.map(async ({ to, port }) => {
  const socket = connect({ host: to, port });
  const connected = await new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.setTimeout(withinMs, () => resolve(false));
  });
  socket.destroy();
  return { to, port, connected };
}));
console.log(JSON.stringify({ from, results }));
