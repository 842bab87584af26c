import { defaulted, given, type Setting } from './setting.ts';
import { address, duration, oneOf, secret, text } from './setting-kinds.ts';

/** Settings of the launcher and the operator's CLI. */
export const launcherSettings = {
  tls: defaulted(
    oneOf('off', 'auto'),
    'off',
    '`auto`: the launcher creates certificates in the folder `tls` of the state folder. Services use the certificates '
      + 'for mutual TLS. Unless `http.tls.certificate` is given, the gateway uses them for HTTPS, and its clients must '
      + 'trust `tls/ca.pem`.',
  ),
  home: given(
    text,
    'State folder of the launcher and the CLI. Unset: `.platform` in the root of the repository; for the package '
      + '`@platform/cli`, `.platform` in the home folder of the user.',
  ),
  'config.file': given(
    text, 'Path of the settings file. Unset: `platform.yaml` in the state folder, if this file exists.',
  ),
  'supervise.silence': defaulted(
    duration(0, 86_400_000),
    '30s',
    'How long a service may leave health checks of the launcher unanswered. The launcher then restarts the service. '
      + 'The limit is twice as long for NATS and OpenFGA, and ten times as long for PostgreSQL. `0s`: unlimited.',
  ),
  server: given(
    address,
    'For the CLI: gRPC address of orgs-teams. Unset: `services.orgsTeams`, else the address in the run file of the '
      + 'launcher.',
  ),
  token: given(secret, 'For the CLI: the operator credential. Unset: the credential in the state folder.'),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
