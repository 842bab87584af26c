import { mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  natsAuthority, natsConfiguration, natsPreload, openfgaConfiguration, openState, probeNats, probeOpenfga,
  probePostgres, publicImage, removeState, type Report, until,
} from '@platform/backing';
import { provisionDatabase } from '@platform/postgres';
import { GenericContainer, Network, type StartedTestContainer, Wait } from 'testcontainers';

/** Variable with the name of the images, in which `{server}` stands for postgres, nats or openfga. */
const imagesVariable = 'PLATFORM_TEST_IMAGES';

/** Servers in containers. Disposing removes the containers. */
interface ContainerServers extends AsyncDisposable {
  /** The variables that name the servers to `findServers`. */
  readonly environment: Readonly<Record<string, string>>;
}

const startMs = 60_000;

async function imageOf(server: 'postgres' | 'nats' | 'openfga'): Promise<string> {
  return process.env[imagesVariable]?.replaceAll('{server}', server) ?? await publicImage(server);
}

/** Starts PostgreSQL, NATS and OpenFGA in containers, each at a free port of this machine. */
export async function startContainers(report: Report, signal: AbortSignal): Promise<ContainerServers> {
  // The keeper removes its containers itself. So the reaper of testcontainers, and its image, are not needed.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  await using stack = new AsyncDisposableStack();
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
  const network = stack.use(await new Network().start());
  const run = async (container: GenericContainer): Promise<StartedTestContainer> =>
    stack.use(await container.withNetwork(network).start());

  report('Starting PostgreSQL, NATS and OpenFGA in containers.');
  const password = randomBytes(16).toString('hex');
  const postgres = await run(new GenericContainer(await imageOf('postgres'))
    .withExposedPorts(5432).withEnvironment({ POSTGRES_PASSWORD: password })
    .withCommand(['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=400', '-c', 'timezone=UTC'])
    .withWaitStrategy(Wait.forLogMessage('ready to accept connections')));
  const superuserUrl = `postgres://postgres:${password}@${postgres.getHost()}:${postgres.getMappedPort(5432)}/postgres`;
  await until((attempt) => probePostgres(superuserUrl, attempt), deadline);

  const home = await mkdtemp(join(tmpdir(), 'platform-containers-'));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  const state = await openState(home);
  stack.defer(() => removeState(home));
  const authority = await natsAuthority(state);
  const configuration = natsConfiguration(authority, {
    listen: '0.0.0.0:4222', jetstream: '/data/jetstream', accounts: '/data/accounts', volatile: true,
    include: './accounts.conf',
  });
  const nats = await run(new GenericContainer(await imageOf('nats'))
    .withExposedPorts(4222).withCommand(['-c', '/etc/platform/nats.conf'])
    .withCopyContentToContainer([
      { content: configuration, target: '/etc/platform/nats.conf' },
      { content: natsPreload(authority), target: '/etc/platform/accounts.conf' },
    ])
    .withWaitStrategy(Wait.forLogMessage('Server is ready')));
  const access = {
    url: `nats://${nats.getHost()}:${nats.getMappedPort(4222)}`,
    credentials: authority.credentials, systemCredentials: authority.systemCredentials,
    accountSeed: authority.account.seed, operatorSeed: authority.operatorSeed,
  };
  await until((attempt) => probeNats(access, attempt), deadline);

  const { url } = await provisionDatabase({ superuserUrl, database: 'openfga', role: 'openfga' });
  const datastore = Object.assign(new URL(url.reveal()), { host: `${postgres.getIpAddress(network.getName())}:5432` });
  const presharedKey = randomBytes(32).toString('hex');
  const settings = JSON.stringify(openfgaConfiguration({
    httpAddress: '0.0.0.0:8080', grpcAddress: '0.0.0.0:8081', datastoreUrl: datastore.href, presharedKey,
  }));
  const engine = async () => new GenericContainer(await imageOf('openfga'))
    .withCopyContentToContainer([{ content: settings, target: '/etc/openfga/config.yaml' }]);
  const migrated = await run((await engine()).withCommand(['migrate']).withWaitStrategy(Wait.forOneShotStartup()));
  await migrated.stop();
  const openfga = await run((await engine()).withExposedPorts(8080).withCommand(['run'])
    .withWaitStrategy(Wait.forHttp('/healthz', 8080)));
  const openfgaAccess = { url: `http://${openfga.getHost()}:${openfga.getMappedPort(8080)}`, presharedKey };
  await until((attempt) => probeOpenfga(openfgaAccess, attempt), deadline);

  const running = stack.move();
  return {
    environment: {
      PLATFORM_POSTGRES_URL: superuserUrl,
      PLATFORM_NATS_URL: access.url, PLATFORM_NATS_CREDENTIALS: access.credentials,
      PLATFORM_NATS_SYSTEM_CREDENTIALS: access.systemCredentials,
      PLATFORM_NATS_ACCOUNT_SEED: access.accountSeed, PLATFORM_NATS_OPERATOR_SEED: access.operatorSeed,
      PLATFORM_OPENFGA_URL: openfgaAccess.url, PLATFORM_OPENFGA_PRESHARED_KEY: presharedKey,
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
