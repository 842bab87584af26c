import { readExamples } from '@platform/proto/examples';
import { api, type ProofOptions, type ProofResult } from '@platform/testing';
import { deploymentFor, hosted } from '../examples/deployments.ts';
import { worldsFor } from '../examples/worlds.ts';
import { callersOf, callersOfDay, ofAll } from './callers.ts';
import { casesOf } from './cases.ts';
import { callers } from './refusal-for.ts';
import { tryOverGrpc, tryOverRest } from './try-callers.ts';

export const name = 'callers';
export const describe = 'Every method, over REST and gRPC, admits and refuses each kind of caller as its access rule says, '
  + 'tokens of every single scope among them.';
export const servers = true;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const { methods } = (await api()).surface;
  const examples = await readExamples();
  const counterexamples: string[] = [];
  let tried = 0;
  for (const [type, deployment, start] of worldsFor(methods)) {
    await using world = await start();
    await using who = await callersOf(world, deployment);
    const here = methods.filter((method) => deployment === hosted || deploymentFor(method) === deployment);
    for (const one of here.flatMap((method) => casesOf(method, examples))) {
      const kinds = share === 1 ? callers : callersOfDay(one, seed);
      const { http, hosts } = one.method;
      const wrong = http === undefined ? [] : await ofAll(kinds, (caller) => tryOverRest(who, one, caller));
      for (const host of hosts) wrong.push(...await ofAll(kinds, (caller) => tryOverGrpc(who, one, host, caller)));
      tried += kinds.length * ((http === undefined ? 0 : 1) + hosts.length);
      counterexamples.push(...wrong.map((what) => `${one.name} on ${type}: ${what}`));
    }
    report(`${type}: ${tried} tries, ${counterexamples.length} wrong`);
  }
  return {
    figure: `${tried} tries of callers, ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0, counterexamples: counterexamples.slice(0, 20),
  };
}
