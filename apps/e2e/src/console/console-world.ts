import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LabProvider, startLabProvider } from '@platform/lab/oidc';
import { testSmtp, type TestSmtp } from '@platform/mail/fixtures';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import { deadlineIn } from '@platform/service';
import { type Browser, freePort, repositoryRoot, rpcClient, testLab } from '@platform/testing';
import { settingOf } from '../examples/example-world.ts';
import { fakeGrafana } from '../metricsproxy/fake-grafana.ts';
import { specCall } from '../operator.ts';
import type { Organization, Person } from '../orgs/world.ts';
import { startUsageWorld, type UsageMember, type UsageWorld } from '../usage/usage-world.ts';
import type { PlatformOptions } from '../platform.ts';
import { openVisitor, type Visitor, type VisitorOptions } from './visitor.ts';

/** The world of all stories: a running platform, people, an organization with usage, and a browser. */
export interface ConsoleWorld extends UsageWorld {
  readonly owner: Person;
  readonly acme: Organization;
  readonly paris: UsageMember;
  /** Signs people in, as "the lab". */
  readonly provider: LabProvider;
  /** Takes the mails. */
  readonly smtp: TestSmtp;
  /** Prefix for the names of objects that a story makes on the hub, because other specs share the hub. */
  readonly hubPrefix: string;
  /** Opens a browser for a person; {@link leave} closes it. */
  visit(person: Pick<Person, 'token'> | undefined, options?: Partial<VisitorOptions>): Promise<Visitor>;
  /** Sets the function that performs each act of later visitors. */
  actAround(act: NonNullable<VisitorOptions['around']>): void;
  /** Saves screenshots of open browsers in `node_modules/.cache/platform/console`. */
  keepPictures(name: string): Promise<void>;
  /** Closes the browsers of a story; returns the problems that they reported. */
  leave(): Promise<string[]>;
}

/** Public address of the dashboards. */
export const dashboards = 'https://dashboards.example.org';

const pictures = join(repositoryRoot, 'node_modules/.cache/platform/console');

/** Databases of January 2026, whose usage is final. */
const used = [
  { uid: 'a9a0f7d2-0a32-4c0b-8f7e-51d4f4c9f101', cpu: '1', memory: '2Gi', mode: 'prod' },
  { uid: 'a9a0f7d2-0a32-4c0b-8f7e-51d4f4c9f102', cpu: '500m', memory: '1Gi', mode: 'dev' },
];

export async function startConsoleWorld(
  start: () => Promise<Browser>, ownProcess?: PlatformOptions['ownProcess'],
): Promise<ConsoleWorld> {
  // The provider and mails link to this port, so it is chosen before the platform starts.
  const port = String(await freePort());
  const provider = await startLabProvider({ redirectUris: [`http://127.0.0.1:${port}/auth/oidc/lab/callback`] });
  const smtp = await testSmtp({ disabledCommands: ['STARTTLS'] });
  const grafana = await fakeGrafana('token-of-a-service-account');
  const settings = {
    'flavora.url': grafana.url, 'flavora.credential': 'token-of-a-service-account', 'flavora.publicURL': dashboards,
    'metricsproxy.allowedCIDRs': '127.0.0.0/8', 'metricsproxy.publicURL': `http://127.0.0.1:${port}/metrics-proxy`,
    'http.port': port, 'auth.oidc': JSON.stringify([settingOf(provider)]), 'mail.smtpURL': `smtp://${smtp.address}`,
  };
  const platform = startUsageWorld({ settings, ...(ownProcess && { ownProcess }) });
  const [world, browser, { hub }] = await Promise.all([platform, start(), testLab()]);
  const owner = await world.person('olivia');
  const acme = await world.organization(owner, { username: 'acme', full_name: 'Acme Works' });
  const paris = await world.member(acme, 'productdb-enterprise');
  const now = Date.now();
  await world.enter(paris, [
    ...used.map((object) => ({ ...object, time: '2026-01-01T00:00:00Z', repeatedUntil: '2026-01-11T00:00:00Z' })),
    ...used.map(({ uid, ...object }) => (
      { uid, ...object, action: 'deleted' as const, generation: 2, time: '2026-01-11T00:00:00Z' })),
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
    hubPrefix: `c${randomUUID().slice(0, 6)}`,
    visit: async (person, options) => {
      const visitor = await openVisitor(browser, person, { baseUrl: world.platform.baseUrl, ...around, ...options });
      visitors.push(visitor);
      return visitor;
    },
    actAround: (act) => {
      around = { around: act };
    },
    keepPictures: async (name) => {
      for (const [index, { page }] of visitors.entries()) {
        await page.screenshot({ path: join(pictures, `${name} ${index}.png`), fullPage: true });
      }
    },
    leave: async () => {
      around = {};
      const left = visitors.splice(0);
      await Promise.all(left.map(({ page }) => page.context().close()));
      return left.flatMap(({ faults }) => faults);
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await world[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
      await grafana[Symbol.asyncDispose]();
    },
  };
}

/** A cluster of acme with the name `hub`. */
async function importHub({ platform: { grpc, serviceCredential } }: UsageWorld, kubeconfig: string): Promise<void> {
  await using registry = await rpcClient(ClusterAdminServiceService, grpc.clusters.split(','), { serviceCredential });
  await registry.importCluster({
    owner: 'acme', name: 'hub', kubeconfig, uid: '', displayName: undefined, provider: undefined, hub: true,
  }, { ...specCall(), deadline: deadlineIn(30_000) });
}
