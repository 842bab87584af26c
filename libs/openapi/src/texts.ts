import { type AccessRule, reasons } from '@platform/surface';

/** References to documents that users of the API do not have. */
const references =
  /\s*\((?:spec|open-points|authorization\.md|design)\b[^()]*\)|\s+(?:of|in) spec §\d+(?:\.\d+)*|(?:^|\s+)open-points \d+(?:\.\d+)*/g;

/** Converts a proto comment to a text for users: one line per paragraph, no references to internal documents. */
export function readerText(comment: string): string {
  return comment.split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll('\n', ' ').replace(references, '').trim())
    .filter((paragraph) => paragraph !== '').join('\n\n');
}

/** Converts a proto comment as {@link readerText} does, for the OpenAPI document: reasons are written as REST codes. */
export function restText(comment: string): string {
  return readerText(comment).replace(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g, (word) =>
    (reasons.has(word) ? `\`${word.toLowerCase()}\`` : word));
}

export function firstSentence(comment: string): string {
  const text = restText(comment);
  const [sentence = text] = /^.*?[.:](?=\s|$)/s.exec(text) ?? [];
  return sentence.replace(/[.:]$/, '');
}

/** `GetOrganization` → `getOrganization`. */
export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Changes the first letter to lower case, unless the text starts with an abbreviation (`RFC 3339`). */
export function withinSentence(text: string): string {
  return /^[A-Z](?![A-Z])/.test(text) ? lowerFirst(text) : text;
}

/** `already_exists` → `AlreadyExists`. */
export function pascalCase(name: string): string {
  return name.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `BillingDashboardService` → `Billing dashboard`. */
export function titleOf(service: string): string {
  const words = service.replace(/Service$/, '').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const accessTexts: Readonly<Record<AccessRule['who'], string>> = {
  internal: 'services and the operator',
  anonymous: 'everybody, credentials are ignored',
  public: 'everybody',
  token: 'every account',
  member: 'members of the organization',
};
