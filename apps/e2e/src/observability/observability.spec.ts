import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deadlineIn, services } from '@platform/service';
import { otlpCollector, type OtlpCollector, ownBus, repositoryRoot, type SentSpan, until } from '@platform/testing';
import { adminHttp } from '../admin-http.ts';
import { type Organization, type Person, startWorld, type World } from '../orgs/world.ts';
import { readDeployed } from './deployed.ts';
import { readExposition } from './exposition.ts';
import { readExpression } from './promql.ts';
import { describeSecrets } from './secret-cases.ts';

const stack = new AsyncDisposableStack();
let world: World, collector: OtlpCollector;
let owner: Person, member: Person, organization: Organization;

beforeAll(async () => {
  collector = stack.use(await otlpCollector());
  const settings = { ...(await ownBus()).settings, 'telemetry.endpoint': collector.endpoint, 'log.level': 'trace' };
  world = stack.use(await startWorld({ ownProcess: { of: 'all', because: 'traced' }, settings }));
  [owner, member] = [await world.person(), await world.person()];
  organization = await world.organization(owner);
  await world.join(owner, organization.teams.Viewers, member);
}, 120_000);
afterAll(() => stack.disposeAsync());

const within = 30_000;

/** Trace headers of a caller, with the caller's ids. */
function callersTrace() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

/** `service name` of a span and its ancestors, outermost first; stops at a parent that is missing. */
function pathTo(span: SentSpan, spans: readonly SentSpan[]): string[] {
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(above === undefined ? [] : pathTo(above, spans)), `${span.service} ${span.name}`];
}

/** The attributes of a span, all values as text. */
function attributesOf({ attributes }: SentSpan): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}

/** The spans of a trace, once at least one span of each of these names has arrived. */
async function spansOf(traceId: string, ...names: string[]): Promise<SentSpan[]> {
  const found = () => collector.spans.filter((span) => span.traceId === traceId);
  const haveArrived = () => names.every((name) => found().some((span) => span.name === name));
  await until(haveArrived, { within, what: `spans ${names.join(', ')} arrive` });
  return found();
}

describe('the trace of a write', () => {
  it('is one tree from the gateway through the services to PostgreSQL and OpenFGA', async () => {
    const { traceId, spanId, headers } = callersTrace();
    const name = 'Secret-Zebras';
    const route = '/api/v1/orgs/{orgname}/teams';
    const made = await owner.http.post(`/api/v1/orgs/${organization.username}/teams`, {
      json: { name, type: 'kubernetes', permission: 'write' }, headers: { ...headers, 'X-Request-Id': 'r-write' },
    });
    expect(made.status).toBe(201);
    const spans = await spansOf(traceId, `POST ${route}`, 'postgres commit', 'OpenFGA Write');
    const call = 'controlplane.orgs.v1.TeamService/CreateTeam';
    const toService = [`gateway POST ${route}`, `gateway ${call}`, `orgs-teams ${call}`];
    const paths = spans.map((span) => pathTo(span, spans));
    expect(paths).toContainEqual(toService);
    const transaction = [...toService, 'orgs-teams postgres transaction'];
    expect(paths).toContainEqual([...transaction, 'orgs-teams postgres statement']);
    expect(paths).toContainEqual([...transaction, 'orgs-teams postgres commit']);
    const write = 'controlplane.authz.v1.DecisionService/WriteTuples';
    expect(paths).toContainEqual([...toService, `orgs-teams ${write}`, `authz ${write}`, 'authz OpenFGA Write']);
    expect(paths.filter(([root]) => root !== toService[0])).toEqual([]);
    const root = spans.find((span) => span.name === `POST ${route}`)!;
    expect(root).toMatchObject({ parentSpanId: spanId, kind: 2 });
    expect(attributesOf(root)).toMatchObject({
      'http.route': route, 'http.response.status_code': '201', 'platform.request_id': 'r-write',
    });
    const told = JSON.stringify(spans);
    const secrets = [owner.token, world.platform.serviceCredential, name, owner.username];
    for (const secret of secrets) expect(told).not.toContain(secret);
    const statements = spans.flatMap((span) => attributesOf(span)['db.query.text'] ?? []);
    expect(statements.some((text) => /insert into team\b/.test(text) && text.includes('$1'))).toBe(true);
  });

  it('goes on to the message bus', async () => {
    const { id } = await world.operator.admin.createBusAccount(
      { organization: organization.username, clusterUid: randomUUID(), productName: 'kubedb' },
      { deadline: deadlineIn(30_000), requestId: 'spec' },
    );
    const { traceId, headers } = callersTrace();
    const path = `/api/v1/orgs/${organization.username}/tokens/bus-tokens/${id}/revoke`;
    expect((await owner.http.post(path, { headers })).status).toBe(200);
    const spans = await spansOf(traceId, 'NATS push account', 'POST /api/v1/orgs/{orgname}/tokens/bus-tokens/{id}/revoke');
    const [root, ...rest] = pathTo(spans.find((span) => span.name === 'NATS push account')!, spans);
    expect(root).toMatch(/^gateway POST /);
    const call = 'controlplane.orgs.v1.TokenService/RevokeBusToken';
    expect(rest.slice(0, 2)).toEqual([`gateway ${call}`, `orgs-teams ${call}`]);
  });

  it('marks what failed by itself, and no refusal', async () => {
    const { traceId, headers } = callersTrace();
    const json = { name: 'Writers' };
    const refused = await member.http.patch(`/api/v1/teams/${organization.teams.Editors}`, { json, headers });
    expect(refused.status).toBe(403);
    const name = 'PATCH /api/v1/teams/{teamid}';
    const root = (await spansOf(traceId, name)).find((span) => span.name === name)!;
    expect(attributesOf(root)).toMatchObject({ 'http.response.status_code': '403', 'error.type': 'FORBIDDEN' });
    expect(root.status.code ?? 0).toBe(0);
  });

  it('is not made of the polling in the background', () => {
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '');
    expect(roots.length).toBeGreaterThan(0);
    expect(roots.filter(({ kind }) => kind === 3)).toEqual([]);
  });
});

