import { LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import { readGiven } from '../given-file.ts';
import type { Environment } from '../settings.ts';
import { dayText, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

const service = 'contracts-licensing';

/** `platform admin license-ca list`: returns `{"cas": [{"fingerprint", "notBefore", "notAfter", "signs", "pem"}]}`. */
export async function listAuthorities(server: ServerOptions, environment: Environment, output: Output): Promise<void> {
  await using authorities = await connectOperator(LicenseAuthorityServiceService, service, server, environment);
  const { authorities: cas } = await authorities.listAuthorities({}, operatorCall());
  output.answer({ cas }, () => cas.flatMap(({ fingerprint, notBefore, notAfter, signs, pem }) => [
    `${fingerprint}  ${dayText(notBefore)} to ${dayText(notAfter)}${signs ? '  signs' : ''}`, pem.trimEnd(),
  ]));
}

/** `platform admin license-ca add`: returns `{"fingerprint"}`. Without a file, an authority is created. */
export async function addAuthority(
  { file, ...server }: ServerOptions & { readonly file?: string }, environment: Environment, output: Output,
): Promise<void> {
  const cure = 'Name a file with a certificate and its PKCS#8 key (PEM).';
  const pem = file === undefined ? undefined : await readGiven(file, cure, cure);
  await using authorities = await connectOperator(LicenseAuthorityServiceService, service, server, environment);
  const { fingerprint } = await authorities.addAuthority({ pem }, operatorCall());
  output.answer({ fingerprint }, () => [
    `${fingerprint} is trusted. Before it signs, verifiers need the certificate (platform admin license-ca list).`,
  ]);
}

/** `platform admin license-ca use FINGERPRINT`: the authority signs from now on. Returns `{"fingerprint"}`. */
export async function useAuthority(
  fingerprint: string, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using authorities = await connectOperator(LicenseAuthorityServiceService, service, server, environment);
  await authorities.useAuthority({ fingerprint }, operatorCall());
  output.answer({ fingerprint }, () => [`${fingerprint} signs licences from now on.`]);
}

/** `platform admin license-ca remove FINGERPRINT`: the authority is no longer trusted. Returns `{"fingerprint"}`. */
export async function removeAuthority(
  fingerprint: string, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using authorities = await connectOperator(LicenseAuthorityServiceService, service, server, environment);
  await authorities.removeAuthority({ fingerprint }, operatorCall());
  output.answer({ fingerprint }, () => [`${fingerprint} is no longer trusted.`]);
}
