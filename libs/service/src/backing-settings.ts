import { defaulted, given, type Setting } from './setting.ts';
import { duration, integer, listOf, oneOf, secret, secretUrl, storeName, text, url } from './setting-kinds.ts';

/** Settings of PostgreSQL, NATS, OpenFGA and the store of files. */
export const backingSettings = {
  // Backing services
  'postgres.url': given(
    secretUrl('postgres', 'postgresql'),
    'For a service: the URL of its database, with the role of the service. For the launcher, `platform prepare` and '
      + '`platform migrate`: the URL of a server, with a role that may create roles and databases.',
  ),
  'postgres.serviceURLs': defaulted(
    listOf(secret),
    '',
    'For `platform migrate`: the database URLs of OpenFGA and of each service with a schema, each as '
      + '`name=postgres://role:password@…`. `platform prepare` writes them.',
  ),
  'postgres.maxConnections': defaulted(integer(1, 1_000), '10', 'Maximum number of connections of a service replica.'),
  'postgres.statementTimeout': defaulted(duration(10, 600_000), '5s', 'How long one statement may run.'),
  'postgres.connectTimeout': defaulted(duration(10, 60_000), '3s', 'How long to wait for a connection.'),
  'postgres.binaries': given(
    text,
    'Folder with the `postgres` and `initdb` that the launcher runs. Unset: the launcher finds or copies them.',
  ),
  'nats.url': given(listOf(url('nats', 'tls')), 'Addresses of NATS with JetStream, in operator mode.'),
  'nats.credentials': given(secret, "The content of a `.creds` file for the platform's account."),
  'nats.systemCredentials': given(secret, 'Content of a `.creds` file of the NATS system account, to manage accounts.'),
  'nats.accountSeed': given(secret, "Seed of the platform's account or of the account's signing key."),
  'nats.operatorSeed': given(secret, "Seed of the NATS operator or of the operator's signing key."),
  'nats.binary': given(text, 'Path of the `nats-server` for the launcher. Unset: the launcher finds or builds one.'),
  'openfga.url': given(url('http', 'https'), "OpenFGA's HTTP address."),
  'openfga.presharedKey': given(
    secret, 'The key with which authz calls OpenFGA. The launcher creates the key, unless `openfga.url` is set.',
  ),
  'openfga.storeName': defaulted(storeName, 'platform', 'Name of the OpenFGA store, which is created if missing.'),
  'openfga.binary': given(text, 'Path of the `openfga` for the launcher. Unset: the launcher finds or builds one.'),

  // Files
  'files.store': defaulted(oneOf('folder', 's3'), 'folder', 'Where files such as pictures are kept.'),
  'files.folder': given(
    text,
    'The folder for files if `files.store` is `folder`. Replicas on several machines must share it. Unset: `files` in '
      + '`home`.',
  ),
  'files.s3.endpoint': given(
    url('http', 'https'), 'Address of an S3-compatible server. Required if `files.store` is `s3`.',
  ),
  'files.s3.region': defaulted(text, 'us-east-1', 'The region that request signatures contain.'),
  'files.s3.bucket': given(text, 'A bucket that exists.'),
  'files.s3.accessKey': given(
    secret,
    'Id of an access key. The key must allow services to put, get, delete and list objects, and to list and abort '
    + 'multipart uploads. If this setting and `files.s3.secretKey` are unset, services use the identity of the pod '
    + '(`AWS_ROLE_ARN`, `AWS_WEB_IDENTITY_TOKEN_FILE`).',
  ),
  'files.s3.secretKey': given(secret, 'The secret of the access key.'),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
