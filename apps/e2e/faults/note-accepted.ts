// Loaded into a process before its own code (`--import`): records every connection that the process accepts.
import { subscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';

const file = openSync(process.env['ACCEPTED_CONNECTIONS']!, 'a');
subscribe('net.server.socket', (message) => {
  const { localPort, remotePort } = (message as { readonly socket: Socket }).socket;
  writeSync(file, `${localPort} ${remotePort} ${process.hrtime.bigint()}\n`);
});
