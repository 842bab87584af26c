import { X509Certificate } from 'node:crypto';

/** A licence, as read from its certificate (open-points 6.1). */
export interface Licence {
  /** Serial number of the certificate, in decimal. */
  readonly id: string;
  readonly pem: string;
  /** In lower case. */
  readonly clusterUid: string;
  readonly features: readonly string[];
  /** Unix milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** @throws Error when the text is not a certificate (PEM) */
export function readLicence(text: string): Licence {
  const certificate = new X509Certificate(text);
  const subject = certificate.subject.split('\n');
  const values = (name: string) => subject.filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1));
  return {
    id: BigInt(`0x${certificate.serialNumber}`).toString(), pem: text,
    clusterUid: (values('CN')[0] ?? '').toLowerCase(),
    features: values('O'),
    notBefore: Date.parse(certificate.validFrom), notAfter: Date.parse(certificate.validTo),
  };
}

/** Whether to renew a licence: less than a third of its lifetime is left, and less than three days. */
export function isDue({ notBefore, notAfter }: Licence, now: number): boolean {
  return notAfter - now < Math.min((notAfter - notBefore) / 3, 3 * 86_400_000);
}
