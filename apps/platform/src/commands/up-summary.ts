import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../home.ts';
import { columns } from '../output.ts';
import type { RunFile } from '../run-file.ts';
import type { LauncherSettings } from '../settings.ts';

/** The first page of the documents, which `npm run docs` builds and the gateway serves. */
const builtDocs = join(projectRoot, 'apps/site/dist/index.html');

export function summary(run: RunFile, settings: LauncherSettings, seconds: number): string[] {
  const api = `${run.baseUrl}/api/v1`;
  // A random name, so that the example calls work again after the next start.
  const name = `acme-${randomBytes(3).toString('hex')}`;
  const curl = run.tls === undefined ? 'curl' : `curl --cacert '${run.tls.ca}'`;
  const token = `-H 'Authorization: token ${run.admin.token}'`;
  const rows = [
    ['first page', run.baseUrl],
    ['REST', api],
    ['API', `${run.baseUrl}/api/swagger`],
    ...(existsSync(builtDocs) ? [['documents', `${run.baseUrl}/docs/`]] : []),
    ...(run.listenerUrl === undefined ? [] : [['marketplaces', `${run.listenerUrl}/marketplace/api/v1`]]),
    ...Object.entries(run.grpc).map(([service, address]) => [`gRPC ${service}`, address]),
    ['PostgreSQL', withoutCredentials(run.postgres)],
    ['NATS', withoutCredentials(run.nats)],
    ['OpenFGA', run.openfga.url],
  ];
  return [
    '',
    `The platform runs (started in ${seconds.toFixed(1)} s).`,
    '',
    ...columns(rows).map((line) => `  ${line}`),
    '',
    ...(run.signInLink === undefined ? [] : ['  Open this once, to sign in with a browser:', `  ${run.signInLink}`, '']),
    `  Administrator ${run.admin.username}, token ${run.admin.token}`,
    '',
    'Calls to paste:',
    '',
    `  ${curl} ${api}/version`,
    `  ${curl} -X POST ${token} -H 'Content-Type: application/json' -d '{"username":"${name}"}' ${api}/orgs`,
    `  ${curl} ${token} ${api}/orgs/${name}`,
    '',
    `This is deployment type ${settings.deploymentType} in run mode ${settings.runMode}, on one machine: `
      + 'for trials and development, not for production.',
    `State, logs and secrets: ${settings.home}. Ctrl-C stops everything.`,
    '',
  ];
}

function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  url.username = '';
  url.password = '';
  return url.href;
}
