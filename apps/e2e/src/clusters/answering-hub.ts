import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Api, ApiFault, openApi } from '@platform/lab';
import { testLab } from '@platform/testing';

/** An answer in place of the hub's own. */
export interface CannedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server with the certificate of the hub. It forwards requests to the hub unless a spec answers them. */
export interface AnsweringHub extends AsyncDisposable {
  /** `host:port`. */
  readonly address: string;
  /** Undefined to forward a request to the hub. */
  answer: ((method: string, path: string) => Promise<CannedAnswer | undefined> | CannedAnswer | undefined) | undefined;
}

export async function answeringHub(): Promise<AnsweringHub> {
  const { hub } = await testLab();
  const folder = dirname(hub.kubeconfig);
  const [cert, key] = await Promise.all(['api.crt', 'api.key'].map((name) => readFile(join(folder, name))));
  const api = await openApi(hub.kubeconfig);
  const answering: Pick<AnsweringHub, 'answer'> = { answer: undefined };
  const server = createServer({ cert: cert!, key: key! }, (request, response) => {
    const { method = 'GET', url = '/' } = request;
    void (async () => {
      const sent = await text(request);
      const { status, headers = {}, body = '' } = await answering.answer?.(method, url)
        ?? await ofHub(api, method, url, sent, request.headers['content-type']);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(answering, {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      api[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function ofHub(api: Api, method: string, path: string, sent: string, type?: string): Promise<CannedAnswer> {
  try {
    const body = sent === '' ? undefined : { yaml: sent };
    return { status: 200, body: JSON.stringify(await api.call(method, path, body, type)) };
  } catch (error) {
    return { status: error instanceof ApiFault ? error.status : 500 };
  }
}
