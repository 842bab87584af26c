import { secretsOf } from './secrets-of.ts';
import { services } from './services.ts';
import { environmentName, type Setting, type SettingKey, settings } from './settings.ts';

/** Returns the text of docs/configuration.md. */
export function settingsReference(): string {
  const rows = Object.entries(settings).map(([key, setting]) => row(key, setting));
  return `# Configuration

Written from \`libs/service/src/settings.ts\` by \`node libs/service/src/write-settings-reference.ts\`; do not edit.

Each setting has a dotted key. Set a value with the environment variable of the setting or in a YAML file. The variable
\`PLATFORM_CONFIG_FILE\` contains the path of the file; the default is \`platform.yaml\` in the state folder. In the
file, a key may be nested (\`billing: {enabled: true}\`) or flat (\`billing.enabled: true\`). The environment takes
precedence over the file, and the file over the default. Values in the file must be valid even if the environment
overrides them. An empty value counts as absent. For a secret, the variable \`…_FILE\` may contain the path of a file
with the secret. A process that cannot use its settings reports all problems, and ends with code 1. A process logs a
warning for each unknown \`PLATFORM_…\` variable, and for each unknown key in the file.

Lists are separated by commas; YAML lists are also accepted. Durations: \`500ms\`, \`30s\`, \`5m\`, \`2h\`, \`7d\`.

| Key, variable | Accepted values | Default | Description |
|---|---|---|---|
${rows.join('\n')}

## Which service reads which secret
Under \`npm start\`, each process gets only the secrets of its column, as files that only their owner may read.
Database role and bus user are different for each service. No service gets the operator's credential. Services verify
this credential with its SHA-256 (\`secrets.operatorVerifier\`). Under mutual TLS, each service also has its own key.

${secretsTable()}
`;
}

function secretsTable(): string {
  const bySecret = (Object.keys(settings) as SettingKey[]).flatMap((key) => {
    const readers = services.map((service) => (secretsOf(service).includes(key) ? 'yes' : ''));
    return readers.includes('yes') ? [`| \`${key}\` | ${readers.join(' | ')} |`] : [];
  });
  const names = services.map(({ name }) => name);
  return [`| Secret | ${names.join(' | ')} |`, `|---|${names.map(() => '---|').join('')}`, ...bySecret].join('\n');
}

function row(key: string, { kind, defaultText, about }: Setting<unknown>): string {
  const value = defaultText === undefined ? '-' : defaultText === '' ? 'empty' : `\`${defaultText}\``;
  const cells = [`\`${key}\`<br>\`${environmentName(key)}\``, kind.accepts, value, about];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
