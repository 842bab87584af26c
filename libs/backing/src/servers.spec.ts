import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { access, chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser, lookUpAccount, publicKeyOf, pushAccount, readAccount, signAccount } from '@platform/bus';
import { BackingFault } from './fault.ts';
import { findBinaries, type Binaries } from './fixtures/binaries.ts';
import { scratchFolder } from './fixtures/scratch.ts';
import { planNats, type NatsPlan } from './nats.ts';
import { probeNats } from './nats-probe.ts';
import { planOpenfga, type OpenfgaPlan } from './openfga.ts';
import { probeOpenfga } from './openfga-probe.ts';
import { probePostgres } from './postgres-probe.ts';
import { planPostgres, type PostgresPlan } from './postgres.ts';
import { processIdentity } from './process-identity.ts';
import { start, type Started } from './start.ts';
import { openState, removeState, type State } from './state.ts';

const binaries = await findBinaries();
const deadline = (): AbortSignal => AbortSignal.timeout(10_000);
const isRoot = process.getuid?.() === 0;

interface Running {
  readonly postgres: Started<PostgresPlan>;
  readonly nats: Started<NatsPlan>;
  readonly openfga: Started<OpenfgaPlan>;
}

async function startAll(state: State, { postgres, nats, openfga }: Binaries): Promise<Running> {
  const options = (name: string) => ({ logFile: state.logFile(name) });
  const database = await start(() => planPostgres({ source: postgres, state, volatile: true }), options('postgres'));
  const datastoreUrl = database.plan.superuserUrl;
  return {
    postgres: database,
    nats: await start(() => planNats({ source: nats, state, volatile: true }), options('nats')),
    openfga: await start(() => planOpenfga({ source: openfga, state, datastoreUrl }), options('openfga')),
  };
}

async function stopAll({ postgres, nats, openfga }: Running): Promise<void> {
  await openfga.server.stop();
  await nats.server.stop();
  await postgres.server.stop();
}

async function callOpenfga({ plan }: Started<OpenfgaPlan>, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${plan.access.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${plan.access.presharedKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: deadline(),
  });
  return await response.json();
}

