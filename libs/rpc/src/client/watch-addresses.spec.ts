import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { deadlineIn } from '@platform/service';
import { freePort, until } from '@platform/testing';
import { serviceCredential } from '../fixtures/guarded-world.ts';
import { serveVersion, versionSurface } from '../fixtures/version-server.ts';
import { implement } from '../server/implement.ts';
import { connect } from './client.ts';
import { type FoundAddress, watchAddresses } from './watch-addresses.ts';

const ipv4 = (...addresses: readonly string[]): readonly FoundAddress[] => {
  return addresses.map((address) => ({ address, family: 4 }));
};
const unknownName = (): Error => Object.assign(new Error('getaddrinfo ENOTFOUND orgs'), { code: 'ENOTFOUND' });

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

/** Pods of one service behind the name `orgs`, and a client of the platform that calls it. */
async function world() {
  const port = await freePort();
  /** Current addresses of the name. If the list is empty, the name does not exist. */
  let behind: readonly string[] = [];
  const client = stack.use(connect(VersionServiceService, {
    surface: await versionSurface(),
    name: 'orgs-teams',
    addresses: [`orgs:${port}`],
    serviceCredential,
    lookup: async () => {
      if (behind.length === 0) throw unknownName();
      return ipv4(...behind);
    },
  }));
  return {
    /** Starts a pod whose answer is its address. */
    pod: async (address: string, before: () => Promise<void> = async () => undefined): Promise<string> => {
      const services = [implement(VersionServiceService, {
        getVersion: async () => {
          await before();
          return { version: address };
        },
      })];
      stack.use(await serveVersion(() => address, { services, listen: `${address}:${port}` }));
      return address;
    },
    resolveTo: (...addresses: readonly string[]): void => void (behind = addresses),
    call: async (): Promise<string> => {
      return (await client.getVersion({}, { deadline: deadlineIn(20_000), requestId: 'spec' })).version;
    },
  };
}

/** The sessions of clients in this process, by the address of the other side. */
function watchSessions(): ReadonlyMap<string, ReadonlySet<ClientHttp2Session>> {
  const sessions = new Map<string, Set<ClientHttp2Session>>();
  const watch = (message: unknown): void => {
    const { session } = (message as { stream: ClientHttp2Stream }).stream;
    const address = session?.socket.remoteAddress ?? '';
    sessions.set(address, (sessions.get(address) ?? new Set()).add(session as ClientHttp2Session));
  };
  subscribe('http2.client.stream.created', watch);
  stack.defer(() => void unsubscribe('http2.client.stream.created', watch));
  return sessions;
}

describe('the replicas behind a name', () => {
  it('share calls with those that come later, over one connection to each', async () => {
    const { pod, resolveTo, call } = await world();
    const sessions = watchSessions();
    const first = await pod('127.0.0.1');
    resolveTo(first);
    expect(new Set(await Promise.all(Array.from({ length: 20 }, call)))).toEqual(new Set([first]));

    const all = [first, await pod('127.0.0.2'), await pod('127.0.0.3')];
    resolveTo(...all);
    const seen = new Set<string>();
    await until(async () => seen.add(await call()).size === all.length, { what: 'all pods are called' });
    const answers: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) answers.push(await call());
    expect(all.map((address) => answers.filter((answer) => answer === address).length)).toEqual([10, 10, 10]);
    expect(all.map((address) => sessions.get(address)?.size)).toEqual([1, 1, 1]);
  });

  it('finish their calls when they leave, and get no others', async () => {
    const { pod, resolveTo, call } = await world();
    const sessions = watchSessions();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const leaving = await pod('127.0.0.1', () => mayAnswer);
    resolveTo(leaving);
    const begun = call();
    await until(() => sessions.has(leaving), { what: 'the call has begun' });

    resolveTo(await pod('127.0.0.2'));
    // A call that still reaches the leaving pod waits, like the first call, until `answer` is called.
    const others: Promise<string>[] = [];
    let isFound = false;
    await until(() => {
      others.push(call().then((address) => {
        isFound ||= address !== leaving;
        return address;
      }));
      return isFound;
    }, { what: 'the other pod is called' });
    await expect(call()).resolves.toBe('127.0.0.2');
    answer();
    await expect(begun).resolves.toBe(leaving);
    const [session] = sessions.get(leaving)!;
    await until(() => session!.destroyed, { what: 'the connection is closed' });
    expect(new Set(await Promise.all([...others, call()]))).toEqual(new Set([leaving, '127.0.0.2']));
  });

  it('stay when the name has no address for a while, and are refused by name before it has one', async () => {
    const { pod, resolveTo, call } = await world();
    await expect(call()).rejects.toMatchObject({ reason: 'UNAVAILABLE', cause: { code: 'ENOTFOUND' } });
    const only = await pod('127.0.0.1');
    resolveTo(only);
    await expect(call()).resolves.toBe(only);
    resolveTo();
    await expect(call()).resolves.toBe(only);
  });

  it('are found by a call that waits for them', async () => {
    const { pod, resolveTo, call } = await world();
    const gone = '127.0.0.1';
    resolveTo(gone);
    await expect(call()).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    resolveTo(gone, await pod('127.0.0.2'));
    await expect(call()).resolves.toBe('127.0.0.2');
  });
});

describe('the addresses of a name', () => {
  const addressesFor = async (found: readonly FoundAddress[], ...configured: readonly string[]) => {
    const watched = watchAddresses(configured, async () => found, () => undefined);
    await watched.lookUp();
    return watched.current;
  };

  it('are those of one family, for each pod has one of each', async () => {
    const found = [...ipv4('10.0.0.1', '10.0.0.2'), { address: 'fd00::1', family: 6 }, { address: 'fd00::2', family: 6 }];
    expect(await addressesFor(found, 'orgs:80')).toEqual(['10.0.0.1:80', '10.0.0.2:80']);
    expect(await addressesFor(found.toReversed(), 'orgs:80')).toEqual(['[fd00::2]:80', '[fd00::1]:80']);
  });

  it('are left to gRPC for one machine, which may listen on one family', async () => {
    expect(await addressesFor([{ address: '::1', family: 6 }, ...ipv4('127.0.0.1')], 'localhost:80')).toEqual(['localhost:80']);
  });

  it('come beside addresses that are configured, each once', async () => {
    const configured = ['orgs:80', '10.0.0.1:80', '[::1]:80', 'teams:80'];
    expect(await addressesFor(ipv4('10.0.0.1'), ...configured)).toEqual(['10.0.0.1:80', '[::1]:80']);
  });

  it('are looked up one name after the other once they are known', async () => {
    let running = 0;
    let most = 0;
    const lookup = async () => {
      most = Math.max(most, running += 1);
      await new Promise(setImmediate);
      running -= 1;
      return ipv4('10.0.0.1');
    };
    const watched = ['a:1', 'b:1', 'c:1'].map((address) => watchAddresses([address], lookup, () => undefined));
    const lookUp = async (): Promise<number> => {
      most = 0;
      await Promise.all(watched.map((one) => one.lookUp()));
      return most;
    };
    expect(await lookUp()).toBe(3);
    expect(await lookUp()).toBe(1);
  });
});
