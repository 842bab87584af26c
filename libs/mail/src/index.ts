/** The door to nodemailer: letters in plain text and HTML, sent by SMTP or kept as files. */
export type { Block, Letter, LetterBrand } from './letter.ts';
export { type Mail, type Mailer, sendMail } from './mailer.ts';
export { type MailConfig, mailPicks, openMailer } from './open-mailer.ts';
