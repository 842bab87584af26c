/** The resources that a spec file must release, and the logs of the services that it started. */
interface Harness {
  /**
   * Holds a resource until the release. A resource that is added after the release, because its start took longer, is
   * released at once.
   */
  hold(resource: AsyncDisposable, kind: Kind | undefined): void;
  readonly logs: Map<string, ServiceLog>;
  /** Marks the current end of each log. The jest environment calls it before each test. */
  markLogs(): void;
  /** Writes the log lines after the mark to stderr. The jest environment calls it after a test or hook that failed. */
  showLogs(test: string): void;
  /** Releases everything, last acquired first. Consecutive resources of one kind are released concurrently. */
  release(): Promise<void>;
}

/** Kinds of resources that can be released concurrently. */
type Kind = 'service' | 'database';

type Held = Readonly<{ resource: AsyncDisposable; kind: Kind | undefined }>;

/** The lines of one process. */
export interface ServiceLog {
  readonly lines: string[];
  mark: number;
}

const key = Symbol.for('platform.testing.harness');
const shownLines = 200;

/** The harness of this spec file (or proof). The jest environment of each file begins without one. */
function harness(): Harness {
  const holder = globalThis as { [key]?: Harness };
  holder[key] ??= createHarness();
  return holder[key];
}

function createHarness(): Harness {
  const all: Held[] = [];
  let isReleased = false;
  const logs = new Map<string, ServiceLog>();
  return {
    hold(resource, kind) {
      if (isReleased) void resource[Symbol.asyncDispose]();
      else all.push({ resource, kind });
    },
    logs,
    markLogs() {
      for (const log of logs.values()) log.mark = log.lines.length;
    },
    showLogs(test) {
      for (const [name, { lines, mark }] of logs) {
        const since = lines.slice(mark).slice(-shownLines);
        if (since.length === 0) continue;
        process.stderr.write(`--- ${name} logged ${since.length} lines while "${test}" failed\n`);
        process.stderr.write(since.map((line) => `${line}\n`).join(''));
      }
    },
    async release() {
      isReleased = true;
      const failures: unknown[] = [];
      for (let batch = takeBatch(all); batch.length > 0; batch = takeBatch(all)) {
        const results = await Promise.allSettled(batch.map(async (one) => one[Symbol.asyncDispose]()));
        failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])));
      }
      logs.clear();
      if (failures.length === 0) return;
      // Jest shows the message only.
      const why = failures.map(String).join('; ');
      throw new AggregateError(failures, `some resources of the spec file were not released: ${why}`);
    },
  };
}

/** Removes the last resource, and the resources of the same kind directly before it. */
function takeBatch(all: Held[]): AsyncDisposable[] {
  const last = all.pop();
  if (last === undefined) return [];
  const batch = [last.resource];
  while (last.kind !== undefined && all.at(-1)?.kind === last.kind) batch.push(all.pop()!.resource);
  return batch;
}

/** Registers a resource for release at the end of the spec file. The spec may release it earlier. */
export function held<Resource extends AsyncDisposable>(resource: Resource, kind?: Kind): Resource {
  harness().hold(resource, kind);
  return resource;
}

/** Creates the log of a process, which is shown if a test fails. */
export function serviceLog(name: string): ServiceLog {
  const log: ServiceLog = { lines: [], mark: 0 };
  harness().logs.set(name, log);
  return log;
}

/** Releases all resources of the harness. jest does so after each spec file, the runner of proofs at the end. */
export function releaseAll(): Promise<void> {
  return harness().release();
}
