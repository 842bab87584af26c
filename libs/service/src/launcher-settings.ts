import { defaulted, given, type Setting } from './setting.ts';
import { address, duration, oneOf, secret, text } from './setting-kinds.ts';

/** Settings of the launcher and the operator's CLI. */
export const launcherSettings = {
  tls: defaulted(
    oneOf('off', 'auto'),
    'off',
    'For the launcher. `auto`: it creates certificates in `tls` in the state folder, for HTTPS at the gateway '
      + '(unless `http.tls.certificate` is given) and mutual TLS between services. Clients must trust `tls/ca.pem`.',
  ),
  home: given(text, "Folder of the launcher's state. Unset: `.platform` in the project's root."),
  'config.file': given(text, 'Path of the settings file. Unset: `platform.yaml` in the state folder, if it exists.'),
  'supervise.silence': defaulted(
    duration(0, 86_400_000),
    '30s',
    'How long a service may be silent before the launcher restarts it. NATS and OpenFGA may be silent twice as long, '
      + 'PostgreSQL ten times as long. `0s`: unlimited.',
  ),
  server: given(address, "For the CLI: gRPC address of orgs-teams. Unset: from the launcher's run file."),
  token: given(secret, "For the CLI: the operator credential. Unset: the credential of the launcher."),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
