import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentName, type Service, services, type SettingKey } from '@platform/service';
import { repositoryRoot } from '@platform/testing';
import { type ChartRow, chartRows } from './chart-rows.ts';

const images = join(repositoryRoot, 'deploy/images/Dockerfile');
const compose = join(repositoryRoot, 'deploy/compose/compose.yaml');
const prometheus = join(repositoryRoot, 'deploy/observability/prometheus.yml');

/** The service that prints documents. Its image has fonts. */
const printing = 'billing-dashboard';

/**
 * The Dockerfile, the file of Docker Compose and the example for Prometheus, by path. Their parts between `# services:
 * begin …` and `# services: end` are generated from the table of services; the rest is written by hand.
 */
export async function deploymentFiles(version: string): Promise<ReadonlyMap<string, string>> {
  const rows = await chartRows();
  const parts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [images, { stages: services.map((service, index) => stageOf(service, rows[index]!)).join('\n') }],
    [compose, {
      addresses: rows.map(addressOf).join(''),
      containers: rows.map((row) => containerOf(row, rows, version)).join('\n'),
      volumes: rows.filter(({ files }) => files).map(({ name }) => `  ${name}: {}\n`).join(''),
    }],
    [prometheus, { targets: services.map(targetOf).join('') }],
  ];
  return new Map(await Promise.all(parts.map(async ([path, made]) =>
    [path, Object.entries(made).reduce(replacePart, await readFile(path, 'utf8'))] as const)));
}

/** Replaces the lines between the two marks of a part. */
function replacePart(text: string, [part, lines]: readonly [string, string]): string {
  const marks = new RegExp(`^( *# services: begin ${part}\\b.*\\n)[^]*?^( *# services: end\\n)`, 'm');
  if (!marks.test(text)) throw new Error(`there are no marks of the part ${part}`);
  return text.replace(marks, (_, begin: string, end: string) => begin + lines + end);
}

function stageOf({ name, http, passes, description }: Service, row: ChartRow): string {
  const environment = http ? 'PLATFORM_HTTP_HOST=0.0.0.0 PLATFORM_HTTP_PORT=8080'
    : passes && listenOf(passes.listen as SettingKey, row.passes!.port);
  const port = http ? 8080 : row.passes?.port;
  return [
    `FROM ${http ? 'common' : 'service'} AS ${name}`,
    ...(name === printing ? ['COPY --from=packages /trees/fonts /'] : []),
    `COPY --from=sources /trees/${name} /`,
    ...(environment === undefined ? [] : [`ENV ${environment}`, `EXPOSE ${port}`]),
    `LABEL org.opencontainers.image.title=${name} \\`,
    `      org.opencontainers.image.description="${description}"`,
    `ENTRYPOINT ["node", "apps/${name}/src/main.ts"]`,
    '',
  ].join('\n');
}

/**
 * The variables that make a service listen on every interface; one contains an address, the others a port used with
 * `http.host`.
 */
function listenOf(setting: SettingKey, port: number): string {
  const name = environmentName(setting);
  return setting.endsWith('.port') ? `PLATFORM_HTTP_HOST=0.0.0.0 ${name}=${port}` : `${name}=0.0.0.0:${port}`;
}

const addressOf = ({ name, address }: ChartRow): string =>
  address === undefined ? '' : `  ${address}: ${name}:8081\n`;

function containerOf({ name, http, files }: ChartRow, rows: readonly ChartRow[], version: string): string {
  const passed = rows.flatMap((row) =>
    row.passes === undefined ? [] : [`      ${row.passes.address}: ${row.name}:${row.passes.port}`]);
  const state = files ? `, '${name}:/var/lib/platform'` : '';
  return [
    `  ${name}:`,
    '    <<: *service',
    `    image: \${PLATFORM_IMAGES:-platform}/${name}:\${PLATFORM_VERSION:-${version}}`,
    ...(http ? ['    environment:', '      <<: *settings', ...passed] : []),
    ...(http ? ["    ports: ['${PLATFORM_LISTEN:-127.0.0.1:8080}:8080']"] : []),
    `    volumes: ['./prepared/${name}:/run/platform:ro'${state}]`,
    '',
  ].join('\n');
}

const targetOf = ({ name }: Service): string =>
  `      - targets: ['${name}:9090']\n        labels: { service: ${name} }\n`;
