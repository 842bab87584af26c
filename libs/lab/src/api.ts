import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

/** A client of the API server of one lab cluster, with the rights of cluster-admin. */
export interface Api extends Disposable {
  /**
   * Sends a request. Repeats the request after status 429. If the answer is a JSON object, returns the parsed object.
   * Otherwise, returns the text of the answer.
   * @throws ApiFault after any other status of 400 or above
   */
  call(verb: string, path: string, body?: object | Yaml, contentType?: string): Promise<unknown>;
  /** Creates an object. An existing object stays unchanged. */
  create(path: string, object: object | Yaml): Promise<void>;
}

/** The body of a request, in YAML. It is sent unchanged. */
export interface Yaml {
  readonly yaml: string;
}

/** The API server answered a request with a status of 400 or above. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';
  readonly status: number;

  constructor(verb: string, path: string, status: number, text: string) {
    super(`${verb} ${path}: status ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

const requestMs = 10_000;
/**
 * Pause before a retry, in milliseconds. After a CustomResourceDefinition is created, the server may answer 429 for a
 * while.
 */
const retryMs = 100;

/** @param kubeconfig path of a kubeconfig of the lab */
export async function openApi(kubeconfig: string, signal: AbortSignal = new AbortController().signal): Promise<Api> {
  const { clusters: [cluster], users: [user] } = JSON.parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig;
  const port = Number(new URL(cluster.cluster.server).port);
  const decoded = (data: string): Buffer => Buffer.from(data, 'base64');
  const agent = new Agent({
    ca: decoded(cluster.cluster['certificate-authority-data']),
    cert: decoded(user.user['client-certificate-data']),
    key: decoded(user.user['client-key-data']),
    keepAlive: true,
  });

  async function call(verb: string, path: string, body?: object | Yaml, contentType?: string): Promise<unknown> {
    const isYaml = body !== undefined && 'yaml' in body;
    const text = body === undefined ? undefined : isYaml ? (body as Yaml).yaml : JSON.stringify(body);
    const type = contentType ?? (isYaml ? 'application/yaml' : 'application/json');
    for (;;) {
      const { status, answer } = await exchange({ agent, port, verb, path, text, type, signal });
      if (status === 429) {
        await pause(retryMs, undefined, { signal });
        continue;
      }
      if (status >= 400) throw new ApiFault(verb, path, status, answer);
      return answer === '' || !answer.startsWith('{') ? answer : JSON.parse(answer);
    }
  }

  return {
    call,
    create: async (path, object) => {
      await call('POST', path, object).catch((error: unknown) => {
        if (!(error instanceof ApiFault) || error.status !== 409) throw error;
      });
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** The parts of a kubeconfig that {@link openApi} reads. */
interface Kubeconfig {
  readonly clusters: readonly [{
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
  }];
  readonly users: readonly [{
    readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string };
  }];
}

interface Exchange {
  readonly agent: Agent;
  readonly port: number;
  readonly verb: string;
  readonly path: string;
  readonly text: string | undefined;
  readonly type: string;
  readonly signal: AbortSignal;
}

function exchange(
  { agent, port, verb, path, text, type, signal }: Exchange,
): Promise<{ status: number; answer: string }> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(requestMs)]);
  return new Promise((resolve, reject) => {
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
    const sent = request(
      {
        agent, host: '127.0.0.1', port, method: verb, path, signal: bounded,
        headers: { accept: 'application/json', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode!, answer: Buffer.concat(chunks).toString() }));
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}
