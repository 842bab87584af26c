import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigError, DeadlineExceeded, deadlineIn, Secret, Unavailable } from '@platform/service';
import { freePort } from '@platform/testing';
import { testSmtp } from './fixtures/smtp.ts';
import type { Mail } from './mailer.ts';
import { openMailer } from './open-mailer.ts';

const folder = await mkdtemp(join(tmpdir(), 'platform-mail-'));
afterAll(() => rm(folder, { recursive: true }));

const mail: Mail = {
  id: 'reminder/5/45',
  to: 'ada@example.org',
  letter: { subject: 'Größe “Ω”', blocks: [{ paragraph: 'Your contract ends in 45 days.' }] },
};
const nothing = {
  home: undefined, baseUrl: 'https://platform.example.org', mailSmtpUrl: undefined, mailFrom: undefined,
  mailDomain: undefined,
};

function bySmtp(url: string, mailFrom?: string) {
  return openMailer({ ...nothing, mailSmtpUrl: new Secret(url), mailFrom });
}

describe('mails by SMTP', () => {
  it('arrive in plain text and HTML, from the address of the platform', async () => {
    await using smtp = await testSmtp();
    expect(await bySmtp(`smtp://${smtp.address}`).send(mail, deadlineIn(5_000))).toBe('sent');
    const [taken] = smtp.taken;
    expect(taken).toMatchObject({ from: 'no-reply@platform.example.org', to: ['ada@example.org'], secure: true });
    expect(taken!.raw).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(taken!.raw).toMatch(/^Content-Type: text\/plain; charset=utf-8/m);
    expect(taken!.raw).toMatch(/^Content-Type: text\/html; charset=utf-8/m);
    expect(taken!.raw).toMatch(/^Auto-Submitted: auto-generated/m);
  });

  it('are the same mail when they are sent again', async () => {
    await using smtp = await testSmtp();
    const mailer = bySmtp(`smtp://${smtp.address}`, 'Platform <billing@example.org>');
    await mailer.send(mail, deadlineIn(5_000));
    await mailer.send(mail, deadlineIn(5_000));
    await mailer.send({ ...mail, id: 'reminder/5/10' }, deadlineIn(5_000));
    const ids = smtp.taken.map(({ raw }) => /^Message-ID: (<[0-9a-f]+@example\.org>)/m.exec(raw)?.[1]);
    expect(ids[0]).toBeDefined();
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('go over TLS from the start with smtps, and the password with them', async () => {
    await using smtp = await testSmtp({ secure: true, authOptional: false });
    const mailer = bySmtp(`smtps://platform:${encodeURIComponent('p@ss:word')}@${smtp.address}`);
    expect(await mailer.send(mail, deadlineIn(5_000))).toBe('sent');
    expect(smtp.taken).toMatchObject([{ secure: true, user: 'platform' }]);
  });

  it('are not sent to a server whose certificate is for another name', async () => {
    await using smtp = await testSmtp({ secure: true });
    const mailer = bySmtp(`smtps://${smtp.address.replace('localhost', '127.0.0.1')}`);
    await expect(mailer.send(mail, deadlineIn(5_000))).rejects.toThrow(Unavailable);
    expect(smtp.taken).toEqual([]);
  });

  it('never carry a password in the clear', async () => {
    let said = '';
    await using smtp = await testSmtp({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, callback) => {
        said = password ?? '';
        callback(null, { user: 'platform' });
      },
    });
    const sent = bySmtp(`smtp://platform:secret@${smtp.address}`).send(mail, deadlineIn(5_000));
    await expect(sent).rejects.toThrow(Unavailable);
    expect({ said, taken: smtp.taken }).toEqual({ said: '', taken: [] });
  });

  it('may go without TLS to a server that has none, without a password', async () => {
    await using smtp = await testSmtp({ disabledCommands: ['STARTTLS'] });
    expect(await bySmtp(`smtp://${smtp.address}`).send(mail, deadlineIn(5_000))).toBe('sent');
    expect(smtp.taken).toMatchObject([{ secure: false }]);
  });

  it('are refused for good when the server does not know the address', async () => {
    await using smtp = await testSmtp();
    const mailer = bySmtp(`smtp://${smtp.address}`);
    expect(await mailer.send({ ...mail, to: 'never@example.org' }, deadlineIn(5_000))).toBe('refused');
    await expect(mailer.send({ ...mail, to: 'later@example.org' }, deadlineIn(5_000))).rejects.toThrow(Unavailable);
    expect(smtp.taken).toEqual([]);
  });

  it('are not refused for good because of settings: a wrong password, a sender that is not taken', async () => {
    await using smtp = await testSmtp({
      onMailFrom: (_address, _session, callback) =>
        callback(Object.assign(new Error('not yours'), { responseCode: 550 })),
    });
    for (const user of ['platform:wrong@', '']) {
      const sent = bySmtp(`smtp://${user}${smtp.address}`).send(mail, deadlineIn(5_000));
      await expect(sent).rejects.toThrow(Unavailable);
    }
  });

  it('end at the deadline when the server says nothing', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const sent = bySmtp(`smtp://127.0.0.1:${port}`).send(mail, deadlineIn(200));
    await expect(sent).rejects.toThrow(DeadlineExceeded);
    await new Promise((resolve) => silent.close(resolve));
  });

  it('end at the deadline when the server takes forever to accept them', async () => {
    await using smtp = await testSmtp({ onData: (stream) => void stream.resume() });
    await expect(bySmtp(`smtp://${smtp.address}`).send(mail, deadlineIn(500))).rejects.toThrow(DeadlineExceeded);
  });

  it('may be tried again when the server is away', async () => {
    const port = await freePort();
    const sent = bySmtp(`smtp://127.0.0.1:${port}`).send(mail, deadlineIn(5_000));
    await expect(sent).rejects.toThrow(Unavailable);
    await expect(sent).rejects.not.toThrow(String(port));
  });

  it.each(['', 'ada', 'ada@example.org\r\nBcc: eve@example.org', 'ada@example.org, eve@example.org',
    'Ada <ada@example.org>', 'group:ada@example.org;', '"ada eve"@example.org', 'ada@@example.org',
  ])('need one plain address: %j', async (to) => {
    await using smtp = await testSmtp();
    await expect(bySmtp(`smtp://${smtp.address}`).send({ ...mail, to }, deadlineIn(5_000))).rejects.toThrow(RangeError);
    expect(smtp.taken).toEqual([]);
  });

  it('have the headers that we give them, with any text in names of customers', async () => {
    await using smtp = await testSmtp();
    const name = 'x\r\nBcc: eve@example.org\r\n\r\n<b>';
    const letter = { subject: name, blocks: [{ paragraph: name }] };
    await bySmtp(`smtp://${smtp.address}`).send({ ...mail, id: name, letter }, deadlineIn(5_000));
    const [taken] = smtp.taken;
    const head = taken!.raw.slice(0, taken!.raw.indexOf('\r\n\r\n'));
    expect(taken!.to).toEqual(['ada@example.org']);
    expect(head).not.toMatch(/^Bcc/im);
    expect(head).toMatch(/^Subject: x Bcc: eve@example\.org <b>$/m);
  });
});

