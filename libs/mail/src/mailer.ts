import type { Deadline } from '@platform/service';
import { html, type Letter, plainText, subjectOf } from './letter.ts';

/** A mail to one address: nobody sees who else gets it, and each is sent or fails for itself. */
export interface Mail {
  /** Names the mail: a repeat of it has the same `Message-ID`, by which mail programs see that they have it. */
  readonly id: string;
  /** An address without a name, such as `ada@example.org`. */
  readonly to: string;
  readonly letter: Letter;
}

/** Sends mails. */
export interface Mailer {
  /**
   * `refused`: the server does not take the mail for this address, and a repeat would not change that.
   * @throws RangeError for an address that is none; Unavailable or DeadlineExceeded: it may be tried again
   */
  send(mail: Mail, deadline: Deadline): Promise<'sent' | 'refused'>;
}

/** What nodemailer makes a message of. File and network access are off: all that a mail has is in it. */
export function messageOf({ id, to, letter }: Mail, from: string) {
  if (!address.test(to)) throw new RangeError('a mail needs one plain address');
  return {
    from,
    // As an object, the address is not parsed: it cannot become a list.
    to: { name: '', address: to },
    messageId: `<${Buffer.from(id).toString('hex')}@${domainOf(from)}>`,
    subject: subjectOf(letter),
    text: plainText(letter),
    html: html(letter),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const address = /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u;

function domainOf(from: string): string {
  return /@([^\s<>"]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
