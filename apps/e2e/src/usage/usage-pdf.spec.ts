import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holding, misplacedPieces, type PdfPage, readPdf, shareOf, until } from '@platform/testing';
import { bind, ok } from '../contracts/contract-world.ts';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import { measureDocuments, name } from './usage-document.proof.ts';
import { startUsageWorld, usageHosts, type UsageMember, type UsageWorld } from './usage-world.ts';

type Quantities = Readonly<Record<'cpu' | 'memory', number>>;
interface View {
  readonly totals: Quantities & Partial<Readonly<Record<'prod' | 'nonProd' | 'free', Quantities>>>;
  readonly rows: readonly Readonly<Record<string, unknown> & { usage: Quantities }>[];
}

const names = ['orders', 'שלום עולם', '数据库', '데이터베이스', 'evil\u202Egnp.exe', `long-${'name-'.repeat(60)}end`];
const january = '/api/v1/dashboard/summary/2026/01';

let world: UsageWorld;
let admin: Person['http'];
let owner: Person;
let acme: Organization;
let member: UsageMember;

beforeAll(async () => {
  const ownProcess = { of: ['billing-dashboard'], because: 'measured' } as const;
  world = await startUsageWorld({ hosts: usageHosts, ownProcess });
  admin = world.siteAdmin.http;
  owner = await world.person();
  acme = await world.organization(owner, { username: 'acme.Databases' });
  member = await world.member(acme, 'productdb-enterprise');
  const contract = await world.contract(acme.id, {
    name: 'عقد قواعد البيانات', products: ['productdb'], start: Date.parse('2026-01-03T00:00:00Z') / 1000,
  });
  await bind(admin, contract.id, [{ cluster: member.clusterUid }]);
  await world.enter(member, names.map((name, place) => ({
    uid: `object-${place}`, time: `2026-01-0${place + 1}T00:00:00Z`, repeatedUntil: '2026-01-11T00:00:00Z',
    cpu: `${333 * (place + 1)}m`, memory: `${place + 1}Gi`, mode: place % 2 === 0 ? 'prod' : 'dev',
    kind: place < 4 ? 'Postgres' : 'Redis', spec: { name },
  })));
  // Waits until the usage is counted as billable.
  await until(async () => {
    const answer = await admin.get(`${views}/objects-usage-view?org=${acme.username}&view_type=billable`);
    return answer.status === 200 && answer.json<View>().rows.length === names.length;
  }, { within: 60_000, what: 'the usage is counted' });
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const views = `${january}/usage-report/products/productdb/views`;
const view = async (name: string, query = '') =>
  ok<View>(await admin.get(`${views}/${name}?org=${acme.username}${query}`));
const download = async (org = acme.username) => {
  const answer = await admin.get(`${january}/download?org=${org}`);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
};

describe('the document of a month', () => {
  it('is a download whose figures are those of the views', async () => {
    const answer = await download();
    expect(answer.header('content-type')).toBe('application/pdf');
    expect(answer.header('content-disposition')).toBe('attachment; filename="usage-acme.Databases-2026-01.pdf"');
    // Absent if making the document took so long that the answer had already begun.
    expect([String(answer.body.length), undefined]).toContain(answer.header('content-length'));
    expect(answer.body.toString('latin1', 0, 5)).toBe('%PDF-');
    const pages = await readPdf(answer.body);
    expect(pages.flatMap(misplacedPieces)).toEqual([]);
    const { totals } = await view('objects-usage-view');
    const billable = (await view('objects-usage-view', '&view_type=billable')).totals;
    const [title] = pages;
    for (const [line, { cpu, memory }] of [
      ['All usage', totals], ['Billable', billable], ['Production', billable.prod!],
      ['Non-production', billable.nonProd!], ['Free', billable.free!],
    ] as const) expect([line, figuresOf(title!, line)]).toEqual([line, [cpu, memory]]);
    expect(title!.text).toContain('Final since 2026-03-08T00:00:00Z');
    const text = pages.map((page) => page.text).join('\n');
    for (const part of ['kind', 'cluster', 'contract', 'object']) expect(text).toContain(`Usage by ${part}`);
    const numbers = new Set(pages.flatMap(({ pieces }) => pieces.map((piece) => Number(piece.text.replaceAll(',', '')))));
    for (const name of ['gks-usage-view', 'clusters-usage-view', 'contracts-usage-view', 'objects-usage-view']) {
      for (const { usage } of (await view(name)).rows) {
        expect(numbers).toContain(usage.cpu);
        expect(numbers).toContain(usage.memory);
      }
    }
    const letters = text.replaceAll(/\s/g, '');
    for (const part of ['orders', '数据库', '데이터베이스', 'evil\uFFFDgnp.exe', member.clusterUid]) {
      expect(letters).toContain(part);
    }
    expect(text).toContain('Outside any contract');
  });

  it('is the same file each time once the month is final, with the branding as it is', async () => {
    const one = await download();
    expect(one.body.equals((await download()).body)).toBe(true);
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"><rect width="9" height="3"/></svg>');
    const json = { appName: 'Contoso 平台', primaryColor: '#ffffff', logo: logo.toString('base64') };
    ok(await admin.post('/api/v1/branding?org=administration', { json }));
    const other = await download();
    expect(one.body.equals(other.body)).toBe(false);
    const pages = await readPdf(other.body);
    for (const { text } of pages) expect(text).toContain('Contoso 平台');
  });

  it('of all owners names them', async () => {
    const pages = await readPdf((await download('administration')).body);
    expect(pages[0]!.text).toMatch(/administration, January 2026/);
    expect(pages.map(({ text }) => text).join()).toMatch(/acme\.Databases · /);
  });

  it('that can still change says so', async () => {
    const time = new Date(Date.now() - 60_000).toISOString();
    await member.send({ uid: 'today', time });
    const answer = await until(async () => {
      const [year, month] = time.split('-');
      const found = await admin.get(`/api/v1/dashboard/summary/${year}/${month}/download?org=${acme.username}`);
      return found.status === 200 && found;
    }, { within: 60_000, what: 'the month is generated' });
    const pages = await readPdf(answer.body);
    expect(pages[0]!.text).toMatch(/Preliminary, as of \d{4}-\d\d-\d\dT/);
  });

  it('takes bounded CPU and memory (a share of the proof usage-document)', async () => {
    expect(await shareOf({ name, prove: (options) => measureDocuments(world, options) }, 0.02)).toEqual(holding);
  }, 60_000);

  it('is refused for months without it, and to everybody but site admins', async () => {
    const get = (path: string, http = admin) => http.get(`/api/v1/dashboard/summary/${path}`);
    const own = `org=${acme.username}`;
    const another = await world.organization(owner);
    const refused: readonly (readonly [what: string, path: string, expected: string, http?: Person['http']])[] = [
      ['not generated', `2025/12/download?${own}`, '404 not_found'],
      ['in the future', `2099/January/download?${own}`, '404 not_found'],
      ['no month', `2026/13/download?${own}`, '400 invalid_parameter'],
      ['no year', `26/01/download?${own}`, '400 invalid_parameter'],
      ['no organization', '2026/01/download', '400 missing_org'],
      ['unknown organization', '2026/01/download?org=nobody', '404 not_found'],
      ['another organization', `2026/01/download?org=${another.username}`, '404 not_found'],
      ['an owner', `2026/01/download?${own}`, '403 forbidden', owner.http],
      ['nobody', `2026/01/download?${own}`, '401 unauthenticated', world.nobody],
    ];
    for (const [what, path, expected, http] of refused) {
      expect([what, outcome(await get(path, http))]).toEqual([what, expected]);
    }
  });
});

/** CPU and memory of a line of the title page. */
function figuresOf({ text }: PdfPage, name: string): number[] {
  const line = text.split('\n').find((one) => one.trim().startsWith(name)) ?? '';
  return [...line.matchAll(/([\d,.]+)\s+(?:core|GiB)-/g)].map(([, figure]) => Number(figure!.replaceAll(',', '')));
}
