import { secretsOf } from './secrets-of.ts';
import { services } from './services.ts';
import { environmentName, type Setting, type SettingKey, settings } from './settings.ts';

/** The text of docs/configuration.md: every setting of the table with its accepted values, default and description. */
export function settingsReference(): string {
  const rows = Object.entries(settings).map(([key, setting]) => row(key, setting));
  return `# Configuration

Written from \`libs/service/src/settings.ts\` by \`node libs/service/src/write-settings-reference.ts\`; do not edit.

Each setting has a dotted key. It is given as a variable of the environment or in a YAML file (\`PLATFORM_CONFIG_FILE\`,
else \`platform.yaml\` in the state folder), nested (\`billing: {enabled: true}\`) or flat (\`billing.enabled: true\`).
The environment wins over the file, whose values must fit all the same, and the file over the default; an empty value
counts as not given. A secret may be given as \`…_FILE\`, the path of a file that holds it. A process that cannot use its
settings names all that is wrong with them, and ends with code 1. Unknown \`PLATFORM_…\` names are warned of.

Lists are separated by commas (in YAML a list will do). Durations: \`500ms\`, \`30s\`, \`5m\`, \`2h\`, \`7d\`.

| Key, variable | Takes | Default | What for |
|---|---|---|---|
${rows.join('\n')}

## Which service reads which secret
Under \`npm start\`, each process gets the secrets of its column and no others, as files that only their owner may read.
Database role and bus user are different for each service. No service has the operator's credential: they compare
with its SHA-256 (\`secrets.operatorVerifier\`). Under mutual TLS, each service also has a key of its own.

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
