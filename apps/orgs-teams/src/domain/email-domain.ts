import { domainToASCII, domainToUnicode } from 'node:url';

/** Letters, digits and hyphens, inner hyphens only: what the name system calls a label. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** All of ASCII that a domain is written with. What is beyond ASCII is IDNA's to judge. */
const written = /^[A-Za-z0-9.\-\u0080-\u{10ffff}]+$/u;

/**
 * The one form of a domain that may stand behind the `@` of an address: lower case, punycode, at least two labels
 * (open-points 10). Undefined for everything else: addresses, wildcards, IP addresses, URLs.
 */
export function normalDomain(text: string): string | undefined {
  if (!written.test(text)) return undefined;
  const domain = domainToASCII(text);
  const labels = domain.split('.');
  const fits = domain.length <= 253 && labels.length >= 2 && labels.every((one) => label.test(one));
  // Punycode that stands for nothing stays as it is.
  const decodes = !domainToUnicode(domain).split('.').some((one) => one.startsWith('xn--'));
  // No top-level domain is a number: 10.0.0.1 is an address, not a domain.
  return fits && decodes && !/^[0-9]+$/.test(labels.at(-1)!) ? domain : undefined;
}
