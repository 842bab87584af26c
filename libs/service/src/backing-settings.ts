import { defaulted, given, type Setting } from './setting.ts';
import { duration, integer, listOf, oneOf, secret, secretUrl, storeName, text, url } from './setting-kinds.ts';

/** Settings of PostgreSQL, NATS, OpenFGA and the store of files. */
export const backingSettings = {
  // Backing services
  'postgres.url': given(
    secretUrl('postgres', 'postgresql'),
    'For a service: its own role. For the launcher: an existing server, as a role that may create roles and databases.',
  ),
  'postgres.serviceURLs': defaulted(
    listOf(secret),
    '',
    'For `platform migrate`: the URL of each service with a schema, and of OpenFGA, as `name=postgres://role:password@…`. '
      + '`platform prepare` writes it.',
  ),
  'postgres.maxConnections': defaulted(integer(1, 1_000), '10', 'Connections one replica of a service holds at most.'),
  'postgres.statementTimeout': defaulted(duration(10, 600_000), '5s', 'How long one statement may run.'),
  'postgres.connectTimeout': defaulted(duration(10, 60_000), '3s', 'How long to wait for a connection.'),
  'postgres.binaries': given(
    text,
    'Folder with `postgres` and `initdb`, used by the launcher in place of its own build.',
  ),
  'nats.url': given(listOf(url('nats', 'tls')), 'NATS with JetStream, in operator mode.'),
  'nats.credentials': given(secret, "The content of a `.creds` file for the platform's account."),
  'nats.systemCredentials': given(secret, 'The content of a `.creds` file of the system account; pushes account JWTs.'),
  'nats.accountSeed': given(secret, "Seed of the platform's account or its signing key; signs users."),
  'nats.operatorSeed': given(secret, 'Seed of the operator or its signing key; for an existing server.'),
  'nats.binary': given(text, 'Path of `nats-server`, used by the launcher in place of its own build.'),
  'openfga.url': given(url('http', 'https'), "OpenFGA's HTTP address."),
  'openfga.presharedKey': given(secret, 'The key OpenFGA takes from authz. Made by the launcher.'),
  'openfga.storeName': defaulted(storeName, 'platform', 'Name of the store; made at first start.'),
  'openfga.binary': given(text, 'Path of `openfga`, used by the launcher in place of its own build.'),

  // Files
  'files.store': defaulted(oneOf('folder', 's3'), 'folder', 'Where files such as pictures are kept.'),
  'files.folder': given(
    text,
    'The folder of `files.store` `folder`; replicas on several machines must share it. Unset: `files` in `home`.',
  ),
  'files.s3.endpoint': given(url('http', 'https'), 'The address of an S3-compatible server, for `files.store` `s3`.'),
  'files.s3.region': defaulted(text, 'us-east-1', 'The region its signatures name.'),
  'files.s3.bucket': given(text, 'A bucket that exists.'),
  'files.s3.accessKey': given(
    secret,
    'What the platform signs in with; it may put, get and delete objects. Unset, and `files.s3.secretKey` too: the '
    + 'identity of the pod (`AWS_ROLE_ARN`, `AWS_WEB_IDENTITY_TOKEN_FILE`).',
  ),
  'files.s3.secretKey': given(secret, 'The secret of that key.'),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
