import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addJobs, runNow } from '@platform/jobs';
import { testSmtp, type TestSmtp } from '@platform/mail/fixtures';
import { sql } from '@platform/postgres';
import { freePort, until } from '@platform/testing';
import type { Organization, Person } from '../orgs/world.ts';
import {
  bind, type ContractWorld, day, inSeconds, issue, ok, startAcme, startContractWorld,
} from './contract-world.ts';

/** TLS is disabled here and in the services; it has specs of its own. */
const plain = { disabledCommands: ['STARTTLS'] };

let smtp: TestSmtp, world: ContractWorld, admin: Person['http'];
let owner: Person;
let acme: Organization;
/** Runs between the acceptance of a mail by the SMTP server and its answer. */
let whenTaken: (() => Promise<unknown>) | undefined;

beforeAll(async () => {
  smtp = await testSmtp({ ...plain, beforeAnswer: async () => whenTaken?.() });
  ({ world, admin, owner, acme } = await startAcme({
    replicas: { 'contracts-licensing': 2 }, ownProcess: { of: ['contracts-licensing'], because: 'killed' },
    settings: { 'mail.smtpURL': `smtp://${smtp.address}`, 'http.baseURL': 'https://platform.example.org' },
  }));
}, 120_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

/** Triggers the schedule and waits until it has run. */
async function look(rows = world.rows): Promise<void> {
  const ran = async () => (await rows.one(sql<{ at: Date }>`
    select max(run_at) as "at" from _private_jobs where key = 'schedule:contract-notices'`)).at;
  await addJobs(rows, [runNow('contract-notices')]);
  await until(async () => (await ran()) > new Date(Date.now() + 5_000), { what: 'the schedule has run' });
}

/** Mails to an address, as they were on the wire. */
const mailsTo = (address: string, server = smtp) => server.taken.filter(({ to }) => to.includes(address));
const arrived = (address: string, count = 1, server = smtp) =>
  until(() => mailsTo(address, server).length >= count, { within: 30_000, what: `mails arrive at ${address}` });

/** A unique address, so that a test finds its own mails. */
const address = () => `${randomUUID().slice(0, 8)}@example.org`;
const noticesOf = async (id: number) =>
  (await world.events(id)).filter((event) => /reminder|threshold/.test(event)).sort();

/** A contract whose creation is earlier than its first reminder. */
async function oldContract(ownerId: number, given: object, on = world) {
  const contract = await on.contract(ownerId, given);
  await on.rows.execute(sql`update contract set created_at = now() - interval '60 days' where id = ${contract.id}`);
  return contract;
}

/** Such a contract that ends in nine days. */
const endingFor = (contacts: readonly string[]) =>
  oldContract(acme.id, { end: inSeconds(9 * day), emails: { contactPerson: contacts } });

/** Plain text of a mail, which nodemailer may have encoded. */
const textOf = (raw: string) => raw.replaceAll('=\r\n', '').replaceAll(/((?:=[0-9A-F]{2})+)/g, (bytes) =>
  Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());

describe('a reminder', () => {
  it('is mailed once to each contact, and is one event of the contract', async () => {
    const contacts = [address(), address()];
    const { id } = await oldContract(acme.id, {
      name: 'Größe <b>', products: ['productdb'], end: inSeconds(9 * day), emails: { contactPerson: contacts },
    });
    await look();
    await Promise.all(contacts.map((contact) => arrived(contact)));
    await Promise.all([look(), look()]);
    expect(await noticesOf(id)).toEqual(['system reminder.sent 10']);
    for (const contact of contacts) {
      const [mail, ...others] = mailsTo(contact);
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ from: 'no-reply@platform.example.org', to: [contact] });
      const text = textOf(mail!.raw);
      expect(text).toMatch(/^Content-Type: text\/plain/m);
      expect(text).toMatch(/^Content-Type: text\/html/m);
      expect(text).toContain('your contract “Größe <b>” ends in 9 days');
      expect(text).toContain('your contract “Größe &lt;b&gt;” ends in 9 days');
      expect(text).toContain('Account:  acme');
      expect(text).toContain('https://platform.example.org');
    }
  });

  it.each<[string, number, string[]]>([
    ['more than 45 days before the end', 46 * day, []],
    ['45 days before it', 45 * day - 60, ['system reminder.sent 45']],
    ['a little more than 10 days before it', 10 * day + 600, ['system reminder.sent 45']],
    ['10 days before it', 10 * day - 60, ['system reminder.sent 10']],
  ])('is given %s', async (_when, seconds, expected) => {
    const { id } = await oldContract(acme.id, { end: inSeconds(seconds), emails: { contactPerson: [address()] } });
    await look();
    expect(await noticesOf(id)).toEqual(expected);
  });

  it('is not given when the contract was made, or its end moved, after the moment for it', async () => {
    const given = { emails: { contactPerson: [address()] } };
    const made = await world.contract(acme.id, { ...given, end: inSeconds(30 * day) });
    const moved = await oldContract(acme.id, { ...given, end: inSeconds(60 * day) });
    ok(await admin.post(`/api/v1/contracts/${moved.id}/extend`, { json: { end: inSeconds(9 * day) } }));
    ok(await admin.put(`/api/v1/contracts/${moved.id}`, { json: { name: 'Renamed' } }));
    await look();
    expect([await noticesOf(made.id), await noticesOf(moved.id)]).toEqual([[], []]);
  });

  it('is given again for another end, and not for a contract that is revoked or has no contact', async () => {
    const contact = address();
    const { id } = await endingFor([contact]);
    const silent = await oldContract(acme.id, { end: inSeconds(9 * day) });
    const revoked = await endingFor([contact]);
    await world.revoke(revoked.id);
    await look();
    // If the end of a contract moves before the mail about it is sent, the mail is dropped.
    await arrived(contact);
    ok(await admin.put(`/api/v1/contracts/${id}`, { json: { end: inSeconds(10 * day + 3) } }));
    await until(async () => {
      await look();
      return (await noticesOf(id)).length === 2;
    }, { within: 30_000, what: 'it is 10 days before the other end' });
    expect(await noticesOf(id)).toEqual(['system reminder.sent 10', 'system reminder.sent 10']);
    for (const other of [revoked, silent]) expect(await noticesOf(other.id)).toEqual([]);
    await arrived(contact, 2);
    expect(mailsTo(contact)).toHaveLength(2);
  });

  it('goes to the others when the server refuses an address, and later to one that it refuses for now', async () => {
    const contact = address();
    const { id } = await endingFor(['never@example.org', contact, 'later@example.org']);
    await look();
    await arrived(contact);
    const waiting = () => world.rows.query(sql<{ to: string }>`
      select payload ->> 'to' as "to" from _private_jobs where (payload ->> 'contractId')::bigint = ${id}`);
    await until(async () => (await waiting()).length === 1, { what: 'one mail waits' });
    expect(await waiting()).toEqual([{ to: 'later@example.org' }]);
    await world.rows.execute(sql`delete from _private_jobs where (payload ->> 'contractId')::bigint = ${id}`);
  });

  it('is not lost when the process dies after the server took the mail, and has the same id then', async () => {
    const contact = address();
    const { replicas } = world.platform.services['contracts-licensing'];
    whenTaken = async () => {
      whenTaken = undefined;
      await Promise.all(replicas.map((replica) => replica.kill()));
    };
    const { id } = await endingFor([contact]);
    await addJobs(world.rows, [runNow('contract-notices')]);
    await arrived(contact);
    await Promise.all(replicas.map((replica) => replica.restart()));
    await arrived(contact, 2);
    const ids = mailsTo(contact).map(({ raw }) => /^Message-ID:\s+(<[^>]+>)/m.exec(raw)![1]);
    expect(new Set(ids).size).toBe(1);
    await look();
    expect(await noticesOf(id)).toEqual(['system reminder.sent 10']);
  }, 60_000);
});

