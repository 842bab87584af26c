import { domainToASCII, domainToUnicode } from 'node:url';

/** A DNS label: 1 to 63 lower-case letters, digits and inner hyphens. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A text whose ASCII characters may occur in a domain. IDNA decides about all other characters. */
const written = /^[A-Za-z0-9.\-\u0080-\u{10ffff}]+$/u;

/**
 * Converts the domain of an e-mail address to lower-case punycode (open-points 10). Undefined for other texts, such as
 * URLs, IP addresses, and domains with one label.
 */
export function normalDomain(text: string): string | undefined {
  if (!written.test(text)) return undefined;
  const domain = domainToASCII(text);
  const labels = domain.split('.');
  const fits = domain.length <= 253 && labels.length >= 2 && labels.every((one) => label.test(one));
  // `domainToUnicode` does not change punycode that it cannot decode.
  const decodes = !domainToUnicode(domain).split('.').some((one) => one.startsWith('xn--'));
  // A top-level domain is never a number: 10.0.0.1 is an address.
  return fits && decodes && !/^[0-9]+$/.test(labels.at(-1)!) ? domain : undefined;
}
