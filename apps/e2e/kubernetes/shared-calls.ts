import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Api, LabNode } from '@platform/lab';
import { repositoryRoot, until } from '@platform/testing';
import { inEachPod } from './in-pods.ts';
import { component, type Pod, type Release } from './release.ts';

/** The method that the client of another team calls. The gateway does not call it while the proof runs. */
const ofOthers = 'controlplane.authz.v1.AuthorizationService.ListAvailablePermissions';
/** Ten calls at a time with this pause: 20 calls per second, which no limit of a token refuses. */
const pauseMs = 500;
/** Connections of other teams end after two minutes. */
const foundMs = 4 * 60_000;

/** Calls that each pod of a service has answered, by the pod's name. */
export type CallsByPod = ReadonlyMap<string, number>;

/** @param who whose calls: those of services, or those of the client of another team */
export async function callsByPod(
  node: LabNode, release: Release, service: string, who: 'services' | 'others',
): Promise<CallsByPod> {
  const own = (await release.pods()).filter((pod) => component(pod) === service);
  const pods = new Map(own.map((pod) => [pod.status.podIP, pod]));
  const printed = await inEachPod<{ readonly from: string; readonly lines: readonly string[] }>(node, 'pod-calls.mjs');
  return new Map(printed.flatMap(({ from, lines }) => {
    const pod = pods.get(from);
    if (pod === undefined) return [];
    const counted = lines.filter((line) => line.includes(ofOthers) === (who === 'others'));
    return [[pod.metadata.name, counted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)]];
  }));
}

/** Waits until each of `pods` pods has answered at least `least` calls since `before`. Returns the numbers of calls. */
export function allAnswer(
  count: () => Promise<CallsByPod>, pods: number, least: number, before: CallsByPod = new Map(),
): Promise<CallsByPod> {
  return until(async () => {
    const since = [...await count()].map(([name, calls]) => [name, calls - (before.get(name) ?? 0)] as const);
    return since.length === pods && since.every(([, calls]) => calls >= least) && new Map(since);
  }, { within: foundMs, every: 5_000, what: `${pods} pods answer ${least} calls each` });
}

/** Pods that answered less than half of their share. */
export function unlikeShares(calls: CallsByPod): readonly string[] {
  const share = [...calls.values()].reduce((sum, one) => sum + one, 0) / calls.size;
  return [...calls].filter(([, one]) => one < share / 2)
    .map(([name, one]) => `${name} answered ${one} calls of a share of ${share.toFixed(0)}`);
}

/** A client of another team in a pod of its own, until it is disposed. */
export interface OtherTeam extends AsyncDisposable {
  /** The lines that it has printed so far for failed calls. */
  errors(): Promise<readonly string[]>;
}

/**
 * @param target address of authz
 * @param org name of an organization that the token may read
 * @param pod specification of an idle pod with an image of the platform
 */
export async function startOtherTeam(
  api: Api, namespace: string, { target, token, org }: Readonly<Record<'target' | 'token' | 'org', string>>,
  pod: { readonly containers: readonly [object] },
): Promise<OtherTeam> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const script = await readFile(join(repositoryRoot, 'libs/rpc/src/fixtures/other-team.mjs'), 'utf8');
  const method = `/${ofOthers.replace(/\.(?=\w+$)/, '/')}`;
  const request = Buffer.from([0x0a, org.length, ...Buffer.from(org)]).toString('base64');
  const args = [target, method, String(pauseMs), token, request];
  const command = ['node', '--input-type=module', '--eval', script, '--', ...args];
  const [container] = pod.containers;
  await api.create(path, {
    metadata: { name: 'other-team' },
    spec: { ...pod, containers: [{ ...container, command, workingDir: '/app', stdin: true }] },
  });
  await until(async () => (await api.call('GET', `${path}/other-team`) as Pod).status.phase === 'Running', {
    within: 60_000, what: 'the client of another team runs',
  });
  return {
    errors: async () => {
      const said = String(await api.call('GET', `${path}/other-team/log`));
      return said.split('\n').filter((line) => line !== '' && !line.startsWith('answer '));
    },
    [Symbol.asyncDispose]: async () => void await api.call('DELETE', `${path}/other-team`, { gracePeriodSeconds: 1 }),
  };
}
