import {
  answerSubject, arrivalSubject, eventSubject, inboxPrefixOf, type Member, memberRequestSubject, requestSubject,
} from '@platform/bus';
import type { SeededRandom } from '@platform/testing';

/** An attempt of an agent beyond its rights. */
export interface Attempt {
  /** The subject is used to publish, to subscribe, or as the reply subject of the agent's own event. */
  readonly how: 'publish' | 'subscribe' | 'reply';
  readonly subject: string;
}

/** Services and streams of the platform, as an attacker may know them from its source. */
const services = ['billing-dashboard', 'orgs-teams'];
const mostShards = 10;
const consumer = 'billing-dashboard';

/**
 * Generates attempts of an agent, each with a different subject, all kinds in turn. The agent may do none of them
 * except subscribe below `_INBOX`, where existing agents receive answers (ADR 0060).
 * @param others the owners of these subjects; the agent is not among them
 */
export function* attemptsOf(random: SeededRandom, own: Member, others: readonly Member[]): Generator<Attempt, never> {
  const tried = new Set<string>();
  for (let number = 0; ; number += 1) {
    const attempt = kinds[number % kinds.length]!(random, placeOf(random, own, others));
    const key = `${attempt.how} ${attempt.subject}`;
    // The agent may use its own subject for questions, which names no owner.
    if (tried.has(key) || attempt.subject === memberRequestSubject(own)) continue;
    tried.add(key);
    yield attempt;
  }
}

/** The address of another member, or a mixture of the agent's own address and another one. */
function placeOf(random: SeededRandom, own: Member, others: readonly Member[]): Member {
  const other = random.pick(others);
  const { ownerId } = random.pick([own, other]);
  const { clusterUid } = random.pick([own, other]);
  const { productName } = random.pick([own, other]);
  const isOwn = ownerId === own.ownerId && clusterUid === own.clusterUid && productName === own.productName;
  return isOwn ? other : { ownerId, clusterUid, productName };
}

const publish = (subject: string): Attempt => ({ how: 'publish', subject });
const subscribe = (subject: string): Attempt => ({ how: 'subscribe', subject });
const reply = (subject: string): Attempt => ({ how: 'reply', subject });

type Kind = (random: SeededRandom, place: Member) => Attempt;

const kinds: readonly Kind[] = [
  (random, place) => publish(foreignEvents(random, place)),
  (random, place) => subscribe(widened(random, memberSubject(random, place))),
  (random) => publish(random.pick([streamApi, acknowledgement, ofSystem])(random)),
  (random, place) => reply(memberSubject(random, place)),
  (random, place) => publish(widened(random, memberSubject(random, place))),
  (random) => random.pick([publish, subscribe])(inbox(random)),
  (random, place) => publish(answers(random, place)),
  (random, place) => subscribe(memberSubject(random, place)),
  (random) => subscribe(widened(random, random.pick([streamApi, acknowledgement, ofSystem, announcements])(random))),
];

/** A random one of the subjects of a member. */
function memberSubject(random: SeededRandom, place: Member): string {
  return random.pick([
    () => foreignEvents(random, place), () => requestSubject(place), () => memberRequestSubject(place),
    () => answers(random, place),
  ])();
}

function foreignEvents(random: SeededRandom, place: Member): string {
  const shard = random.chance(0.7) ? 0 : random.integer(1, mostShards - 1);
  // Also in the form in which events arrive in the platform's account.
  const subject = random.pick([eventSubject(place, 1), arrivalSubject(place)]);
  return subject.replace('events.s0.', `events.s${shard}.`);
}

const answers = (random: SeededRandom, place: Member) =>
  answerSubject(place, `request-${random.integer(0, 2 ** 31 - 1)}`);

/** The subject with wildcards for some of its tokens, or for all tokens from one on. */
function widened(random: SeededRandom, subject: string): string {
  const tokens = subject.split('.');
  if (random.chance(0.4)) return [...tokens.slice(0, random.integer(0, tokens.length - 1)), '>'].join('.');
  const open = random.integer(0, tokens.length - 1);
  return tokens.map((token, place) => (place === open || random.chance(0.3) ? '*' : token)).join('.');
}

function streamApi(random: SeededRandom): string {
  const stream = `events-s${random.integer(0, mostShards - 1)}`;
  const ofStream = ['INFO', 'CREATE', 'UPDATE', 'PURGE', 'DELETE', 'SNAPSHOT', 'RESTORE', 'MSG.GET', 'MSG.DELETE'];
  const ofConsumer = ['INFO', 'DELETE', 'MSG.NEXT', 'PAUSE', 'CREATE', 'DURABLE.CREATE'];
  return random.pick([
    () => `$JS.API.STREAM.${random.pick(ofStream)}.${stream}`,
    () => `$JS.API.CONSUMER.${random.pick(ofConsumer)}.${stream}.${random.pick([consumer, 'thief'])}`,
    () => `$JS.API.CONSUMER.${random.pick(['NAMES', 'LIST', 'CREATE'])}.${stream}`,
    () => `$JS.API.DIRECT.GET.${stream}`,
    () => `$JS.API.${random.pick(['INFO', 'STREAM.NAMES', 'STREAM.LIST', 'ACCOUNT.PURGE.platform'])}`,
  ])();
}

/** A subject on which a consumer acknowledges a message. */
function acknowledgement(random: SeededRandom): string {
  const sequence = random.integer(1, 1_000);
  return `$JS.ACK.events-s0.${consumer}.1.${sequence}.${sequence}.${random.integer(1, 10 ** 9)}.0`;
}

function ofSystem(random: SeededRandom): string {
  const account = `A${token(random, 55)}`;
  const ofAccount = ['INFO', 'CONNZ', 'SUBSZ', 'CLAIMS.LOOKUP', 'CLAIMS.UPDATE'];
  return random.pick([
    ...['UPDATE', 'DELETE', 'LIST', 'PACK'].map((what) => `$SYS.REQ.CLAIMS.${what}`),
    ...['VARZ', 'CONNZ', 'SUBSZ', 'JSZ', 'ACCOUNTZ'].map((what) => `$SYS.REQ.SERVER.PING.${what}`),
    ...ofAccount.map((what) => `$SYS.REQ.ACCOUNT.${account}.${what}`),
    `$SYS.ACCOUNT.${account}.CONNECT`, '$SYS.REQ.USER.INFO',
  ]);
}

/** A subject of messages between services. */
const announcements = (random: SeededRandom) =>
  `platform.events.${random.pick(['organization', 'contract', 'licence'])}.${random.pick(['created', 'updated'])}`;

/** Inbox subjects of other members and of services. */
function inbox(random: SeededRandom): string {
  return random.pick([
    () => `_INBOX.${token(random, 22)}.${random.integer(1, 99)}`,
    () => `${inboxPrefixOf(random.pick(services))}.${token(random, 22)}.*`,
    () => `_INBOX.${token(random, 22)}.>`,
    () => random.pick(['_INBOX.>', '_INBOX.*', '_INBOX.*.*', ...services.map((name) => `${inboxPrefixOf(name)}.>`)]),
  ])();
}

const token = (random: SeededRandom, length: number) =>
  Array.from({ length }, () => random.pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'])).join('');
