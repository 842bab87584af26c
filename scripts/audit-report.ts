/** The output and the exit code of `npm run audit`. */
export interface AuditResult {
  readonly code: 0 | 1 | 2;
  readonly lines: readonly string[];
}

/** The part of npm's report (version 2) that is read here. */
interface NpmReport {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly metadata?: { readonly dependencies?: { readonly total?: number } };
  /** If the registry refuses, npm writes this field and the next two fields instead of a report. */
  readonly statusCode?: number;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

interface Vulnerability {
  readonly severity: string;
  readonly range: string;
  /** Names of packages that cause the vulnerability, or advisories. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
  readonly fixAvailable: boolean | { readonly name: string; readonly version: string };
}

const severities = ['critical', 'high', 'moderate', 'low', 'info'];
/** HTTP statuses with which a registry answers if it offers no audits. */
const notOffered: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 501]);

/** Parses the output of `npm audit --json`. */
export function readAudit(output: string, errors: string): AuditResult {
  const report = parse(output);
  if (report?.vulnerabilities === undefined) return { code: 2, lines: unasked(report, errors || output) };
  const found = Object.entries(report.vulnerabilities)
    .sort(([, one], [, other]) => severities.indexOf(one.severity) - severities.indexOf(other.severity));
  const packages = report.metadata?.dependencies?.total ?? 'the';
  if (found.length === 0) return { code: 0, lines: [`No known vulnerabilities in ${packages} packages.`] };
  return {
    code: 1,
    lines: [...found.map(describe), `${found.length} of ${packages} packages have known vulnerabilities.`],
  };
}

function describe([name, { severity, range, via, fixAvailable }]: [string, Vulnerability]): string {
  const why = via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : `${cause.title} ${cause.url}`));
  const fix = typeof fixAvailable === 'object'
    ? `; fixed by ${fixAvailable.name} ${fixAvailable.version}`
    : fixAvailable ? '; fixed by an update' : '; no fix yet';
  return `${severity.padEnd(8)}  ${name} ${range}: ${why.join(', ')}${fix}`;
}

function unasked(report: NpmReport | undefined, errors: string): string[] {
  const status = report?.statusCode;
  const next = 'Nothing is known about the packages. Ask another registry: npm_config_registry=<address> npm run audit';
  if (status !== undefined && notOffered.has(status)) {
    return [`The registry does not offer audits: it answers ${status}.`, next];
  }
  const why = report?.error?.summary || report?.message || errors.trim().split('\n').at(0) || 'no answer';
  return [`The registry could not be asked: ${why}`, next];
}

function parse(output: string): NpmReport | undefined {
  try {
    return JSON.parse(output) as NpmReport;
  } catch {
    return undefined;
  }
}
