import { join } from 'node:path';
import { type Config, ConfigError, environmentName, optional } from '@platform/service';
import { folderMailer } from './folder-mailer.ts';
import type { Mailer } from './mailer.ts';
import { smtpMailer } from './smtp-mailer.ts';

export const mailPicks = {
  home: optional('home'),
  baseUrl: optional('http.baseURL'),
  mailSmtpUrl: optional('mail.smtpURL'),
  mailFrom: optional('mail.from'),
  mailDomain: optional('mail.domain'),
} as const;

export type MailConfig = Config<typeof mailPicks>;

/**
 * Returns a mailer that uses the SMTP server of the settings. If the settings have no SMTP server, the mailer writes
 * mails to the mail folder (operator.md §2).
 * @throws ConfigError if the settings have neither an SMTP server nor a state folder
 */
export function openMailer(config: MailConfig): Mailer {
  const from = config.mailFrom ?? `no-reply@${config.mailDomain ?? hostOf(config.baseUrl)}`;
  if (config.mailSmtpUrl !== undefined) return smtpMailer(config.mailSmtpUrl, from);
  if (config.home !== undefined) return folderMailer(join(config.home, 'mail'), from);
  throw new ConfigError([{
    key: 'mail.smtpURL', where: environmentName('mail.smtpURL'),
    found: 'is not set, but is required if the setting home is not set',
    accepts: 'the URL of an SMTP server, see docs/configuration.md',
  }]);
}

function hostOf(baseUrl: string | undefined): string {
  return baseUrl === undefined ? 'localhost' : new URL(baseUrl).hostname;
}
