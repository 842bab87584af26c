/** Placeholders for values that differ in each run. */
const shown = {
  time: '2026-11-21T09:30:00Z',
  /** Such as the key of a report. */
  month: '2026-11',
  unix: Date.parse('2026-11-21T09:30:00Z') / 1000,
  tenYearsLater: Date.parse('2036-11-18T09:30:00Z') / 1000,
  age: 86_400,
  hash: '7c4a8d09ca3762af61e59520943dc264',
  token: '356a192b7913b04c54574d18c28d46e63dc264ab',
  userKey: `U${'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.repeat(2).slice(0, 55)}`,
  webhookSecret: 'whsec_…',
  version: 'v2026.11.0',
  document: '5f0c2d1e-8a4b-4c6d-9e7f-1a2b3c4d5e6f',
  expires: '1763719200',
  authorize: 'https://id.example.com/authorize?client_id=platform&response_type=code&state=…',
  /** Base64 of a PEM certificate. */
  certificate: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t…',
} as const;
/** Placeholders by key: each replaces every text under its key. */
const shownByKey: Readonly<Record<string, string>> = {
  tokenLastEight: shown.token.slice(-8), token_last_eight: shown.token.slice(-8), eventID: shown.document,
  creds: '-----BEGIN NATS USER JWT-----…', pem: '-----BEGIN CERTIFICATE-----…',
  fingerprint: 'b1946ac92492d2347c6235b4d2611184e4f1c0a2d7b3958e6f0a1c2d3e4f5061',
};
/** Keys of Unix times that differ in each run. */
const unixKey = /^(?:created|updated|firstReceived|lastReceived)At$|^createdUnix$|^not(?:Before|After)$|^timestamp$/;
/** Ids of things that an example creates are numbered from here, in order of appearance. */
const firstMade = 101;
/** Examples are for readers, so longer values are cut. */
const longestList = 3;
const longestText = 120;

/**
 * An answer in the form of an example: with the ids of examples, one fixed time for every time, and long values cut.
 *
 * @param meant the actual value of an id of the examples in this run.
 */
export function asDocumented(answer: unknown, meant: ReadonlyMap<unknown, unknown>): unknown {
  const known = new Map([...meant].map(([example, actual]) => [actual, example]));
  let made = firstMade;
  const number = (value: number, key: string): unknown => {
    if (unixKey.test(key) && value > 0) return shown.unix;
    if (key === 'expDate' && value > 0) return shown.tenYearsLater;
    if (key === 'age') return shown.age;
    if (value === 0 || !/^(?:id|uid)$|_id|I[Dd]s?$/.test(key)) return value;
    if (!known.has(value)) known.set(value, made++);
    return known.get(value);
  };
  const text = (value: string, key: string): string => {
    const named = known.get(value);
    if (typeof named === 'string') return named;
    const [, serial, rest] = /^(\d{15,19})(\..*)$/.exec(value) ?? [];
    if (known.has(serial)) return `${String(known.get(serial))}${rest}`;
    if (Object.hasOwn(shownByKey, key)) return shownByKey[key]!;
    if ((key === 'sha1' || key === 'token') && /^[0-9a-f]{40}$/.test(value)) return shown.token;
    if (key === 'secret' && value.startsWith('whsec_')) return shown.webhookSecret;
    if (known.has(value)) return String(known.get(value));
    if (key === 'version') return shown.version;
    if (/^U[A-Z2-7]{55}$/.test(value)) return shown.userKey;
    if (value.startsWith(shown.certificate.slice(0, -1))) return shown.certificate;
    if (/^[1-9][0-9]*$/.test(value) && known.has(Number(value))) return String(known.get(Number(value)));
    const unsigned = value
      .replace(/\bcontracts\/(\d+)\/[0-9a-f-]{36}/, (_, id: string) => {
        return `contracts/${String(known.get(Number(id)) ?? id)}/${shown.document}`;
      })
      .replace(/\/links\/installer\/(\d+)\/([^/]+)\/([0-9a-v]{20})-[0-9a-f]{40}\//, (_, id, name, installer) => {
        return `/links/installer/${String(known.get(Number(id)))}/${name}/${String(known.get(installer))}-…/`;
      })
      .replace(/^http:\/\/127\.0\.0\.1:\d+\/auth\?.*$/, shown.authorize)
      .replace(/\bexpires=\d+/, `expires=${shown.expires}`)
      .replace(/\bsignature=[\w-]+/, 'signature=…');
    const cut = unsigned.length > longestText ? `${unsigned.slice(0, longestText)}…` : unsigned;
    return cut.replace(/\b[0-9a-f]{32}\b/g, shown.hash).replace(/\b\d{4}-\d\d-\d\dT[\d:]+Z/g, shown.time);
  };
  const walk = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.slice(0, longestList).map((one) => walk(one, key));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => (
        [/^\d{4}-\d\d$/.test(name) ? shown.month : name, walk(one, name)])));
    }
    return typeof value === 'number' ? number(value, key) : typeof value === 'string' ? text(value, key) : value;
  };
  return walk(answer, '');
}
