import { randomUUID } from 'node:crypto';
import { type BusMessage, type Member, memberRequestSubject } from '@platform/bus';
import type { SeededRandom } from '@platform/testing';
import type { Organization } from '../orgs/world.ts';
import { type Attempt, attemptsOf } from './foreign-attempts.ts';
import { reported } from './reported.ts';
import type { UsageMember, UsageWorld } from './usage-world.ts';

/** A member that has reported one object, and answers questions with its licence. */
export interface Party extends Member, UsageMember {
  /** Its name. */
  readonly organization: string;
  readonly licenceId: string;
  readonly objectUid: string;
  /** Its events, as it sends them again. */
  readonly events: readonly string[];
  /** Paths of month views that show only this member's usage; each ends in `?` or `&`. */
  readonly views: readonly string[];
}

/** A member that tries to exceed its rights. */
export interface Agent extends Party {
  readonly heard: BusMessage[];
  readonly attempts: Generator<Attempt, never>;
}

const product = 'productdb-enterprise';
const hourMs = 3_600_000;
const forgeMs = 20_000;

/**
 * Victims: a member of another organization, another cluster, and another product in the agent's own cluster. Agents:
 * one in the same organization as a victim, and one whose cluster has, in its own organization, the UID of a foreign
 * cluster.
 * @param begin time of the first events, in milliseconds
 */
export async function openParties(
  world: UsageWorld, random: SeededRandom, begin: number,
): Promise<{ agents: readonly [Agent, Agent]; victims: readonly Party[] }> {
  const owner = await world.person();
  const [own, other] = [await world.organization(owner), await world.organization(owner)];
  const ofCluster = (clusterUid: string) =>
    ['objects', 'namespaces', 'gks'].map((view) => `${view}-usage-view?clusterUID=${clusterUid}&`);
  const ofProduct = ['clusters-usage-view?', 'contracts-usage-view?'];
  const open = (organization: Organization, clusterUid: string, productName: string, views: readonly string[]) =>
    openParty(world, organization, { clusterUid, productName, views, begin });
  const [foreignUid, siblingUid, agentUid] = [randomUUID(), randomUUID(), randomUUID()];
  const victims = [
    await open(other, foreignUid, product, [
      ...ofProduct, 'objects-cluster-mode-usage-view?', ...ofCluster(foreignUid),
    ]),
    await open(own, siblingUid, product, ofCluster(siblingUid)),
    await open(own, agentUid, 'productvault', ofProduct),
  ];
  const both = [await open(own, agentUid, product, []), await open(own, foreignUid, product, [])] as const;
  const agentOf = (party: Party): Agent => {
    const others = [...victims, ...both.filter((one) => one !== party)];
    return { ...party, heard: [], attempts: attemptsOf(random, party, others) };
  };
  const agents = [agentOf(both[0]), agentOf(both[1])] as const;
  for (const agent of agents) await answerQuestions(agent, (message) => void agent.heard.push(message));
  for (const victim of victims) {
    await answerQuestions(victim, async ({ text, replyTo }) => {
      if (replyTo === undefined) return;
      // The agents know the reply subject and answer before the victim.
      const forged = answerTo(text, 'forged');
      for (const { connection } of agents) await connection.request(replyTo, forged, forgeMs).catch(() => undefined);
    });
  }
  return { agents, victims };
}

async function openParty(
  world: UsageWorld, organization: Organization,
  { clusterUid, productName, views, begin }: Pick<Party, 'clusterUid' | 'productName' | 'views'> & { begin: number },
): Promise<Party> {
  const member = await world.member(organization, productName, clusterUid);
  const [objectUid, licenceId] = [randomUUID(), `licence-${randomUUID()}`];
  const own = { uid: objectUid, licenceId, mode: 'prod' };
  const [first, second] = [begin, begin + hourMs].map((time) => new Date(time).toISOString()) as [string, string];
  // All usage ends two hours after the second event, so views do not change by themselves.
  const events = [
    reported(productName, { ...own, time: first, cpu: '1' }),
    reported(productName, { ...own, generation: 2, action: 'updated', time: second, cpu: '2' }),
  ];
  for (const event of events) await member.send(event);
  const { id: ownerId, username } = organization;
  return { ...member, ownerId, productName, organization: username, objectUid, licenceId, events, views };
}

/** Answers questions, after another action before each answer. */
async function answerQuestions(party: Party, before: (message: BusMessage) => Promise<unknown> | void): Promise<void> {
  const { connection, licenceId } = party;
  const answer = async (message: BusMessage) => {
    await before(message);
    // A message without a reply subject may be an acknowledgement: other agents of the organization can direct theirs
    // here.
    if (message.replyTo !== undefined) await connection.publish(message.replyTo, answerTo(message.text, licenceId));
  };
  await connection.subscribe(memberRequestSubject(party), (message) => void answer(message).catch(() => undefined));
}

/** One item, in one chunk (open-points 13.4). */
function answerTo(question: string, key: string): string {
  const { requestId } = JSON.parse(question) as { requestId: string };
  return JSON.stringify({ requestId, seq: 1, last: true, items: [{ key, lastSeen: 0, values: [] }] });
}

/** An event that an agent may send, but that claims to belong to another member. Each number gives another event. */
export function eventNaming(named: Party, number: number, begin: number): string {
  return reported(named.productName, {
    uid: named.objectUid, licenceId: named.licenceId, generation: 10 + number, action: 'updated', mode: 'prod',
    time: new Date(begin + (number % 180) * 60_000).toISOString(), cpu: `${1 + number % 1_000}m`,
    namespace: { aceOrgID: String(named.ownerId) },
    spec: { ownerID: named.ownerId, cluster: { uid: named.clusterUid, mode: 'prod' } },
  });
}

/** Whether an agent may receive a message: questions to itself, and acknowledgements in its organization (ADR 0060). */
export function isForAgent(agent: Agent, { subject, text }: BusMessage): boolean {
  const isAcknowledgement = text === '' || /^\{"stream":"events-s0", ?"seq": ?\d+\}$/.test(text);
  const isQuestion = subject === memberRequestSubject(agent) && text.includes(`"licenseID":"${agent.licenceId}"`);
  return isAcknowledgement || isQuestion;
}
