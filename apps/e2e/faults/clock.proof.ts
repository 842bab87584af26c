import { sql } from '@platform/postgres';
import { ownClock, type OwnClock, ownPostgres, type ProofOptions, type ProofResult, until } from '@platform/testing';
import { adminHttp } from '../src/admin-http.ts';
import { specCall } from '../src/operator.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';
import { prepareCalls } from './calls.ts';
import { backWithin, type Load, refusals, startLoad } from './load.ts';

export const name = 'clock-back';
export const describe = 'Under load the clock of one replica, of all services, of PostgreSQL and of all is set back by an hour '
  + 'and right again, 5 times each: nothing waits for the hour to pass, nothing is allowed any longer, and no call fails '
  + 'but writes that PostgreSQL takes for forgotten.';
export const servers = true;

const wholeRounds = 5;
const clients = 8;
/** Each of two changes of PostgreSQL's clock may cause two refusals per client: of a call and of its first repeat. */
const mostRefused = 4 * clients;
/** Lifetime, in seconds, of a token that must expire while clocks are wrong. */
const tokenSeconds = 5;

interface Clocks {
  /** Clock of one replica of orgs-teams. */
  readonly one: OwnClock;
  /** Clock of the gateway and all other services. */
  readonly others: OwnClock;
  readonly postgres: OwnClock;
}

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const [one, others, postgresClock] = [await ownClock(), await ownClock(), await ownClock()];
  if (one === undefined || others === undefined || postgresClock === undefined) {
    return { figure: 'not tried: libfaketime is not installed', holds: undefined };
  }
  const clocks: Clocks = { one, others, postgres: postgresClock };
  await using postgres = await ownPostgres({ environment: postgresClock.environment });
  await using world = await startWorld({
    hosts: organizationHosts,
    postgres,
    replicas: { 'orgs-teams': 2 },
    settings: { 'log.level': 'error' },
    surroundings: (service, replica) => (service === 'orgs-teams' && replica === 0 ? one : others),
  });
  const calls = await prepareCalls(world);
  // Leave out branding: the proof changes it, and its answer is the same for all callers.
  const kinds = [...calls.reads.filter((kind) => kind.name !== 'branding'), ...calls.writes];
  await using load = startLoad(kinds, { clients, share });
  await load.steady(30_000);
  const counterexamples: string[] = [];
  let right = 0;
  let refused = 0;
  let jumps = 0;
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  for (let round = 0; round < rounds; round += 1) {
    for (const [what, set] of share === 1 ? combinations : combinations.slice(1, 3)) {
      await load.phase();
      const trial = await prepareTrial(world);
      await calls.forget();
      await Promise.all(set.map((which) => clocks[which].step(-1)));
      await load.answered(100, 60_000);
      const wrongs = await trial(backWithin(5_000, share), set, load);
      await calls.forget();
      await Promise.all(set.map((which) => clocks[which].step(0)));
      await load.answered(100, 60_000);
      await load.steady(backWithin(5_000, share));
      const tally = await load.phase();
      // PostgreSQL measures timeouts of transactions and locks by its clock: work in progress at a change of the clock
      // may seem to have taken an hour, and is refused (503, 409).
      const conflicts = tally.wrong.filter((wrong) => /^create a team: refused \(409 .*"code":"conflict"/.test(wrong));
      const writes = (tally.unavailable.get('create a team') ?? 0) + conflicts.length;
      const all = refusals(tally) + conflicts.length;
      if (all > (set.includes('postgres') ? Math.min(writes, mostRefused) : 0)) {
        wrongs.push(`refused: ${[...tally.unavailable].join('; ')}; ${conflicts.length} conflicts`);
      }
      refused += all;
      wrongs.push(...tally.wrong.filter((wrong) => !conflicts.includes(wrong)), ...tally.lost);
      counterexamples.push(...wrongs.map((wrong) => `${what}: ${wrong}`));
      right += tally.right;
      jumps += 2;
      report(`${what}, ${round + 1} of ${rounds}: ${tally.right} right, ${counterexamples.length} wrong so far`);
    }
  }
  await load.stop();
  counterexamples.push(...await calls.disagreements());
  const { differences } = await world.operator.admin.checkDrift({ organizationId: 0, limit: 5 }, specCall());
  counterexamples.push(...differences.map((difference) => `rows and engine differ: ${JSON.stringify(difference)}`));
  return {
    figure: `clocks set ${jumps} times, ${right} calls right, ${refused} refused, ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

const combinations: readonly (readonly [what: string, set: readonly (keyof Clocks)[]])[] = [
  ['one replica', ['one']],
  ['all services', ['one', 'others']],
  ['PostgreSQL', ['postgres']],
  ['everything', ['one', 'others', 'postgres']],
];

type Trial = (within: number, set: readonly (keyof Clocks)[], load: Load) => Promise<string[]>;

/**
 * Starts things that a wrong clock could delay or keep alive. The returned function checks them after the clocks are
 * right again.
 */
async function prepareTrial({ platform, operator, database, siteAdmin, person, organization, join }: World): Promise<Trial> {
  const boss = await person();
  const company = await organization(boss);
  const [viewer, newcomer] = [await person(), await person()];
  await join(boss, company.teams.Viewers, viewer);
  const teams = `/api/v1/orgs/${company.username}/teams`;
  const brandingAt = '/api/v1/branding';
  const before = await platform.http.get(brandingAt);
  const stuck = await organization(boss);
  await database.execute(sql`update account set closing_at = clock_timestamp() where id = ${stuck.id}`);
  const { token } = await operator.admin.createToken(
    { user: boss.username, organization: '', name: 'short', expiresInSeconds: tokenSeconds }, specCall());
  const ends = performance.now() + tokenSeconds * 1_000;

  return async (within, set, load) => {
    const wrongs: string[] = [];
    const expect = (isSo: boolean, wrong: string) => void (isSo || wrongs.push(wrong));
    const eventually = (isSo: () => Promise<boolean>, what: string, limit = within) =>
      until(isSo, { within: limit, what }).catch((error: unknown) => void wrongs.push(String(error)));
    const status = async (path: string, token_: string) =>
      (await platform.http.get(path, { headers: { authorization: `token ${token_}` } })).status;

    // A removed permission is refused, and a granted one is allowed.
    expect(await status(teams, viewer.token) === 200, 'a viewer does not see teams');
    const removal = `/api/v1/teams/${company.teams.Viewers}/members/${viewer.username}`;
    await eventually(async () => (await boss.http.delete(removal)).status === 204, 'a member is removed');
    for (let count = 0; count < 4; count += 1) {
      expect(await status(teams, viewer.token) !== 200, 'somebody who was removed sees teams');
    }
    await eventually(() => join(boss, company.teams.Viewers, newcomer).then(() => true), 'somebody joins');
    expect(await status(teams, newcomer.token) === 200, 'a newcomer does not see teams');

    // An older copy must not count as the newest version, and the newest change must be the first in the list.
    const appName = `Platform ${Math.random()}`;
    const brand = () => siteAdmin.http.post(`${brandingAt}?org=administration`, { json: { appName } });
    await eventually(async () => (await brand()).status === 200, 'branding is changed');
    const since = before.header('last-modified');
    const after = await platform.http.get(brandingAt, since === undefined ? {} : { headers: { 'If-Modified-Since': since } });
    expect(after.text.includes(appName), `a changed branding is answered ${after.status}`);
    const { entries } = await operator.admin.listAudit(
      { account: '', action: '', pageSize: 100, pageToken: '', actor: siteAdmin.username }, specCall());
    const ids = entries.map(({ id }) => id);
    expect(ids.every((id, index) => index === 0 || id < ids[index - 1]!), `the audit is listed as ${ids.join(', ')}`);

    for (const text of await metricsOf(platform)) {
      const negative = /^\w*(?:seconds|_sum|_count|pending)\w*(?:{.*})? -.*$/m.exec(text);
      expect(negative === null, `a metric is negative: ${negative?.[0]}`);
    }
    // With every clock wrong, no process can tell when a token expires.
    if (set.length < 3) {
      const late = Math.max(0, ends - performance.now()) + within;
      await eventually(async () => await status(teams, token) === 401, 'a token has ended', late);
    }
    const reopened = async () => (await database.one(sql<{ open: boolean }>`
      select closing_at is null as "open" from account where id = ${stuck.id}`)).open;
    // The schedule runs every 15 s. It gives up deletions whose mark is more than a minute from PostgreSQL's clock.
    if (set.includes('postgres')) await eventually(reopened, 'an abandoned deletion is given up', 20_000 + within);
    await load.answered(10, 60_000);
    return wrongs;
  };
}

/** The metrics of each process. */
async function metricsOf(platform: World['platform']): Promise<string[]> {
  const replicas = Object.values(platform.services).flatMap((service) => service.replicas);
  return Promise.all(replicas.map(async ({ addresses }) => {
    await using admin = adminHttp(addresses['admin']!);
    return (await admin.get('/metrics')).text;
  }));
}
