import { hash } from 'node:crypto';
import { type Deadline, type Logger, shrink } from '@platform/service';
import { html, type Letter, logoId, plainText, subjectOf } from './letter.ts';

/** A mail to one address: nobody sees who else gets it, and each is sent or fails for itself. */
export interface Mail {
  /**
   * Names the mail together with its address: a repeat of it has the same `Message-ID`, by which mail programs see that
   * they have it.
   */
  readonly id: string;
  /** An address without a name, such as `ada@example.org`. */
  readonly to: string;
  readonly letter: Letter;
}

/** Sends mails. */
export interface Mailer {
  /**
   * `refused`: the server does not take the mail for this address, and a repeat would not change that.
   * @throws RangeError for an invalid address; Unavailable or DeadlineExceeded: it may be tried again
   */
  send(mail: Mail, deadline: Deadline): Promise<'sent' | 'refused'>;
}

/** How long one mail may take: a server that hangs must not hold up other jobs for long. */
const sendMs = 10_000;

/** Sends a mail in a job, which is repeated when this throws. One that is refused for good is logged. */
export async function sendMail(
  mailer: Mailer, mail: Mail, { deadline, log }: { readonly deadline: Deadline; readonly log: Logger },
): Promise<void> {
  const outcome = await mailer.send(mail, shrink(deadline, sendMs));
  if (outcome === 'refused') log.warn({ mail: mail.id }, 'a mail was permanently refused');
}

/** What nodemailer makes a message of. File and network access are off: all that a mail has is in it. */
export function messageOf({ id, to, letter }: Mail, from: string) {
  if (!address.test(to)) throw new RangeError('a mail needs one plain address');
  return {
    from,
    // As an object, the address is not parsed: it cannot become a list.
    to: { name: '', address: to },
    messageId: `<${shortNameOf(`${id}/${to}`)}@${domainOf(from)}>`,
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

/** As long for any mail, so that the header stays one line: not all mail programs read a folded one. */
function shortNameOf(name: string): string {
  return hash('sha256', name, 'hex').slice(0, 32);
}

const address = /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u;

function domainOf(from: string): string {
  return /@([^\s<>"]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
