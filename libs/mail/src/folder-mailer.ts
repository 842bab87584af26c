import { randomUUID } from 'node:crypto';
import { link, mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Unavailable } from '@platform/service';
import { createTransport } from 'nodemailer';
import { type Mailer, messageOf } from './mailer.ts';

/** Writes each mail as the file `{time}-{n}.eml` (operator.md §2). Several processes may use the folder at once. */
export function folderMailer(folder: string, from: string): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (mail) => {
      const { message } = await composer.sendMail(messageOf(mail, from));
      await keep(folder, message as Buffer).catch((cause: unknown) => {
        throw new Unavailable('the mail folder cannot be written to', { cause });
      });
      return 'sent';
    },
  };
}

/**
 * Writes a mail to a new `.eml` file in the folder. The file gets its name only after the whole mail is written, so
 * that an `.eml` file is never incomplete.
 */
async function keep(folder: string, message: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${randomUUID()}`);
  await writeFile(draft, message, { mode: 0o600, flag: 'wx', flush: true });
  try {
    const time = new Date().toISOString().replaceAll(':', '-');
    for (let n = 1; !(await named(draft, join(folder, `${time}-${n}.eml`))); n += 1);
  } finally {
    await unlink(draft);
  }
}

/** Gives the draft its final name. Returns false if another mail already has this name. */
async function named(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
