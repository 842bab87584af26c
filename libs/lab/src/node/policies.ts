import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '../api.ts';
import { policyChain, type PolicyWorld, policyRules } from './policy-rules.ts';

/** Pause between two reads of all pods, namespaces and policies, in milliseconds. */
const everyMs = 1_000;
/** Rules that send connections through the policies first, before a rule of kube-proxy can accept the connections. */
const jumps = ['FORWARD', 'INPUT'].map((chain) => `-I ${chain} -j ${policyChain}\n`).join('');

/**
 * Makes the kernel of a node refuse connections that NetworkPolicies do not permit. A change of pods, namespaces or
 * policies usually takes effect within two seconds. Existing connections stay open. Returns when the signal aborts.
 * @param restore applies rules on the node; the rules have the format of `iptables-restore --noflush`
 */
export async function enforcePolicies(
  api: Api, restore: (rules: string) => Promise<void>, signal: AbortSignal,
): Promise<void> {
  const list = async (path: string): Promise<never[]> => (await api.call('GET', path) as { items: never[] }).items;
  let before = '';
  while (!signal.aborted) {
    try {
      const [pods, namespaces, policies] = await Promise.all([
        list('/api/v1/pods'), list('/api/v1/namespaces'), list('/apis/networking.k8s.io/v1/networkpolicies'),
      ]);
      const world: PolicyWorld = { pods: pods!, namespaces: namespaces!, policies: policies! };
      const rules = policyRules(world);
      const digest = createHash('sha256').update(rules).digest('hex');
      if (digest !== before) await restore(before === '' ? rules.replace('COMMIT', `${jumps}COMMIT`) : rules);
      before = digest;
    } catch {
      // Usually, the API server or the node did not answer, or the lab stops. The next round tries again.
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
