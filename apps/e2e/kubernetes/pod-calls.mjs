// `node pod-calls.mjs`: prints the address of the pod whose network it is in, and the pod's counts of calls.
import { networkInterfaces } from 'node:os';

const from = networkInterfaces().eth0.find(({ family }) => family === 'IPv4').address;
const text = await fetch('http://127.0.0.1:9090/metrics').then((answer) => answer.text(), () => '');
const lines = text.split('\n').filter((line) => line.startsWith('rpc_server_requests_total{'));
console.log(JSON.stringify({ from, lines }));