describe('a threshold of a quota', () => {
  it('is mailed to those who get usage alerts: the highest one, and each is an event', async () => {
    const [client, staff] = [address(), address()];
    const { id } = await world.contract(acme.id, {
      emails: { usageAlertClient: [client, staff], usageAlertAdmin: [staff] },
      quota: { enabled: true, metric: 'clusters', limit: 4, alertThresholds: [75, 25, 50, 100] },
    });
    const clusters = Array.from({ length: 3 }, () => randomUUID());
    await bind(admin, id, clusters.map((cluster) => ({ cluster })));
    for (const cluster of clusters.slice(0, 2)) ok(await issue(owner.http, { cluster }));
    await look();
    await Promise.all([arrived(client), arrived(staff)]);
    await look();
    expect(await noticesOf(id)).toEqual(['system quota.threshold_reached 25', 'system quota.threshold_reached 50']);
    expect([client, staff].map((to) => mailsTo(to).length)).toEqual([1, 1]);
    const text = textOf(mailsTo(client)[0]!.raw);
    expect(text).toContain('<title>50 % of the quota of your contract “Basic” is used</title>');
    expect(text).toContain('2 of 4 clusters');

    const highestIsMailed = async (mails: number, events: number) => {
      await look();
      await arrived(client, mails);
      expect(textOf(mailsTo(client)[mails - 1]!.raw)).toContain('<title>75 % of the quota');
      expect(await noticesOf(id)).toHaveLength(events);
    };
    ok(await issue(owner.http, { cluster: clusters[2] }));
    await highestIsMailed(2, 3);
    await world.rows.execute(sql`update contract_notice set period = '2020-01' where contract_id = ${id}`);
    await highestIsMailed(3, 6);
  });

  it('is an event also where nobody gets alerts, and none of a quota that is not enabled', async () => {
    const quota = { metric: 'clusters', limit: 1, alertThresholds: [100] };
    const licensed = async (enabled: boolean) => {
      const { contract, cluster } = await world.bound(acme.id, { quota: { ...quota, enabled } });
      ok(await issue(owner.http, { cluster }));
      return contract.id;
    };
    const [on, off] = [await licensed(true), await licensed(false)];
    await look();
    expect(await noticesOf(on)).toEqual(['system quota.threshold_reached 100']);
    expect(await noticesOf(off)).toEqual([]);
  });
});