describe('the log', () => {
  it('has one line of a request, and its id in the lines of every hop', async () => {
    const requestId = `spec-${randomUUID()}`;
    const path = `/api/v1/teams/${organization.teams.Editors}?token=${member.token}`;
    const headers = { 'X-Request-Id': requestId };
    const refused = await member.http.patch(path, { json: { name: 'Writers' }, headers });
    expect(refused.status).toBe(403);
    const { services } = world.platform;
    const linesOf = (name: keyof typeof services) =>
      services[name].replicas[0].log.filter((line) => line.includes(requestId));
    const areWritten = () => linesOf('gateway').length > 0 && linesOf('orgs-teams').length > 0;
    await until(areWritten, { within, what: 'the lines are written' });
    const parsed = (name: keyof typeof services) => linesOf(name)
      .map((line) => JSON.parse(line) as { level: string }).filter(({ level }) => !['debug', 'trace'].includes(level));
    expect(parsed('gateway')).toEqual([expect.objectContaining({
      message: 'request', method: 'PATCH', route: '/api/v1/teams/{teamid}', status: 403, reason: 'FORBIDDEN',
      query: '[redacted]',
    })]);
    expect(parsed('orgs-teams')).toEqual([
      expect.objectContaining({ message: 'refused: the caller lacks the relation', relation: 'can_edit' }),
    ]);
    const everything = Object.values(services).flatMap(({ replicas: [{ log }] }) => log).join('\n');
    expect(everything).not.toContain(member.token);
  });
});

describe('health', () => {
  it.each(services.map(({ name }) => name))('of %s is shown at /livez and /readyz', async (name) => {
    const admin = adminHttp(world.platform.services[name].addresses['admin']!);
    expect([(await admin.get('/livez')).status, (await admin.get('/readyz')).status]).toEqual([200, 200]);
  });

  it('of the gateway is shown to everybody', async () => {
    for (const path of ['/livez', '/readyz']) expect((await world.nobody.get(path)).status).toBe(200);
    expect((await world.nobody.get('/metrics')).status).toBe(404);
  });
});

