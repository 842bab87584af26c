import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { type ChartValues, helmScript, manifests } from './installer.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'platform-installer-'));
afterAll(() => rm(folder, { recursive: true }));

const hostile = [
  `it's`, '"quoted"', '$(touch owned)', '`touch owned`', '$HOME', 'a\nVALUES\ntouch owned\n', '\\', `'; touch owned; '`, '# no',
  '{{ .Values.x }}', '- item', 'key: value', '&anchor', '*alias', '!!js/function x', '\u2028', '%', ' space ', 'true', '1e3', '~',
];
const online = (text: string): ChartValues => ({ platform: { baseURL: `https://example.org/${text}`, token: text } });
const usual = { chart: 'oci://charts.example.org/products/license-proxyserver', namespace: 'kubeops' };

/** Runs a script with a fake `helm` that records its arguments and its input; returns both. */
async function asHelmSeesIt(script: string): Promise<{ args: string[]; values: unknown }> {
  const helm = '#!/bin/sh\nfor word in "$@"; do printf "%s\\0" "$word"; done >args\ncat >values\n';
  await writeFile(join(folder, 'helm'), helm);
  await chmod(join(folder, 'helm'), 0o755);
  await writeFile(join(folder, 'install.sh'), script);
  await run('sh', ['install.sh'], { cwd: folder, env: { PATH: `${folder}:${process.env['PATH']}` } });
  const args = (await readFile(join(folder, 'args'), 'utf8')).split('\0').slice(0, -1);
  return { args, values: parse(await readFile(join(folder, 'values'), 'utf8')) };
}

describe('the shell script', () => {
  it('installs the chart with the values, and keeps them out of its arguments', async () => {
    const { args, values } = await asHelmSeesIt(helmScript(online('t0ken'), usual));
    expect(args).toEqual([
      'upgrade', '--install', 'license-proxyserver', usual.chart, '--namespace', 'kubeops', '--create-namespace',
      '--values', '-',
    ]);
    expect(values).toEqual(online('t0ken'));
  });

  it.each(hostile)('holds any text as it is: %j', async (text) => {
    const { args, values } = await asHelmSeesIt(helmScript(online(text), { chart: text, namespace: text }));
    expect(values).toEqual(online(text));
    expect([args[3], args[5]]).toEqual([text, text]);
    expect(await readdir(folder)).not.toContain('owned');
  });

  it('is one that bash and ShellCheck accept', async () => {
    const [plain, ...others] = await Promise.all(['plain', ...hostile].map(async (text, index) => {
      const file = join(folder, `${index}.sh`);
      await writeFile(file, helmScript(online(text), { chart: text, namespace: text }));
      await run('bash', ['-n', file]);
      return file;
    }));
    if (await isMissing('shellcheck')) return console.log('ShellCheck is not installed: scripts were checked by bash alone');
    await run('shellcheck', ['--severity=style', plain!]);
    // SC2016 and SC1003 ask whether the quotes are intended; they are.
    await run('shellcheck', ['--severity=style', '--exclude=SC2016,SC1003', ...others]);
  });
});

describe('the manifests', () => {
  const read = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Record<string, unknown>);

  it('are a namespace, a secret with the values, and a release that reads them', () => {
    const encodedLicenses = { 'platform-enterprise-license-1b671a64-40d5-491e-99b0-da01ff1f3341': 'LS0tLS1C' };
    const [namespace, secret, repository, release, ...others] = read(manifests({ encodedLicenses }, usual));
    expect(namespace).toEqual({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kubeops' } });
    expect(secret).toMatchObject({ kind: 'Secret', metadata: { namespace: 'kubeops' }, type: 'Opaque' });
    const { stringData, metadata } = secret as { stringData: Record<string, string>; metadata: { name: string } };
    expect(parse(stringData['values.yaml']!)).toEqual({ encodedLicenses });
    expect(repository).toMatchObject({ kind: 'HelmRepository', spec: { type: 'oci', url: 'oci://charts.example.org/products' } });
    expect(release).toMatchObject({
      kind: 'HelmRelease',
      spec: {
        chart: { spec: { chart: 'license-proxyserver', sourceRef: { name: (repository!['metadata'] as { name: string }).name } } },
        valuesFrom: [{ kind: 'Secret', name: metadata.name }],
      },
    });
    expect(others).toEqual([]);
  });

  it.each([
    ['license-proxyserver', 'license-proxyserver', 'license-proxyserver'],
    ['products/proxy', 'proxy', 'products'],
  ])('take the chart %s from a repository that is known', (chart, name, repository) => {
    const documents = read(manifests(online('x'), { ...usual, chart }));
    expect(documents.map(({ kind }) => kind)).toEqual(['Namespace', 'Secret', 'HelmRelease']);
    expect(documents[2]).toMatchObject({ spec: { chart: { spec: { chart: name, sourceRef: { name: repository } } } } });
  });

  it.each(hostile)('hold any text as it is: %j', (text) => {
    const [namespace, secret] = read(manifests(online(text), { chart: 'c', namespace: text }));
    expect(namespace!['metadata']).toEqual({ name: text });
    expect(parse((secret!['stringData'] as Record<string, string>)['values.yaml']!)).toEqual(online(text));
  });
});

async function isMissing(program: string): Promise<boolean> {
  return run(program, ['--version']).then(() => false, () => true);
}