describe('mails of another platform', () => {
  it('wait for a server that is away, and arrive when it is back', async () => {
    const port = await freePort();
    await using other = await startContractWorld({ settings: { 'mail.smtpURL': `smtp://localhost:${port}` } });
    const [contact, client] = [address(), address()];
    const { id: adminId, http } = other.siteAdmin;
    await oldContract(adminId, { end: inSeconds(9 * day), emails: { contactPerson: [contact] } }, other);
    const { contract, cluster } = await other.bound(adminId, {
      emails: { usageAlertClient: [client] },
      quota: { enabled: true, metric: 'clusters', limit: 1, alertThresholds: [100] },
    });
    ok(await issue(http, { cluster }, ''));
    await look(other.rows);
    const jobs = (to: string) => other.rows.query(sql<{ attempts: number }>`
      select attempts from _private_jobs where payload ->> 'to' = ${to}`);
    for (const to of [contact, client]) {
      await until(async () => (await jobs(to)).some(({ attempts }) => attempts > 0), { what: `the mail to ${to} was tried` });
    }
    // A quota that is no longer used up needs no alert.
    ok(await http.put(`/api/v1/contracts/${contract.id}`, { json: { quota: { limit: 10 } } }));
    await using server = await testSmtp({ ...plain, port });
    await arrived(contact, 1, server);
    await until(async () => (await jobs(client)).length === 0, { within: 30_000, what: 'the alert is settled' });
    expect(server.taken).toHaveLength(1);
  }, 120_000);

  it('are files in the state folder without a server', async () => {
    const home = await mkdtemp(join(tmpdir(), 'platform-home-'));
    await using other = await startContractWorld({ settings: { home } });
    await oldContract(other.siteAdmin.id, { end: inSeconds(44 * day), emails: { contactPerson: [address()] } }, other);
    await look(other.rows);
    const folder = join(home, 'mail');
    const files = () => readdir(folder).catch(() => []);
    await until(async () => (await files()).some((name) => name.endsWith('.eml')), { what: 'a mail is there' });
    const [name] = await files();
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT.*Z-1\.eml$/);
    expect(textOf(await readFile(join(folder, name!), 'utf8'))).toContain('ends in 44 days');
    await rm(home, { recursive: true });
  }, 120_000);
});
