/** The objects that decide which connections are permitted, as the API server lists them. */
export interface PolicyWorld {
  readonly pods: readonly Pod[];
  readonly namespaces: readonly { readonly metadata: { readonly name: string; readonly labels?: Labels } }[];
  readonly policies: readonly Policy[];
}

type Labels = Readonly<Record<string, string>>;

interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels?: Labels };
  readonly spec: {
    readonly hostNetwork?: boolean;
    readonly containers: readonly { readonly ports?: readonly NamedPort[] }[];
  };
  readonly status: { readonly podIP?: string; readonly phase?: string };
}
interface NamedPort {
  readonly name?: string;
  readonly containerPort: number;
}
interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string; readonly operator: string; readonly values?: readonly string[];
  }[];
}
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface PolicyPort {
  readonly port?: number | string;
  readonly endPort?: number;
  readonly protocol?: string;
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly PolicyPort[];
}
interface Policy {
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/**
 * One end of a connection: an address, or a range of addresses. `pod` is the pod at the address; undefined for a range.
 */
interface End {
  readonly address: string;
  readonly pod?: Pod;
}

type Direction = 'Ingress' | 'Egress';

/** Name of the iptables chain that jumps to the chains of the pods. */
export const policyChain = 'LAB-POLICIES';

/**
 * Returns iptables rules that enforce the NetworkPolicies on a node, in the format of `iptables-restore --noflush`. The
 * policies of both pods must permit a connection between these pods.
 */
export function policyRules(world: PolicyWorld): string {
  const chains = [policyChain];
  const rules = [`-A ${policyChain} -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN`];
  running(world.pods).forEach((pod, index) => {
    for (const direction of ['Egress', 'Ingress'] as const) {
      const policies = policiesOf(world, pod, direction);
      if (policies.length === 0) continue;
      const chain = `LAB-${direction.toUpperCase()}-${index}`;
      chains.push(chain);
      rules.push(`-A ${policyChain} ${direction === 'Egress' ? '-s' : '-d'} ${pod.status.podIP!} -j ${chain}`);
      const matches = policies.flatMap((policy) => permitted(world, policy, pod, direction));
      rules.push(...matches.map((match) => `-A ${chain} ${match}`), `-A ${chain} -j REJECT`);
    }
  });
  return ['*filter', ...chains.map((chain) => `:${chain} - [0:0]`), ...rules, 'COMMIT', ''].join('\n');
}

function running(pods: readonly Pod[]): readonly Pod[] {
  return pods.filter(({ spec, status }) => {
    return status.podIP !== undefined && spec.hostNetwork !== true && !/Succeeded|Failed/.test(status.phase ?? '');
  });
}

function policiesOf({ policies }: PolicyWorld, pod: Pod, direction: Direction): readonly Policy[] {
  return policies.filter(({ metadata, spec }) => {
    return metadata.namespace === pod.metadata.namespace && spec.policyTypes.includes(direction)
      && selects(spec.podSelector, pod.metadata.labels);
  });
}

/** Returns rules for the connections of a pod that a policy permits in one direction. The caller adds the chain. */
function permitted(world: PolicyWorld, { metadata, spec }: Policy, pod: Pod, direction: Direction): readonly string[] {
  const rules = (direction === 'Egress' ? spec.egress : spec.ingress) ?? [];
  return rules.flatMap(({ from, to, ports }) => {
    const peers = (direction === 'Egress' ? to : from) ?? [];
    const others = peers.length === 0
      ? [{ address: '0.0.0.0/0' }]
      : peers.flatMap((peer) => endsOf(world, peer, metadata.namespace));
    return others.flatMap((other) => {
      const callee = direction === 'Egress' ? other.pod : pod;
      const side = direction === 'Egress' ? '-d' : '-s';
      const matches = ports === undefined || ports.length === 0 ? [''] : ports.flatMap((port) => matchOf(port, callee));
      return matches.map((match) => `${side} ${other.address} ${match}-j RETURN`);
    });
  });
}

function endsOf({ pods, namespaces }: PolicyWorld, peer: Peer, own: string): readonly End[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  if (ipBlock !== undefined) return ipBlock.cidr.includes(':') ? [] : parts(ipBlock);
  const selected = namespaces.filter(({ metadata }) => selects(namespaceSelector ?? {}, metadata.labels));
  const among = namespaceSelector === undefined ? [own] : selected.map(({ metadata }) => metadata.name);
  return running(pods)
    .filter(({ metadata }) => among.includes(metadata.namespace) && selects(podSelector ?? {}, metadata.labels))
    .map((pod) => ({ address: pod.status.podIP!, pod }));
}

/** Splits a block of addresses into smaller blocks that do not contain the exceptions. */
function parts({ cidr, except = [] }: { cidr: string; except?: readonly string[] }): readonly End[] {
  const cut = except.map(blockOf);
  const remaining = (block: Block): readonly Block[] => {
    if (cut.some((one) => covers(one, block))) return [];
    if (!cut.some((one) => covers(block, one))) return [block];
    const size = block.size + 1;
    return [block.first, block.first + 2 ** (32 - size)].flatMap((first) => remaining({ first, size }));
  };
  return remaining(blockOf(cidr)).map(({ first, size }) => {
    return { address: `${[24, 16, 8, 0].map((bits) => Math.floor(first / 2 ** bits) % 256).join('.')}/${size}` };
  });
}

interface Block {
  readonly first: number;
  readonly size: number;
}

function blockOf(cidr: string): Block {
  const [address, size] = cidr.split('/');
  return { first: address!.split('.').reduce((sum, part) => sum * 256 + Number(part), 0), size: Number(size) };
}

function covers(outer: Block, inner: Block): boolean {
  return outer.size <= inner.size && inner.first >= outer.first && inner.first < outer.first + 2 ** (32 - outer.size);
}

/** Returns the iptables options that match a port. The called pod defines port names; an unknown name has no match. */
function matchOf({ port, endPort, protocol = 'TCP' }: PolicyPort, callee: Pod | undefined): readonly string[] {
  const kind = `-p ${protocol.toLowerCase()} `;
  if (port === undefined) return [kind];
  if (typeof port === 'number') return [`${kind}--dport ${port}${endPort === undefined ? '' : `:${endPort}`} `];
  const named = callee?.spec.containers.flatMap(({ ports = [] }) => ports.filter(({ name }) => name === port)) ?? [];
  return named.map(({ containerPort }) => `${kind}--dport ${containerPort} `);
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels = {}): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value)
    && matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      switch (operator) {
        case 'In': return value !== undefined && values.includes(value);
        case 'NotIn': return value === undefined || !values.includes(value);
        case 'Exists': return value !== undefined;
        case 'DoesNotExist': return value === undefined;
        default: throw new Error(`unknown operator ${operator} of a selector`);
      }
    });
}
