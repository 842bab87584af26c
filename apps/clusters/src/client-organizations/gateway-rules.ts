import type { Violations } from '@platform/values';

type Json = Readonly<Record<string, unknown>>;
type Rule = (value: unknown) => string | undefined;

const text: Rule = (value) => (typeof value === 'string' ? undefined : 'must be a text');
const texts: Rule = (value) =>
  (Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : 'must be a list of texts');
const textsByName: Rule = (value) =>
  (isObject(value) && Object.values(value).every((item) => typeof item === 'string')
    ? undefined : 'must be an object whose values are texts');
const object: Rule = (value) => (isObject(value) ? undefined : 'must be an object');
const oneOf = (...values: readonly string[]): Rule => (value) =>
  (values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`);

const ports = (least: number, most: number): Rule => (value) => {
  const [, from, to] = typeof value === 'string' ? /^([0-9]{1,5})-([0-9]{1,5})$/.exec(value) ?? [] : [];
  const fits = from !== undefined && Number(from) >= least && Number(from) <= Number(to) && Number(to) <= most;
  return fits ? undefined : `must be a range of ports within ${least}-${most}`;
};

/** A rule for each known key, or nested rules for an object. Unknown keys are accepted (open-points 4.1). */
type Rules = { readonly [key: string]: Rule | Rules };
const certificate: Rules = { cert: text, key: text };
const rules: Rules = {
  cluster: { tls: { issuer: oneOf('ca', 'none'), ca: certificate } },
  envoy: {
    provisionerType: oneOf('Deployment', 'DaemonSet'),
    service: {
      type: oneOf('LoadBalancer', 'NodePort', 'ClusterIP'),
      annotations: textsByName,
      portRange: ports(10_000, 12_767),
      nodeportRange: ports(30_000, 32_767),
      externalTrafficPolicy: oneOf('Cluster', 'Local'),
      externalIPs: texts,
    },
  },
  infra: {
    host: text,
    hostType: oneOf('domain', 'ip'),
    tls: { issuer: oneOf('ca', 'acme', 'acme-staging', 'external'), acme: { email: text }, certificate },
    dns: { provider: text, auth: object },
    tenantSpreadPolicy: oneOf('single', 'multi'),
  },
};

/** Notes invalid values of a gateway's configuration. Absent and null fields and empty texts stand for defaults. */
export function noteGatewayProblems(
  violations: Violations, value: unknown, path = 'gatewayConfig', known: Rules = rules,
): void {
  if (!isObject(value)) return violations.note(path, 'must be an object');
  for (const [key, rule] of Object.entries(known)) {
    const field = value[key];
    if (field === undefined || field === null || field === '') continue;
    if (typeof rule === 'function') violations.note(`${path}.${key}`, rule(field));
    else noteGatewayProblems(violations, field, `${path}.${key}`, rule);
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
