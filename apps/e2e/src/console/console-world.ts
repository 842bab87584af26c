import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startLabProvider } from '@platform/lab/oidc';
import { testSmtp } from '@platform/mail/fixtures';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import { deadlineIn } from '@platform/service';
import { type Browser, freePort, repositoryRoot, rpcClient, testLab } from '@platform/testing';
import { settingOf } from '../examples/example-world.ts';
import { fakeGrafana } from '../metricsproxy/fake-grafana.ts';
import { specCall } from '../operator.ts';
import type { Person } from '../orgs/world.ts';
import { startUsageWorld, type UsageWorld } from '../usage/usage-world.ts';
import type { PlatformOptions } from '../platform.ts';
import { openVisitor, type Visitor, type VisitorOptions } from './visitor.ts';

export type ConsoleWorld = Awaited<ReturnType<typeof startConsoleWorld>>;

/** Public address of the dashboards. */
export const dashboards = 'https://dashboards.example.org';

const pictures = join(repositoryRoot, 'node_modules/.cache/platform/console');

/** Databases of January 2026, whose usage is final. */
const used = [
  { uid: 'a9a0f7d2-0a32-4c0b-8f7e-51d4f4c9f101', cpu: '1', memory: '2Gi', mode: 'prod' },
  { uid: 'a9a0f7d2-0a32-4c0b-8f7e-51d4f4c9f102', cpu: '500m', memory: '1Gi', mode: 'dev' },
];

/**
 * The world of all stories: a running platform, people, an organization with usage, a browser, a `provider` that signs
 * people in as "the lab", and a server that takes the mails.
 */
export async function startConsoleWorld(start: () => Promise<Browser>, ownProcess?: PlatformOptions['ownProcess']) {
  // The provider and mails link to this port, so it is chosen before the platform starts.
  const port = String(await freePort());
  const stack = new AsyncDisposableStack();
  const redirectUris = [`http://127.0.0.1:${port}/auth/oidc/lab/callback`];
  const provider = stack.use(await startLabProvider({ redirectUris }));
  const smtp = stack.use(await testSmtp({ disabledCommands: ['STARTTLS'] }));
  const grafana = stack.use(await fakeGrafana('token-of-a-service-account'));
  const settings = {
    'flavora.url': grafana.url, 'flavora.credential': 'token-of-a-service-account', 'flavora.publicURL': dashboards,
    'metricsproxy.allowedCIDRs': '127.0.0.0/8', 'metricsproxy.publicURL': `http://127.0.0.1:${port}/metrics-proxy`,
    'http.port': port, 'auth.oidc': JSON.stringify([settingOf(provider)]), 'mail.smtpURL': `smtp://${smtp.address}`,
  };
  const platform = startUsageWorld({ settings, ...(ownProcess && { ownProcess }) });
  const [world, browser, { hub }] = await Promise.all([platform, start(), testLab()]);
  stack.use(world);
  stack.defer(() => browser.close());
  const owner = await world.person('olivia');
  const acme = await world.organization(owner, { username: 'acme', full_name: 'Acme Works' });
  const paris = await world.member(acme, 'productdb-enterprise');
  const now = Date.now();
  await world.enter(paris, [
    ...used.map((object) => ({ ...object, time: '2026-01-01T00:00:00Z', repeatedUntil: '2026-01-11T00:00:00Z' })),
    ...used.map((object) => ({ ...object, action: 'deleted' as const, generation: 2, time: '2026-01-11T00:00:00Z' })),
    // Use in the present month, for quotas: large enough to be visible after seconds.
    {
      uid: 'a9a0f7d2-0a32-4c0b-8f7e-51d4f4c9f103', cpu: '1', memory: '40Ti', mode: 'prod',
      time: new Date(now - 1_000).toISOString(), repeatedUntil: new Date(now + 3_600_000).toISOString(),
    },
  ]);
  await importHub(world, await readFile(hub.kubeconfig, 'utf8'));
  const visitors: Visitor[] = [];
  let around: Pick<VisitorOptions, 'around'> = {};
  return {
    ...world, owner, acme, paris, provider, smtp,
    /** Prefix for the names of objects that a story makes on the hub, because other specs share the hub. */
    hubPrefix: `c${randomUUID().slice(0, 6)}`,
    /** Opens a browser for a person; `leave` closes it. */
    visit: async (person: Pick<Person, 'token'> | undefined, options?: Partial<VisitorOptions>) => {
      const visitor = await openVisitor(browser, person, { baseUrl: world.platform.baseUrl, ...around, ...options });
      visitors.push(visitor);
      return visitor;
    },
    /** Sets the function that performs each act of later visitors. */
    actAround: (act: NonNullable<VisitorOptions['around']>) => void (around = { around: act }),
    /** Saves screenshots of open browsers in `node_modules/.cache/platform/console`. */
    keepPictures: async (name: string) => {
      for (const [index, { page }] of visitors.entries()) {
        await page.screenshot({ path: join(pictures, `${name} ${index}.png`), fullPage: true });
      }
    },
    /** Closes the browsers of a story; returns the problems that they reported. */
    leave: async () => {
      around = {};
      const left = visitors.splice(0);
      await Promise.all(left.map(({ page }) => page.context().close()));
      return left.flatMap(({ faults }) => faults);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A cluster of acme with the name `hub`. */
async function importHub({ platform: { grpc, serviceCredential } }: UsageWorld, kubeconfig: string): Promise<void> {
  await using registry = await rpcClient(ClusterAdminServiceService, grpc.clusters.split(','), { serviceCredential });
  await registry.importCluster({
    owner: 'acme', name: 'hub', kubeconfig, uid: '', displayName: undefined, provider: undefined, hub: true,
  }, { ...specCall(), deadline: deadlineIn(30_000) });
}
