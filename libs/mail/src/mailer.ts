import { hash } from 'node:crypto';
import { type Deadline, type Logger, shrink } from '@platform/service';
import { html, type Letter, logoId, plainText, subjectOf } from './letter.ts';

/** A mail to one address. To write to several people, send several mails. */
export interface Mail {
  /** The `Message-ID` is made from this id and the address, so that mail programs can recognize a repeated mail. */
  readonly id: string;
  /** An address without a name, such as `ada@example.org`. */
  readonly to: string;
  readonly letter: Letter;
}

export interface Mailer {
  /**
   * Sends a mail. Returns `refused` if the server permanently refuses the recipient or the content.
   * @throws RangeError for an invalid address; Unavailable or DeadlineExceeded if the caller may retry
   */
  send(mail: Mail, deadline: Deadline): Promise<'sent' | 'refused'>;
}

/** Sends a mail as part of a job. The job is repeated if this function throws. A permanent refusal is only logged. */
export async function sendMail(
  mailer: Mailer, mail: Mail, { deadline, log }: { readonly deadline: Deadline; readonly log: Logger },
): Promise<void> {
  // At most ten seconds, so that a server that does not answer cannot delay other jobs for long.
  const outcome = await mailer.send(mail, shrink(deadline, 10_000));
  if (outcome === 'refused') log.warn({ mail: mail.id }, 'a mail was permanently refused');
}

/**
 * Returns the input for nodemailer. The input contains the whole mail, so access to files and URLs is disabled.
 * @throws RangeError for an invalid address
 */
export function messageOf({ id, to, letter }: Mail, from: string) {
  if (!address.test(to)) throw new RangeError('the recipient must be a single address without a name');
  return {
    from,
    // Pass the address in an object. nodemailer would parse a text, and could read it as a list of addresses.
    to: { name: '', address: to },
    // A short hash keeps the header on one line: not all mail programs read a header on several lines.
    messageId: `<${hash('sha256', `${id}/${to}`, 'hex').slice(0, 32)}@${domainOf(from)}>`,
    subject: subjectOf(letter),
    text: plainText(letter),
    html: html(letter),
    ...(letter.brand && {
      attachments: [{
        filename: 'logo.png', content: letter.brand.logo, cid: logoId, contentType: 'image/png',
        contentDisposition: 'inline' as const,
      }],
    }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const address = /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u;

function domainOf(from: string): string {
  return /@([^\s<>"]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
