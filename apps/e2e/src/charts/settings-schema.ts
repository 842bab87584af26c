import { environmentName, isSecret, secretsOf, services, type SettingKey, settings } from '@platform/service';

/** Settings that the chart sets itself, or that no service in it reads. */
const decidedByChart: ReadonlySet<string> = new Set<SettingKey>([
  'deployment.type', 'http.baseURL', 'http.host', 'http.port', 'http.trustedProxies', 'http.tls.certificate',
  'http.tls.key', 'grpc.listen', 'grpc.tls.ca', 'grpc.tls.certificate', 'grpc.tls.key', 'admin.listen',
  'metricsproxy.listen', 'metricsproxy.addresses', 'marketplace.listener.port', 'marketplace.listener.addresses',
  'stop.delay', 'stop.silence', 'stop.timeout', 'secrets.operatorVerifier', 'postgres.binaries', 'nats.url',
  'nats.binary', 'openfga.url', 'openfga.binary', 'files.store', 'files.folder', 'tls', 'home', 'config.file',
  'supervise.silence', 'server',
]);

/** Settings that values of the chart may contain, with their variables. */
export function chartSettings(): Readonly<Record<string, string>> {
  const keys = (Object.keys(settings) as SettingKey[])
    .filter((key) => !isSecret(key) && !decidedByChart.has(key) && !/^(?:services|agent)\./.test(key));
  return Object.fromEntries(keys.map((key) => [key, environmentName(key)]));
}

/** The schema of each setting, from the values that its kind accepts. */
export function settingsSchema(): Record<string, object> {
  return Object.fromEntries(Object.keys(chartSettings()).map((key) => {
    const { kind, about } = settings[key as SettingKey];
    return [key, { ...schemaOf(kind.accepts), description: about }];
  }));
}

/** Keys that a Secret of the user may hold. */
export function givenKeys(): string[] {
  const own = new Set<SettingKey>(['postgres.url', 'nats.credentials']);
  const keys = services.flatMap((service) =>
    secretsOf(service).map((key) => (own.has(key) ? `${key}.${service.name}` : key)));
  // The set-up job makes the users of the services with these settings; services compare with the verifier.
  const ofSetup = ['nats.credentials', 'secrets.operatorCredential', 'secrets.operatorVerifier'];
  return [...new Set([...keys, ...ofSetup])].toSorted();
}

function schemaOf(accepts: string): Record<string, unknown> {
  const listed = /^a list of at most \d+ items, separated by commas, each (.*)$/.exec(accepts)?.[1];
  if (listed !== undefined) return { type: ['array', 'string'], items: schemaOf(listed) };
  if (accepts === 'true or false') return { type: 'boolean' };
  const whole = /^a whole number from (-?\d+) to (\d+)$/.exec(accepts);
  if (whole !== null) return { type: 'integer', minimum: Number(whole[1]), maximum: Number(whole[2]) };
  const words = /^one of (.*)$/.exec(accepts)?.[1];
  if (words !== undefined) return { enum: words.split(', ') };
  const schemes = /^a URL that begins with (.*)$/.exec(accepts)?.[1];
  if (schemes !== undefined) return { type: 'string', pattern: `^(?:${schemes.replaceAll(' or ', '|')})[^\\s]+$` };
  const pattern = Object.entries(patterns).find(([begin]) => accepts.startsWith(begin))?.[1];
  if (pattern !== undefined) return { type: 'string', pattern };
  if (accepts === 'a number from 0 to 1') return { type: 'number', minimum: 0, maximum: 1 };
  return { type: 'string', minLength: 1 };
}

const patterns: Readonly<Record<string, string>> = {
  'a duration': '^[0-9]{1,9}(?:ms|s|m|h|d)$',
  'a time': '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2}))?$',
  'an address range': '^[0-9a-fA-F:.]+(?:/[0-9]{1,3})?$',
  'an address host:port': '^[^\\s]+:[0-9]{1,5}$',
  'a name of 3 to 64': '^[A-Za-z0-9 .\\-/^_&@]{3,64}$',
  'an e-mail address': '^[^\\s@,<>"]+@[^\\s@,<>"]+$',
};
