import { LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import { readGiven } from '../given-file.ts';
import type { Environment } from '../settings.ts';
import { dayText, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

const service = 'contracts-licensing';

/**
 * `platform admin license-ca list`: prints the trusted authorities. With `--json`, prints `{"cas": [{"fingerprint",
 * "notBefore", "notAfter", "signs", "pem"}]}`. `notBefore` and `notAfter` are in Unix seconds.
 * @throws Fault, CommandFault, ConfigError
 */
export async function listAuthorities(server: ServerOptions, environment: Environment, output: Output): Promise<void> {
  await using authorities = await connectOperator(LicenseAuthorityServiceService, service, server, environment);
  const { authorities: cas } = await authorities.listAuthorities({}, operatorCall());
  output.answer({ cas }, () => cas.flatMap(({ fingerprint, notBefore, notAfter, signs, pem }) => [
    `${fingerprint}  ${dayText(notBefore)} to ${dayText(notAfter)}${signs ? '  signs' : ''}`, pem.trimEnd(),
  ]));
}

/**
 * `platform admin license-ca add`: trusts the authority in a file. Without a file, creates an authority. With `--json`,
 * prints `{"fingerprint"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function addAuthority(
  { file, ...server }: ServerOptions & { readonly file?: string }, environment: Environment, output: Output,
): Promise<void> {
  const cure = 'Name a PEM file with a certificate, and with its PKCS#8 key if the authority is to sign.';
  const pem = file === undefined ? undefined : await readGiven(file, cure, cure);
  await using authorities = await connectOperator(LicenseAuthorityServiceService, service, server, environment);
  const { fingerprint } = await authorities.addAuthority({ pem }, operatorCall());
  output.answer({ fingerprint }, () => [
    `The authority ${fingerprint} is trusted. Before this authority signs licences, give its certificate to the `
      + 'products. To print the certificate: platform admin license-ca list.',
  ]);
}

/**
 * `platform admin license-ca use FINGERPRINT`: makes the authority sign licences from now on. With `--json`, prints
 * `{"fingerprint"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function useAuthority(
  fingerprint: string, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using authorities = await connectOperator(LicenseAuthorityServiceService, service, server, environment);
  await authorities.useAuthority({ fingerprint }, operatorCall());
  output.answer({ fingerprint }, () => [`${fingerprint} signs licences from now on.`]);
}

/**
 * `platform admin license-ca remove FINGERPRINT`: ends the trust in an authority. With `--json`, prints
 * `{"fingerprint"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function removeAuthority(
  fingerprint: string, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using authorities = await connectOperator(LicenseAuthorityServiceService, service, server, environment);
  await authorities.removeAuthority({ fingerprint }, operatorCall());
  output.answer({ fingerprint }, () => [`${fingerprint} is no longer trusted.`]);
}