describe('the metrics', () => {
  let exposed: ReturnType<typeof readExposition>;
  beforeAll(async () => {
    await owner.http.get(`/api/v1/orgs/${organization.username}/teams`);
    const texts = Object.values(world.platform.services).map(async ({ addresses }) =>
      (await adminHttp(addresses['admin']!).get('/metrics')).text);
    exposed = readExposition(await Promise.all(texts));
  });

  it('count requests by template of the route, and never by path', async () => {
    await world.nobody.get('/wp-login.php');
    const routes = (exposed.series.get('http_requests_total') ?? []).map(({ route }) => route);
    expect(routes).toContain('/api/v1/orgs/{orgname}/teams');
    expect(routes.filter((route) => !/^(unmatched|\/[a-zA-Z0-9/._{}-]*)$/.test(route!))).toEqual([]);
    for (const path of [organization.username, owner.username, 'wp-login']) expect(routes.join(' ')).not.toContain(path);
  });

  it('say what was refused to whom lacked what', () => {
    const [service, method] = ['orgs-teams', 'controlplane.orgs.v1.TeamService.UpdateTeam'];
    const lacked = { relation: 'can_edit', object_type: 'team', service };
    expect(exposed.series.get('authorization_refusals_total')).toContainEqual(lacked);
    expect(exposed.series.get('rpc_server_requests_total')).toContainEqual({ method, reason: 'FORBIDDEN', service });
  });

  it('are named and explained as Prometheus would have it', () => {
    for (const [name, type] of exposed.types) {
      if (type === 'counter') expect(name).toMatch(/_total$/);
      if (type !== 'histogram part') expect([name, exposed.help.get(name)]).toEqual([name, expect.stringMatching(/\w{3}/)]);
    }
  });

  it('are on the page of metrics, with their type, labels and help', async () => {
    const page = await readFile(join(repositoryRoot, 'docs/metrics.md'), 'utf8');
    const rows = new Map([...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm)]
      .map(([, name, type, labels, help]) => [name!, { type, labels: new Set(labels!.match(/\w+/g)), help }]));
    const shown = [...exposed.help.keys()].filter((name) => !/^(?:process_|nodejs_|platform_build_info$)/.test(name));
    expect(shown.length).toBeGreaterThan(30);
    for (const name of shown) {
      expect([name, rows.get(name)?.type, rows.get(name)?.help]).toEqual([name, exposed.types.get(name), exposed.help.get(name)]);
      const labels = ['', '_count'].flatMap((part) => exposed.series.get(name + part) ?? []).flatMap((one) => Object.keys(one));
      expect([name, [...new Set(labels)].filter((label) => label !== 'service' && !rows.get(name)!.labels.has(label))])
        .toEqual([name, []]);
    }
  });

  it('include all that dashboard and rules read, with these labels', async () => {
    const { expressions, recorded } = await readDeployed();
    // Prometheus itself makes this series, with the labels of the scrape job.
    const [ofPrometheus, ofTargets] = [['up', 'ALERTS'], ['job', 'instance', 'service']];
    const missing: string[] = [];
    for (const expression of expressions) {
      const { metrics, grouping } = readExpression(expression);
      expect(metrics.length).toBeGreaterThan(0);
      for (const { metric, labels } of metrics) {
        if (ofPrometheus.includes(metric) || recorded.has(metric)) continue;
        if (!exposed.types.has(metric)) missing.push(`${metric} in ${expression}`);
        const series = exposed.series.get(metric) ?? [];
        const known = new Set([...series.flatMap((one) => Object.keys(one)), ...ofTargets]);
        for (const { label, operator, value } of labels) {
          if (series.length > 0 && !known.has(label)) missing.push(`${metric}{${label}} in ${expression}`);
          // Gauges exist from the start.
          const named = exposed.types.get(metric) === 'gauge' && operator === '=' && !ofTargets.includes(label);
          if (named && !series.some((one) => one[label] === value)) missing.push(`${metric}{${label}="${value}"}`);
        }
      }
      const all = metrics.flatMap(({ metric }) => readExpression(recorded.get(metric) ?? metric).metrics);
      const grouped = new Set(all.flatMap(({ metric }) => (exposed.series.get(metric) ?? []).flatMap((one) => Object.keys(one))));
      for (const label of grouping) {
        if (grouped.size > 0 && ![...grouped, ...ofTargets].includes(label)) missing.push(`${label} of ${expression}`);
      }
    }
    expect(missing).toEqual([]);
    expect(expressions.length).toBeGreaterThan(60);
  });
});

describeSecrets(() => ({ world, collector, person: owner, organization }));
