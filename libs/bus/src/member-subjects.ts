/**
 * NATS subjects of the messages between the platform and the agents in member clusters (open-points 13), and the claims
 * that permit these subjects. The NATS account of an organization imports only the organization's own subjects from the
 * platform's NATS account. In the platform's account, events arrive on one subject and are stored under another. The
 * reasons are in docs/adr/0060, 0170 and 0295.
 */
import type { BusExport, BusImport, UserClaims } from './bus-claims.ts';
import { signActivation } from './operator.ts';
import { permittedSubjects } from './read-jwt.ts';

/** An agent of a product in a cluster of an organization. */
export interface Member {
  /** Account id of the organization. */
  readonly ownerId: number;
  /** Lower case. */
  readonly clusterUid: string;
  /** Only letters, digits, `-` and `_`, because the name is one token of a NATS subject. */
  readonly productName: string;
}

/** Returns a text that identifies an agent, for the keys of maps. */
export function memberKey({ ownerId, clusterUid, productName }: Member): string {
  return `${ownerId} ${clusterUid} ${productName}`;
}

/**
 * Version of {@link organizationImports}. Increase the version if the imports change: the platform then pushes the
 * accounts of all organizations to the servers again.
 */
export const memberLayout = 2;

/**
 * Number of lanes for arriving events. Each organization belongs to one lane, and each lane has its own connection. So
 * a flood of events fills only the connection of one lane.
 */
export const lanes = 8;

/**
 * Subject to which an agent sends events, in the account of its organization. In the platform's account, the events are
 * stored under the same subject (open-points 13.2).
 */
export function eventSubject(member: Member, shards: number): string {
  return `events.s${member.ownerId % shards}.user.${member.ownerId}.${place(member)}`;
}

/** Subject on which an agent's events arrive in the platform's account, before they are stored. */
export function arrivalSubject(member: Member): string {
  return `arrivals.l${member.ownerId % lanes}.user.${member.ownerId}.${place(member)}`;
}

export function laneSubject(lane: number): string {
  return `arrivals.l${lane}.user.*.k8s.*.product.*`;
}

/** Returns the agent in a subject of arriving or stored events; undefined for any other subject. */
export function memberOfEvent(subject: string): Member | undefined {
  const found = /^(?:events\.s|arrivals\.l)\d+\.user\.([1-9]\d{0,15})\.k8s\.([^.]+)\.product\.([^.]+)$/.exec(subject);
  if (found === null) return undefined;
  const [, ownerId, clusterUid, productName] = found as unknown as [string, string, string, string];
  return { ownerId: Number(ownerId), clusterUid: clusterUid.toLowerCase(), productName };
}

/**
 * Returns the agent whose events the credentials may publish.
 * @throws Error if the credentials are invalid, or do not permit the events of an agent
 */
export function memberOf(credentials: string): Member {
  const subjects = permittedSubjects(credentials).map((subject) => subject.replace('events.*.', 'events.s0.'));
  const member = subjects.map(memberOfEvent).find((one) => one !== undefined);
  if (member === undefined) throw new Error('These bus credentials do not permit an agent to send events.');
  return member;
}

/** Pattern of the subjects of all events in a shard. The stream of the shard stores these subjects. */
export function shardSubject(shard: number): string {
  return `events.s${shard}.user.*.k8s.*.product.*`;
}

/** Subject on which the platform asks an agent, in the platform's account. */
export function requestSubject(member: Member): string {
  return `rpc.user.${member.ownerId}.${place(member)}.resources`;
}

/** Subject on which an agent receives requests, in the account of its organization (open-points 13.4). */
export function memberRequestSubject(member: Member): string {
  return `rpc.${place(member)}.resources`;
}

/**
 * Reply subject of one request to an agent. The subject is the same in the platform's account and in the account of the
 * organization. No other agent may publish to this subject, so the sender of an answer is certain.
 * @param requestId one token of a subject
 */
export function answerSubject(member: Member, requestId: string): string {
  return `rpc-answers.user.${member.ownerId}.${place(member)}.${requestId}`;
}

function place({ clusterUid, productName }: Omit<Member, 'ownerId'>): string {
  return `k8s.${clusterUid}.product.${productName}`;
}

export const platformExports: readonly BusExport[] = [
  { kind: 'service', name: 'events of members', subject: 'arrivals.*.user.*.k8s.*.product.*', activated: true },
  { kind: 'stream', name: 'requests to members', subject: 'rpc.user.*.k8s.*.product.*.resources', activated: true },
  { kind: 'service', name: 'answers of members', subject: 'rpc-answers.user.*.k8s.*.product.*.*', activated: true },
];

/** The keys of the platform's account, for signing activations for other accounts. */
export interface Exporter {
  readonly publicKey: string;
  /** Seed of the account, or of one of its signing keys. */
  readonly seed: string;
}

/** Returns the imports of an organization's account: only the organization's own subjects, with their activations. */
export async function organizationImports(
  exporter: Exporter, account: string, ownerId: number, shards: number,
): Promise<readonly BusImport[]> {
  const imports: readonly Omit<BusImport, 'account' | 'activation'>[] = [
    {
      kind: 'service', name: 'events of members',
      subject: `arrivals.l${ownerId % lanes}.user.${ownerId}.k8s.*.product.*`,
      localSubject: `events.s${ownerId % shards}.user.${ownerId}.k8s.$1.product.$2`,
    },
    {
      kind: 'stream', name: 'requests to members',
      subject: `rpc.user.${ownerId}.k8s.*.product.*.resources`,
      localSubject: 'rpc.k8s.$1.product.$2.resources',
    },
    { kind: 'service', name: 'answers of members', subject: `rpc-answers.user.${ownerId}.k8s.*.product.*.*` },
  ];
  return Promise.all(imports.map(async (one) => ({
    ...one,
    account: exporter.publicKey,
    activation: await signActivation(exporter.seed, exporter.publicKey, account, one),
  })));
}

/** Permissions of an agent's user: the agent's own subjects, and `_INBOX.>` for replies to the agent. */
export function memberPermissions(
  member: Member,
): Required<Pick<UserClaims, 'publish' | 'subscribe' | 'subscriptions'>> {
  return {
    // Permit every shard, because the number of shards may change. The account imports only the current shard.
    publish: [`events.*.user.${member.ownerId}.${place(member)}`, answerSubject(member, '*')],
    subscribe: [memberRequestSubject(member), '_INBOX.>'],
    subscriptions: 100,
  };
}
