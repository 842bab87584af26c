import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { exchange } from './load.ts';
import { until } from './until.ts';

/** A running nginx. */
export interface Nginx extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Debian installs nginx in a folder that is not in the PATH of ordinary users. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin` };

/**
 * @param server directives of its server block
 * @param http directives of its http block
 */
type StartNginx = (server: string, http?: string) => Promise<Nginx>;

/** Starts an nginx with these directives; undefined if nginx is not installed. */
export async function findNginx(): Promise<StartNginx | undefined> {
  return promisify(execFile)('nginx', ['-v'], { env }).then(() => startNginx, () => undefined);
}

/** Runs one worker without root. Everything that nginx writes is in a temporary folder. */
async function startNginx(server: string, http = ''): Promise<Nginx> {
  const [folder, port] = [await mkdtemp(join(tmpdir(), 'platform-nginx-')), await freePort()];
  const written = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
  await writeFile(join(folder, 'nginx.conf'), `
    daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr crit;
    events { worker_connections 1024; }
    http {
      access_log off; ${written} ${http}
      server {
        listen 127.0.0.1:${port};
        location = /nginx-ready { return 200; }
        ${server}
      }
    }`);
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf')];
  const child = spawn('nginx', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const isReady = () => exchange(new Agent(), { url: `${url}/nginx-ready` }).then(({ status }) => status === 200);
  await until(isReady, { within: 30_000, what: 'nginx answers' });
  return {
    url, pid: child.pid!,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
