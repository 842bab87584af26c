import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openApi, startLab } from '@platform/lab';
import type { ProofOptions, ProofResult } from '@platform/testing';
import { agentChart, chart } from '../src/charts/chart-files.ts';
import { scaledByHand } from '../src/charts/hand-scaled.ts';
import { openHelm } from '../src/charts/helm.ts';

export const name = 'helm';
export const describe = 'Helm 3.19 and Helm 4 render the same objects, and install, upgrade and roll back a release, also after '
  + 'somebody scaled Deployments by hand, and after the other one installed.';

const commandMs = 3 * 60_000;

export async function prove({ report }: ProofOptions): Promise<ProofResult> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-helm-'));
  try {
    const [three, four] = [await openHelm(chart, folder, commandMs, 3), await openHelm(chart, folder, commandMs, 4)];
    const wrong = [...await renderedUnlike(folder, chart), ...await renderedUnlike(folder, agentChart)];
    await using lab = await startLab({ home: join(folder, 'lab'), spokes: 0, environment: process.env, report });
    const { kubeconfig } = lab.hub;
    using api = await openApi(kubeconfig);
    const stories = [
      ['Helm 3', three, three], ['Helm 4', four, four],
      ['Helm 4 after Helm 3', three, four], ['Helm 3 after Helm 4', four, three],
    ] as const;
    for (const [title, installing, helm] of stories) {
      const namespace = title.toLowerCase().replaceAll(' ', '-');
      const found = await scaledByHand({ api, kubeconfig, helm }, namespace, installing);
      report(`${title}: ${found.length} wrong`);
      wrong.push(...found.map((one) => `${title}: ${one}`));
    }
    return { figure: `${stories.length} releases, ${wrong.length} wrong`, holds: wrong.length === 0, counterexamples: wrong };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The examples of a chart that the two versions render to different objects. */
async function renderedUnlike(folder: string, path: string): Promise<readonly string[]> {
  const [three, four] = [await openHelm(path, folder, commandMs, 3), await openHelm(path, folder, commandMs, 4)];
  const wrong: string[] = [];
  for (const example of await readdir(join(path, 'examples'))) {
    const values = [join(path, 'examples', example)];
    await three.lint(values);
    if (!isDeepStrictEqual(await three.template(values), await four.template(values))) wrong.push(`${example} is rendered in two ways`);
  }
  return wrong;
}
