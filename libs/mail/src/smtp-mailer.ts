import { type Deadline, DeadlineExceeded, remaining, type Secret, Unavailable } from '@platform/service';
import { createTransport } from 'nodemailer';
import { type Mailer, messageOf } from './mailer.ts';

/**
 * Sends by an SMTP server. `smtps://` is TLS from the start; `smtp://` becomes TLS where the server offers it
 * (STARTTLS), and must where the URL has a password: it is never sent in the clear.
 */
export function smtpMailer(url: Secret, from: string): Mailer {
  return {
    send: async (mail, deadline) => {
      const message = messageOf(mail, from);
      const transport = createTransport(transportOptions(url, deadline));
      try {
        await transport.sendMail({ ...message, signal: deadline.signal });
        return 'sent';
      } catch (error) {
        if (isRefusal(error as SmtpError)) return 'refused';
        if (remaining(deadline) === 0) throw new DeadlineExceeded('the mail server');
        // The server's own text may name addresses: it is the cause, which is logged, and no more.
        throw new Unavailable('the mail server cannot accept the mail now', { cause: error });
      }
    },
  };
}

/** What nodemailer adds to an error. */
interface SmtpError extends Error {
  /** The command that failed. */
  readonly command?: string;
  /** Of the server. */
  readonly responseCode?: number;
}

function transportOptions(url: Secret, deadline: Deadline) {
  const most = Math.max(1, Math.ceil(remaining(deadline)));
  return {
    url: url.reveal(),
    requireTLS: new URL(url.reveal()).password !== '',
    dnsTimeout: most,
    connectionTimeout: most,
    greetingTimeout: most,
    socketTimeout: most,
    // A server that does not close the connection holds nothing up.
    socketCloseTimeout: 1_000,
  };
}

/** The server has refused the recipient or the contents for good (5xx); that of the sender is a matter of settings. */
function isRefusal({ command = '', responseCode = 0 }: SmtpError): boolean {
  return responseCode >= 500 && responseCode < 600 && (command === 'RCPT TO' || command === 'DATA');
}
