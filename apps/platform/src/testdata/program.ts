// A small service for the specs of the launcher. BEHAVIOUR is `serve`, `silent`, `stubborn` or `fail`.
import { createServer } from 'node:net';

const behaviour = process.env['BEHAVIOUR'] ?? 'serve';

if (behaviour === 'fail') {
  console.error('the schema is from the future');
  process.exit(3);
}
if (behaviour === 'stubborn') process.on('SIGTERM', () => undefined);
else process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));

const server = createServer((socket) => socket.end('here\n'));
server.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  console.log(`listening on ${port}`);
  if (behaviour !== 'silent') process.send?.({ ready: { grpc: `127.0.0.1:${port}` } });
});
