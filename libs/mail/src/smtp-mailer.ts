import { type Deadline, DeadlineExceeded, remaining, type Secret, Unavailable } from '@platform/service';
import { createTransport } from 'nodemailer';
import { type Mailer, messageOf } from './mailer.ts';

/**
 * Sends mails through an SMTP server. `smtps://` uses TLS from the start. `smtp://` uses TLS if the server offers it
 * (STARTTLS). With a password in the URL, TLS is required, so the password is not sent unencrypted.
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
        // The server's message may contain e-mail addresses. Therefore, only the cause contains that message.
        throw new Unavailable('the mail could not be sent through the mail server', { cause: error });
      }
    },
  };
}

/** An error of nodemailer. */
interface SmtpError extends Error { readonly command?: string; readonly responseCode?: number }

function transportOptions(url: Secret, deadline: Deadline) {
  const most = Math.max(1, Math.ceil(remaining(deadline)));
  return {
    url: url.reveal(),
    requireTLS: new URL(url.reveal()).password !== '',
    dnsTimeout: most, connectionTimeout: most, greetingTimeout: most, socketTimeout: most,
    // Do not wait long for a server that does not close the connection.
    socketCloseTimeout: 1_000,
  };
}

/**
 * Returns whether the server permanently refused the recipient or the content (5xx). A refused sender does not count,
 * because the operator can change the sender in the settings.
 */
function isRefusal({ command = '', responseCode = 0 }: SmtpError): boolean {
  return responseCode >= 500 && responseCode < 600 && (command === 'RCPT TO' || command === 'DATA');
}
