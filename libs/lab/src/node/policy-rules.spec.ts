import { describe, expect, it } from '@jest/globals';
import { policyRules, type PolicyWorld } from './policy-rules.ts';

type Pod = PolicyWorld['pods'][number];
type Policy = PolicyWorld['policies'][number];

function pod(name: string, podIP: string, namespace = 'own'): Pod {
  return {
    metadata: { name, namespace, labels: { app: name } },
    spec: { containers: [{ ports: [{ name: 'http', containerPort: 8080 }] }] },
    status: { podIP, phase: 'Running' },
  };
}

const of = (app: string) => ({ podSelector: { matchLabels: { app } } });
const namespaces = ['own', 'other'].map((name) => ({ metadata: { name, labels: { name } } }));
const pods = [pod('web', '10.0.0.1'), pod('client', '10.0.0.2'), pod('client', '10.0.0.3', 'other')];

/** The rules of the one pod that policies select. */
function rulesOf(spec: Policy['spec']): string[] {
  const text = policyRules({ pods, namespaces, policies: [{ metadata: { namespace: 'own' }, spec }] });
  return [...text.matchAll(/^-A LAB-(?:INGRESS|EGRESS)-\d+ (.*)$/gm)].map(([, rule]) => rule!);
}

describe('policyRules', () => {
  it('leaves pods alone that no policy selects', () => {
    const policies = [{ metadata: { namespace: 'other' }, spec: { ...of('web'), policyTypes: ['Ingress'] } }];
    expect(policyRules({ pods, namespaces, policies })).not.toContain('REJECT');
  });

  it('refuses what is not permitted, in the directions of the policy', () => {
    const policies = [{ metadata: { namespace: 'own' }, spec: { ...of('web'), policyTypes: ['Ingress'] } }];
    const text = policyRules({ pods, namespaces, policies });
    expect(text).toContain('-A LAB-POLICIES -d 10.0.0.1 -j LAB-INGRESS-0\n-A LAB-INGRESS-0 -j REJECT');
    expect(text).not.toContain('LAB-EGRESS');
  });

  it('permits peers of the same namespace, or of those selected, at a named port of the pod that is called', () => {
    const ports = [{ port: 'http' }];
    expect(rulesOf({ ...of('web'), policyTypes: ['Ingress'], ingress: [{ from: [of('client')], ports }] }))
      .toEqual(['-s 10.0.0.2 -p tcp --dport 8080 -j RETURN', '-j REJECT']);
    const from = [{ namespaceSelector: { matchExpressions: [{ key: 'name', operator: 'In', values: ['other'] }] } }];
    expect(rulesOf({ ...of('web'), policyTypes: ['Ingress'], ingress: [{ from }] }))
      .toEqual(['-s 10.0.0.3 -j RETURN', '-j REJECT']);
    expect(rulesOf({ ...of('client'), policyTypes: ['Egress'], egress: [{ to: [of('web')], ports }] }))
      .toEqual(['-d 10.0.0.1 -p tcp --dport 8080 -j RETURN', '-j REJECT']);
  });

  it('permits blocks without their exceptions, and everybody where no peer is named', () => {
    const to = [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/9'] } }, { ipBlock: { cidr: '::/0' } }];
    const ports = [{ port: 53, protocol: 'UDP' }];
    expect(rulesOf({ ...of('web'), policyTypes: ['Egress'], egress: [{ to }, { ports }] }))
      .toEqual(['-d 10.128.0.0/9 -j RETURN', '-d 0.0.0.0/0 -p udp --dport 53 -j RETURN', '-j REJECT']);
  });
});