(binaries === undefined ? describe.skip : describe)('the three servers', () => {
  const found = binaries!;
  let scratch: Awaited<ReturnType<typeof scratchFolder>>;
  let home: string;
  let state: State;
  let running: Running;

  beforeAll(async () => {
    scratch = await scratchFolder();
    home = join(scratch.path, 'state');
    state = await openState(home);
    running = await startAll(state, found);
  }, 120_000);

  afterAll(async () => {
    await stopAll(running);
    await removeState(home);
    await scratch[Symbol.asyncDispose]();
  }, 60_000);

  it('answer their own protocols', async () => {
    await expect(probePostgres(running.postgres.plan.superuserUrl, deadline())).resolves.toBeUndefined();
    await expect(probeNats(running.nats.plan.access, deadline())).resolves.toBeUndefined();
    await expect(probeOpenfga(running.openfga.plan.access, deadline())).resolves.toBeUndefined();
  });

  it('refuse clients without credentials', async () => {
    const { access } = running.openfga.plan;
    const stranger = await foreignAccess(found);
    await expect(probeOpenfga({ ...access, presharedKey: 'another' }, deadline())).rejects.toMatchObject({
      reason: 'NOT_READY',
    });
    await expect(
      probeNats({ ...running.nats.plan.access, credentials: stranger.credentials }, deadline()),
    ).rejects.toMatchObject({ reason: 'NOT_READY' });
  });

  it('keep their secrets to their owner', async () => {
    for (const name of ['postgres-superuser-password', 'nats-authority', 'openfga-preshared-key']) {
      expect((await stat(join(state.secrets, name))).mode & 0o777).toBe(0o600);
    }
    const commandLine = await readFile(`/proc/${running.openfga.server.pid}/cmdline`, 'utf8').catch(() => '');
    expect(commandLine).not.toContain(running.openfga.plan.access.presharedKey);
  });

  it('go on with the same data, accounts and credentials after a restart', async () => {
    // given
    const { id } = (await callOpenfga(running.openfga, '/stores', { name: 'kept' })) as { id: string };
    const { accountSeed, operatorSeed, systemCredentials, url } = running.nats.plan.access;
    const account = publicKeyOf(accountSeed);
    const user = await createUser(accountSeed, { name: 'expelled' });
    const asUser = { ...running.nats.plan.access, credentials: user.credentials };
    await expect(probeNats(asUser, deadline())).resolves.toBeUndefined();
    const revocations = { [user.publicKey]: Math.ceil(Date.now() / 1000) };
    const jwt = await signAccount(operatorSeed, account, { name: 'platform', jetstream: true, revocations });
    await pushAccount({ url, credentials: systemCredentials }, jwt, 5_000);
    await expect(probeNats(asUser, deadline())).rejects.toMatchObject({ reason: 'NOT_READY' });

    // when
    await stopAll(running);
    running = await startAll(await openState(home), found);

    // then
    const { stores } = (await callOpenfga(running.openfga, '/stores')) as { stores: { id: string }[] };
    expect(stores.map((store) => store.id)).toContain(id);
    const login = { url: running.nats.plan.access.url, credentials: systemCredentials };
    const kept = await lookUpAccount(login, account, 5_000);
    expect(readAccount(kept!)).toMatchObject({ publicKey: account, jetstream: true, revocations });
    await expect(probeNats({ ...asUser, url: login.url }, deadline())).rejects.toMatchObject({ reason: 'NOT_READY' });
    await expect(probeNats(running.nats.plan.access, deadline())).resolves.toBeUndefined();
  }, 60_000);

  it('run twice side by side', async () => {
    await using other = await scratchFolder();
    const otherState = await openState(join(other.path, 'state'));
    const second = await startAll(otherState, found);
    try {
      expect(new Set([...ports(running), ...ports(second)]).size).toBe(8);
      await expect(probeNats(second.nats.plan.access, deadline())).resolves.toBeUndefined();
      const crossed = { ...second.nats.plan.access, credentials: running.nats.plan.access.credentials };
      await expect(probeNats(crossed, deadline())).rejects.toMatchObject({ reason: 'NOT_READY' });
    } finally {
      await stopAll(second);
      await removeState(otherState.home);
    }
  }, 120_000);

  it('stop what an earlier launcher left running on the same state', async () => {
    // given a server that a launcher left running
    const leftover = running.postgres.server;

    // when
    running = { ...running, ...(await restartOnly(state, found)) };

    // then
    await expect(leftover.exited).resolves.toMatchObject({ code: 0 });
    expect(processIdentity(leftover.pid)).toBeUndefined();
    await expect(probePostgres(running.postgres.plan.superuserUrl, deadline())).resolves.toBeUndefined();
  }, 60_000);

  (process.platform === 'linux' ? it : it.skip)('leave nothing behind that hangs with its children', async () => {
    // given
    const hanging = running.postgres.server;
    // Suspend the server first: children that end meanwhile stay in the list until the server reaps them.
    process.kill(hanging.pid, 'SIGSTOP');
    const children = await readFile(`/proc/${hanging.pid}/task/${hanging.pid}/children`, 'utf8');
    const pids = [hanging.pid, ...children.trim().split(' ').map(Number)];
    expect(pids.length).toBeGreaterThan(3);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');

    // when
    const exit = await hanging.stop(200);
    const left = pids.filter((pid) => processIdentity(pid) !== undefined);
    for (const pid of left) process.kill(pid, 'SIGKILL');

    // then
    expect(exit).toEqual({ code: null, signal: 'SIGKILL' });
    expect(left).toEqual([]);
    running = { ...running, ...(await restartOnly(state, found)) };
    await expect(probePostgres(running.postgres.plan.superuserUrl, deadline())).resolves.toBeUndefined();
  }, 60_000);

  (isRoot ? it : it.skip)('work as root under a folder that only root may enter', async () => {
    // given
    await using other = await scratchFolder();
    const closed = join(other.path, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o700);
    const closedState = await openState(join(closed, 'state'));

    // when
    const make = () => planPostgres({ source: found.postgres, state: closedState, volatile: true });
    const first = await start(make, { logFile: closedState.logFile('postgres') });
    await first.server.stop();
    const second = await start(make, { logFile: closedState.logFile('postgres') });
    await second.server.stop();

    // then the data is in another folder, is found again, belongs to the server's user and is deleted with the state
    const { dataDirectory } = first.plan;
    expect(dataDirectory.startsWith(closed)).toBe(false);
    expect(second.plan.dataDirectory).toBe(dataDirectory);
    expect((await stat(dataDirectory)).uid).toBe(first.plan.user!.uid);
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
    await removeState(closedState.home);
    await expect(access(dataDirectory)).rejects.toMatchObject({ code: 'ENOENT' });
  }, 60_000);

  it('name a taken port that was asked for', async () => {
    const [port] = running.nats.plan.ports;
    await using other = await scratchFolder();
    const otherState = await openState(join(other.path, 'state'));
    const started = start(() => planNats({ source: found.nats, state: otherState, port: port! }), {
      logFile: otherState.logFile('nats'),
    });
    await expect(started).rejects.toBeInstanceOf(BackingFault);
    await expect(started).rejects.toMatchObject({ reason: 'PORT_TAKEN' });
  });
});

function ports({ postgres, nats, openfga }: Running): number[] {
  return [...postgres.plan.ports, ...nats.plan.ports, ...openfga.plan.ports];
}

/** Returns access to a NATS of another operator. This NATS is planned, but never started. */
async function foreignAccess({ nats }: Binaries): Promise<NatsPlan['access']> {
  await using other = await scratchFolder();
  return (await planNats({ source: nats, state: await openState(join(other.path, 'state')) })).access;
}

async function restartOnly(state: State, { postgres }: Binaries): Promise<Pick<Running, 'postgres'>> {
  const plan = () => planPostgres({ source: postgres, state, volatile: true });
  return { postgres: await start(plan, { logFile: state.logFile('postgres') }) };
}
