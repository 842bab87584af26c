/** Mails in plain text and HTML, sent by SMTP or stored as files. No other project imports nodemailer. */
export type { Block, Letter, LetterBrand } from './letter.ts';
export { type Mail, type Mailer, sendMail } from './mailer.ts';
export { type MailConfig, mailPicks, openMailer } from './open-mailer.ts';
