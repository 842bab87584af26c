import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Database, sql } from '@platform/postgres';
import { type ServiceSettings, until } from '@platform/testing';
import { openAuthority } from '@platform/tls';

/** A request that the receiver got. */
export interface Received { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }

/** The body of a delivery. */
export interface CloudEvent extends Readonly<Record<'id' | 'type' | 'subject' | 'source', string>> {
  readonly data: Readonly<Record<string, unknown>>;
}

/** A receiver of webhooks over https on loopback. */
export interface WebhookReceiver extends AsyncDisposable {
  /** `https://127.0.0.1:1234` */
  readonly address: string;
  /** With these settings a platform may reach the receiver, and trusts it. */
  readonly settings: ServiceSettings;
  /** How to answer, by path; 204 at other paths. */
  readonly answers: Map<string, (response: ServerResponse) => void>;
  /** The requests to a path. */
  at(path: string): Received[];
  /** Waits for events at a path. @returns all events at the path */
  came(path: string, count: number): Promise<CloudEvent[]>;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const answers: WebhookReceiver['answers'] = new Map();
  const received: Received[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
  const authority = await openAuthority(folder);
  const files = await authority.issue({ role: 'service', name: 'gateway', hosts: ['127.0.0.1'] });
  const paths = [files.certificate, files.key, files.ca];
  const [cert, key, ca] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const server = createServer({ cert: cert!, key: key! }, (request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url!, headers: request.headers, body });
      const answer = answers.get(request.url!);
      if (answer === undefined) response.writeHead(204).end();
      else answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = (path: string) => received.filter((one) => one.path === path);
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: { 'webhooks.allowedCIDRs': '127.0.0.1/32', 'webhooks.ca': ca! },
    answers, at,
    came: async (path, count) => {
      await until(() => at(path).length >= count, { what: `${count} events at ${path}`, within: 30_000 });
      return at(path).map(eventOf);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const eventOf = ({ body }: Received) => JSON.parse(body) as CloudEvent;

/** Makes all waiting deliveries due now. */
export async function dueNow(database: Database): Promise<void> {
  await database.execute(sql`update webhook_delivery set next_at = now() where state = 'waiting'`);
  await database.execute(sql`update webhook set busy_until = null where failures > 0`);
  await database.execute(sql`
    update _private_jobs job set run_at = now() from _private_tasks task
     where task.id = job.task_id and task.identifier = 'send-webhook' and job.locked_at is null`);
}