describe('mails in the mail folder', () => {
  it('are files that hold each mail whole, named by time and number', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    const mailers = [1, 2].map(() => openMailer({ ...nothing, home }));
    await Promise.all(Array.from({ length: 40 }, (_, index) =>
      mailers[index % 2]!.send({ ...mail, id: `mail ${index}` }, deadlineIn(5_000))));
    const names = await readdir(join(home, 'mail'));
    expect(names).toHaveLength(40);
    expect(names.filter((name) => !/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-\d+\.eml$/.test(name))).toEqual([]);
    const texts = await Promise.all(names.map((name) => readFile(join(home, 'mail', name), 'utf8')));
    expect(new Set(texts.map((text) => /^Message-ID: (.*)\r$/m.exec(text)?.[1])).size).toBe(40);
    expect(texts[0]).toMatch(/^From: no-reply@platform\.example\.org\r\nTo: ada@example\.org\r\n/m);
  });

  it('may be tried again when the folder cannot be written to', async () => {
    const home = join(folder, 'file');
    await writeFile(home, '');
    await expect(openMailer({ ...nothing, home }).send(mail, deadlineIn(5_000))).rejects.toThrow(Unavailable);
  });

  it('need a state folder or a server', () => {
    expect(() => openMailer(nothing)).toThrow(ConfigError);
  });
});
