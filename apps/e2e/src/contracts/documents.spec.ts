import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFileLinks } from '@platform/files';
import { sql } from '@platform/postgres';
import { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import { Secret } from '@platform/service';
import { as, rpcClient, until } from '@platform/testing';
import { type FormPart, formBody } from '../orgs/form-body.ts';
import { outcome, type Person } from '../orgs/world.ts';
import { byAdmin, type ContractWorld, day, inSeconds, ok, type ShownContract, startAcme } from './contract-world.ts';

const base = '/api/v1/contracts';
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
let world: ContractWorld, admin: Person['http'];
let owner: Person, viewer: Person, stranger: Person;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-documents-'));
  ({ world, admin, owner, viewer, stranger } = await startAcme({
    settings: { 'files.folder': folder }, replicas: { 'contracts-licensing': 2 },
  }));
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const text = (name: string, content: string): FormPart => ({ name, content });
const document = (content: string | Uint8Array = 'the contract', filename = 'Vertrag.PDF'): FormPart =>
  ({ name: 'document', filename, type: 'application/pdf', content });
const basic = (): FormPart[] => [
  text('orgOrUser', 'acme'), text('name', 'Basic'), text('products', 'platform'), text('end', String(inSeconds(day))),
];
const create = (...parts: readonly FormPart[]) => admin.post(base, { ...formBody(parts), within: 30_000 });
const put = (id: number, ...parts: readonly FormPart[]) => admin.put(`${base}/${id}`, formBody(parts));
const contractsWith = async (...parts: readonly FormPart[]) =>
  ok<ShownContract[]>(await create(...basic(), ...parts), 201);
const contractWith = async (...parts: readonly FormPart[]) => (await contractsWith(...parts))[0]!;
/** Path and query of the link to a document. */
async function linkOf(id: number, by = admin, query = '', path = base): Promise<string> {
  const { pathname, search } = new URL(ok<string>(await by.get(`${path}/${id}/document${query}`)));
  return pathname + search;
}
/** The generated name of a document. */
const nameOf = ({ documentPath }: ShownContract) => String(documentPath).split('/').at(-1)!;
const statusOf = async (link: string) => outcome(await world.nobody.get(link));
const contentOf = async (link: string) => (await world.nobody.get(link)).text;
const stored = () => readdir(join(folder, 'documents')).catch((): string[] => []);

describe('a document', () => {
  it('is stored with each contract that is created, under a generated name', async () => {
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    const contracts = await contractsWith(text('products', 'productdb'), document(content));
    expect(contracts.map(({ product }) => product)).toEqual(['platform', 'productdb']);
    for (const { id, documentPath } of contracts) {
      expect(documentPath).toMatch(new RegExp(`^contracts/${id}/${uuid}\\.pdf$`));
      expect(await world.events(id)).toEqual(byAdmin('contract.created', 'contract.document_uploaded'));
      const answer = await world.nobody.get(await linkOf(id));
      expect([answer.status, answer.body.equals(content)]).toEqual([200, true]);
    }
  });

  it('is linked to by a JSON string that works for 30 minutes, without a token, for GET and HEAD', async () => {
    const contract = await contractWith(document());
    const answer = await admin.get(`${base}/${contract.id}/document`);
    expect(answer.header('content-type')).toBe('application/json');
    const link = new URL(ok<string>(answer));
    expect(link.pathname).toBe(`/files/${contract['documentPath'] as string}`);
    const seconds = Number(link.searchParams.get('expires')) - inSeconds(0);
    expect(seconds).toBeGreaterThan(1_790);
    expect(seconds).toBeLessThanOrEqual(1_800);
    for (const method of ['GET', 'HEAD']) {
      const file = await world.nobody.send(method, link.pathname + link.search);
      expect([
        file.status, file.header('content-disposition'), file.header('content-type'), file.header('content-length'),
        file.header('x-content-type-options'), file.text,
      ]).toEqual([
        200, `attachment; filename="${nameOf(contract)}"`, 'application/octet-stream', '12', 'nosniff',
        method === 'GET' ? 'the contract' : '',
      ]);
    }
  });

  it('is a link that is signed with the secrets of the platform, expires, and is refused once altered', async () => {
    const contract = await contractWith(document());
    const { id, documentPath } = contract;
    const other = await contractWith(document('another one'));
    const { settings } = world.platform;
    const links = createFileLinks('', [new Secret(settings['contracts-licensing']['secrets.encryptionKeys']!)]);
    const signed = (path: unknown, seconds = 60) => statusOf(links.sign(String(path), inSeconds(seconds)));
    expect(await signed(documentPath)).toBe('200');
    for (const seconds of [0, -1]) expect(await signed(documentPath, seconds)).toBe('403 forbidden');
    expect(await signed(`contracts/${id}/gone.pdf`)).toBe('404 not_found');
    expect(await signed(`documents/${nameOf(contract)}`)).toBe('404 not_found');
    const link = await linkOf(id);
    const altered = [
      link.replace(`/contracts/${id}/`, `/contracts/${other.id}/`), link.replace('.pdf', '.txt'),
      link.replace(/expires=(\d+)/, (_, seconds: string) => `expires=${Number(seconds) + 1}`),
      link.replace(/expires=\d+/, 'expires='), link.replace(/expires=\d+&/, ''), link.replace(/&signature=.*/, ''),
      link.replace(/signature=./, (start) => (start.endsWith('A') ? 'signature=B' : 'signature=A')), `${link}=`, `${link}A`,
      link.slice(0, -1), link.replace('/files/', '/files/x/'), '/files/nothing/here?expires=9999999999&signature=AAAA',
      `/files/${encodeURIComponent('../../../etc/passwd')}?expires=9999999999&signature=AAAA`,
    ];
    for (const path of altered) expect([path, await statusOf(path)]).toEqual([path, '403 forbidden']);
    expect(await statusOf(link)).toBe('200');
  });

  it('has links that work on every replica and after a restart', async () => {
    const { id } = await contractWith(document());
    const link = await linkOf(id);
    const { replicas } = world.platform.services['contracts-licensing'];
    const answers = async () => [await contentOf(link), await contentOf(link)];
    expect(await answers()).toEqual(['the contract', 'the contract']);
    for (const replica of replicas) await replica.restart();
    await until(async () => (await admin.get(base)).status === 200, { within: 30_000, what: 'the service answers again' });
    expect(await answers()).toEqual(['the contract', 'the contract']);
  });

  it('is replaced by PUT: the old link is not found', async () => {
    const { id, documentPath } = await contractWith(document('old'));
    const old = await linkOf(id);
    const changed = ok<ShownContract>(await put(id, document('new', 'b.tar.gz')));
    expect(changed['documentPath']).toMatch(new RegExp(`^contracts/${id}/${uuid}\\.gz$`));
    expect(changed['documentPath']).not.toBe(documentPath);
    expect(await statusOf(old)).toBe('404 not_found');
    expect(await contentOf(await linkOf(id))).toBe('new');
    expect(await world.events(id)).toEqual(
      byAdmin('contract.created', 'contract.document_uploaded', 'contract.document_uploaded'));
  });

  it('may come with changes, which have an event of their own', async () => {
    const { id } = await contractWith();
    expect(outcome(await admin.get(`${base}/${id}/document`))).toBe('404 not_found');
    expect(ok(await put(id, text('name', 'Other'), document()))).toMatchObject({ name: 'Other' });
    expect(ok(await put(id, text('name', 'Other')))).toMatchObject({ documentPath: expect.stringContaining('.pdf') });
    expect(await world.events(id)).toEqual(
      byAdmin('contract.created', 'contract.updated', 'contract.document_uploaded'));
  });

  it('goes with its last contract, and its file soon after', async () => {
    const contracts = await contractsWith(text('products', 'productdb'), document());
    const [first, second] = contracts as [ShownContract, ShownContract];
    const links = [await linkOf(first.id), await linkOf(second.id)] as const;
    // Make the file old enough that no running change can name it.
    await world.rows.execute(sql`update document_file set stored_at = now() - interval '3 hours'`);
    expect(outcome(await admin.delete(`${base}/${first.id}`))).toBe('200');
    expect(await statusOf(links[0])).toBe('404 not_found');
    expect(await statusOf(links[1])).toBe('200');
    expect(outcome(await admin.delete(`${base}/${second.id}`))).toBe('200');
    expect(await statusOf(links[1])).toBe('404 not_found');
    await until(async () => !(await stored()).includes(nameOf(first)), { within: 30_000, what: 'the file is removed' });
    const unused = () => world.rows.one<{ left: number }>(sql`
      select count(*) as left from document_file
       where not exists (select from contract where document = document_file.name)`);
    await until(async () => (await unused()).left === 0, { within: 30_000, what: 'files that nobody names are forgotten' });
    const { used } = await world.rows.one<{ used: string[] }>(sql`
      select array_agg(distinct document order by document) as used from contract where document <> ''`);
    expect((await stored()).sort()).toEqual(used);
  });

  it.each([
    ['no.extension!', ''], ['a.b-c', ''], ['.env', '.env'], ['../../etc/passwd.TXT', '.txt'], ['C:\\x\\y.docx', '.docx'],
    ['ü💥.päx', ''], ['a.pdf ', ''], ['x'.repeat(2_000), ''], [`a.${'x'.repeat(17)}`, ''], ['a.pdf;b="c', ''], ['%2e%2e%2fx.7z', '.7z'],
  ])('keeps of the file name %j only the extension %j', async (filename, extension) => {
    const { id, documentPath } = await contractWith(document('x', filename.replaceAll('\\', '\\\\').replaceAll('"', '\\"')));
    expect(documentPath).toMatch(new RegExp(`^contracts/${id}/${uuid}${extension.replace('.', '\\.')}$`));
    expect(await contentOf(await linkOf(id))).toBe('x');
  });

  it('of 10 MiB is stored, one byte more is refused', async () => {
    const most = Buffer.alloc(10 * 1024 * 1024, 'x');
    const { id } = await contractWith(document(most));
    expect((await world.nobody.get(await linkOf(id))).body.equals(most)).toBe(true);
    for (const parts of [
      [document(Buffer.alloc(most.length + 1, 'x'))], [text('x', 'x'.repeat(3_000_000)), document(most)],
    ]) expect(outcome(await create(...basic(), ...parts))).toBe('413 body_too_large');
  });
});

describe('who may', () => {
  it('read a document of an account are those who may view its contracts', async () => {
    const { id } = await contractWith(document());
    const path = '/api/v1/user/contracts';
    const link = await linkOf(id, viewer.http, '?org=acme', path);
    expect((await stranger.http.get(link)).text).toBe('the contract');
    const read = async (who: Person['http'], query: string) => outcome(await who.get(`${path}/${id}/document${query}`));
    expect(await read(owner.http, '?org=ACME')).toBe('200');
    for (const { http } of [owner, stranger]) expect(await read(http, '')).toBe('404 not_found');
    expect(await read(stranger.http, '?org=acme')).toBe('403 not_org_member');
    expect(await read(world.nobody, '?org=acme')).toBe('401 unauthenticated');
    expect(await read(admin, '?org=acme')).toBe('200');
    await world.organization(owner, { username: 'other' });
    expect(await read(owner.http, '?org=other')).toBe('404 not_found');
    expect(await read(world.as(await world.operator.systemAdminToken('acme')), '')).toBe('200');
    const without = await contractWith();
    for (const other of [without.id, 999_999]) {
      expect(outcome(await owner.http.get(`${path}/${other}/document?org=acme`))).toBe('404 not_found');
    }
  });

  it('read it on the routes of site admins are site admins, of the account named', async () => {
    const { id } = await contractWith(document());
    const read = async (who: Person['http'], query: string) => outcome(await who.get(`${base}/${id}/document${query}`));
    expect(await read(owner.http, '?org=acme')).toBe('403 forbidden');
    expect(await read(world.nobody, '')).toBe('401 unauthenticated');
    for (const org of ['acme', 'administration']) expect(await read(admin, `?org=${org}`)).toBe('200');
    expect(await read(admin, `?org=${owner.username}`)).toBe('404 not_found');
    expect(outcome(await admin.get(`${base}/999999/document`))).toBe('404 not_found');
    expect(outcome(await admin.get(`${base}/x/document`))).toBe('400 invalid_parameter');
  });

  it('upload one are site admins: others store no byte', async () => {
    const { id } = await contractWith();
    const before = [await stored(), await readdir(join(folder, 'uploads'))];
    const parts = formBody([...basic(), document(Buffer.alloc(1_000_000))]);
    expect(outcome(await owner.http.post(`${base}?org=acme`, parts))).toBe('403 forbidden');
    expect(outcome(await owner.http.put(`${base}/${id}?org=acme`, parts))).toBe('403 forbidden');
    expect(outcome(await world.nobody.post(base, parts))).toBe('401 unauthenticated');
    expect([await stored(), await readdir(join(folder, 'uploads'))]).toEqual(before);
  });

  it('upload one over gRPC are the same, and a handle is of use to its caller alone', async () => {
    const contracts = await rpcClient(ContractServiceService, world.platform.services['contracts-licensing']);
    async function* requests() {
      yield { filename: 'a.pdf', contentType: '', chunk: Buffer.from('over gRPC') };
    }
    await expect(contracts.uploadNewDocument(requests(), as(owner.token))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const { upload } = await contracts.uploadNewDocument(requests(), as(world.siteAdmin.token));
    const other = await world.person(undefined, { admin: true });
    const { id } = await contractWith();
    const keep = (token: string, handle: string, content = '') => {
      const file = { filename: 'x.exe', contentType: '', content: Buffer.from(content), size: 0, upload: handle };
      return contracts.updateContract({ id, contract: { document: file } }, as(token));
    };
    const { token } = world.siteAdmin;
    for (const [by, handle, content] of [
      [other.token, upload, ''], [token, `${upload}x`, ''], [token, '', 'in the message'],
    ] as const) {
      await expect(keep(by, handle, content)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
    }
    const { documentPath } = await keep(token, upload);
    expect(documentPath).toMatch(/\.pdf$/);
    expect(await contentOf(await linkOf(id))).toBe('over gRPC');
  });
});
