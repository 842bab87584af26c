import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerSubject, memberRequestSubject } from '@platform/bus';
import { until } from '@platform/testing';
import { ok } from '../contracts/contract-world.ts';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import { organizationHosts } from '../platform.ts';
import { startUsageWorld, type UsageMember, type UsageWorld } from '../usage/usage-world.ts';

/** A question of the platform to a member (open-points 13.4). */
interface Question {
  readonly requestId: string;
  readonly licenseID: string;
  readonly group: string;
  readonly resource: string;
  readonly deadline: number;
}

const product = 'productdb';
let world: UsageWorld;
let owner: Person;
let acme: Organization, other: Organization;

beforeAll(async () => {
  world = await startUsageWorld({ hosts: [...organizationHosts, 'clusters', 'contracts-licensing', 'billing-dashboard'] });
  owner = await world.person();
  [acme, other] = [await world.organization(owner), await world.organization(owner)];
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

/** A member from which an event has arrived, so that its product is known; `path` is that of its resources. */
async function reporting(organization = acme) {
  const member = await world.member(organization, product);
  await member.send({ uid: 'a', licenceId: 'licence', time: new Date().toISOString() });
  const path = pathOf(organization, member);
  const isKnown = async () => (await ask(path.replace('/resources', ''))).status === 200;
  await until(isKnown, { what: 'the product is known' });
  return { ...member, path, whose: { ownerId: organization.id, clusterUid: member.clusterUid, productName: product } };
}
type Reporting = Awaited<ReturnType<typeof reporting>>;

const pathOf = ({ id }: Organization, { clusterUid }: UsageMember) =>
  `/api/v1/dashboard/users/${id}/clusters/${clusterUid}/licenses/licence/products/${product}/resources`;
const ask = (path: string, query = '') => world.siteAdmin.http.get(`${path}?org=administration${query}`);

type Answers = (question: Question) => readonly unknown[];

/** Answers each question with these messages: strings unchanged, other values as JSON. Returns the questions so far. */
async function answers({ connection, whose }: Reporting, messages: Answers): Promise<readonly Question[]> {
  const asked: Question[] = [];
  await connection.subscribe(memberRequestSubject(whose), ({ text, replyTo }) => {
    const question = JSON.parse(text) as Question;
    asked.push(question);
    for (const message of messages(question)) {
      void connection.publish(replyTo!, typeof message === 'string' ? message : JSON.stringify(message));
    }
  });
  return asked;
}

const value = { resourceID: { group: '', version: 'v1', name: 'pods', kind: 'Pod', scope: 'Namespaced' },
  licenseID: 'licence', version: 1, timestamp: 1_767_225_600 };
const item = (key: string) => ({ key: `core/pods/${key}`, lastSeen: 1_767_225_600, values: [value] });
const chunk = ({ requestId }: Question, seq: number, last: boolean, items: unknown = []) =>
  ({ requestId, seq, last, items });
const whole = (question: Question, items: unknown = [item('a')]) => chunk(question, 1, true, items);

describe('a member that is asked for its resources', () => {
  it('answers in chunks of any order, which come together; other requests are ignored', async () => {
    const member = await reporting();
    const asked = await answers(member, (question) => [
      whole({ ...question, requestId: 'another' }, [item('foreign')]),
      chunk(question, 3, true, [item('c')]), chunk(question, 1, false, [item('a')]),
      chunk(question, 1, false, [item('again')]),
      chunk(question, 2, false, [{ ...item('b'), more: 1, values: [{ ...value, more: 1 }] }]),
    ]);
    const answer = await ask(member.path, '&group=apps&resource=pods');
    expect(ok(answer)).toEqual({ items: [item('a'), item('b'), item('c')] });
    const { requestId, deadline, ...question } = asked[0]!;
    expect(question).toEqual({ licenseID: 'licence', group: 'apps', resource: 'pods', acknowledges: true });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(deadline - Date.now()).toBeLessThanOrEqual(10_000);
    await ask(member.path);
    expect(asked[1]).toMatchObject({ group: '', resource: '' });
  });

  it('has nothing, an empty history, or a large one', async () => {
    const member = await reporting();
    const many = Array.from({ length: 500 }, (_, place) => item(String(place)));
    const kinds: Record<string, Answers> = {
      none: (question) => [whole(question, [])],
      absent: ({ requestId }) => [{ requestId, seq: 1, last: true }],
      large: (question) => Array.from({ length: 20 }, (_, place) => chunk(question, place + 1, place === 19, many)),
    };
    await answers(member, (question) => kinds[question.resource]!(question));
    const items = async (resource: string) =>
      ok<{ items: unknown[] }>(await ask(member.path, `&resource=${resource}`)).items.length;
    expect([await items('none'), await items('absent'), await items('large')]).toEqual([0, 0, 10_000]);
  });

  it('that answers nonsense or an error is a bad gateway', async () => {
    const member = await reporting();
    const kinds: Record<string, Answers> = {
      text: () => ['nothing'], number: () => ['5'],
      'no seq': ({ requestId }) => [{ requestId, last: true, items: [] }],
      'seq 0': (question) => [chunk(question, 0, true)],
      'items no list': (question) => [whole(question, {})],
      'a chunk behind the last': (question) => [chunk(question, 2, false), chunk(question, 1, true)],
      'an error': ({ requestId }) => [{ requestId, seq: 1, last: true, error: { code: 'internal', message: 'secret' } }],
      'an item that is a text': (question) => [whole(question, ['a'])],
      'no key': (question) => [whole(question, [{ ...item('a'), key: 1 }])],
      'no values': (question) => [whole(question, [{ ...item('a'), values: undefined }])],
      'a time as text': (question) => [whole(question, [{ ...item('a'), lastSeen: 'now' }])],
      'a value without resource': (question) => [whole(question, [{ ...item('a'), values: [{ ...value, resourceID: 1 }] }])],
      'a version below 0': (question) => [whole(question, [{ ...item('a'), values: [{ ...value, version: -1 }] }])],
    };
    await answers(member, (question) => kinds[question.resource]!(question));
    for (const resource of Object.keys(kinds)) {
      const answer = await ask(member.path, `&resource=${encodeURIComponent(resource)}`);
      expect([resource, outcome(answer)]).toEqual([resource, '502 bad_upstream']);
      expect(answer.text).not.toContain('secret');
    }
  }, 60_000);

  it('that does not know the licence is 404', async () => {
    const member = await reporting();
    await answers(member, ({ requestId }) => [{ requestId, seq: 1, last: true, error: { code: 'not_found' } }]);
    expect(outcome(await ask(member.path))).toBe('404 not_found');
  });

  it('that is away is 503 at once, one that is silent or leaves a gap 504', async () => {
    const [away, silent, gap] = [await reporting(), await reporting(), await reporting()];
    await answers(silent, () => []);
    await answers(gap, (question) => [chunk(question, 2, true)]);
    const answer = await ask(away.path);
    expect([outcome(answer), answer.header('retry-after')]).toEqual(['503 unavailable', '1']);
    const late = await Promise.all([silent, gap].map(async ({ path }) => outcome(await ask(path))));
    expect(late).toEqual(['504 deadline_exceeded', '504 deadline_exceeded']);
  }, 60_000);

  it.each([
    ['two questions of one caller', 1, 6, 2], ['six questions of all callers', 4, 2, 6],
  ])('has %s at a time; further ones wait for an answer', async (_, callers, each, most) => {
    const member = await reporting();
    const open: (() => Promise<void>)[] = [];
    let mostOpen = 0;
    await member.connection.subscribe(memberRequestSubject(member.whose), ({ text, replyTo }) => {
      open.push(() => member.connection.publish(replyTo!, JSON.stringify(whole(JSON.parse(text) as Question))));
      mostOpen = Math.max(mostOpen, open.length);
    });
    const admins = await Promise.all(Array.from({ length: callers }, () => world.person(undefined, { admin: true })));
    const asked = admins.flatMap(({ http }) => Array.from({ length: each }, () =>
      http.get(`${member.path}?org=administration`)));
    for (let left = asked.length; left > 0; left -= 1) {
      await until(() => open.length === Math.min(left, most), { what: 'the member is asked' });
      await open.shift()!();
    }
    expect((await Promise.all(asked)).map(outcome)).toEqual(asked.map(() => '200'));
    expect(mostOpen).toBe(most);
  }, 60_000);

  it('cannot answer for another owner', async () => {
    const [asked, forger] = [await reporting(), await reporting(other)];
    await answers(asked, (question) => {
      const forged = JSON.stringify(whole(question, [item('forged')]));
      // The forger knows all values in the question.
      void forger.connection.publish(answerSubject(asked.whose, question.requestId), forged).catch(() => undefined);
      return [whole(question, [item('true')])];
    });
    expect(ok(await ask(asked.path))).toEqual({ items: [item('true')] });
    // The path combines the cluster and product of another owner with the caller's own account.
    expect(outcome(await ask(pathOf(other, asked)))).toBe('404 not_found');
  });

  it('is not asked by others than site admins', async () => {
    const member = await reporting();
    const asked = await answers(member, (question) => [whole(question)]);
    const path = `${member.path}?org=${acme.username}`;
    expect(outcome(await owner.http.get(path))).toBe('403 forbidden');
    expect(outcome(await world.nobody.get(path))).toBe('401 unauthenticated');
    expect(outcome(await ask(member.path.replace('/licence/', '/none/')))).toBe('404 not_found');
    expect(asked).toEqual([]);
  });
});
