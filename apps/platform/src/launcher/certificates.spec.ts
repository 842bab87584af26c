import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CommandFault } from '../command-fault.ts';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { openCertificates } from './certificates.ts';

const open = (home: string) => {
  return openCertificates({ home, httpHost: '127.0.0.1', baseUrl: undefined }, () => undefined);
};

describe('openCertificates', () => {
  it.each(['ca.pem', 'ca.key'])('names an authority that is damaged, and makes no other by itself: %s', async (name) => {
    await using home = await temporaryFolder();
    const folder = join(home.path, 'tls');
    await (await open(home.path))[Symbol.asyncDispose]();
    await writeFile(join(folder, name), '');

    const fault: unknown = await open(home.path).catch((error: unknown) => error);

    expect(fault).toBeInstanceOf(CommandFault);
    expect(fault).toMatchObject({ message: expect.stringContaining(`The authority in ${folder} (ca.pem and ca.key) cannot`) });
    await expect(readFile(join(folder, name), 'utf8')).resolves.toBe('');
    for (const file of ['ca.pem', 'ca.key']) await rm(join(folder, file));
    await using certificates = await open(home.path);
    expect(certificates.services.get('gateway')?.ca).toBe(join(folder, 'ca.pem'));
  });
});
