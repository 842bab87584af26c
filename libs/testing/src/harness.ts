/** What a spec file holds: resources to release, and the logs of the services it started. */
interface Harness {
  /** Holds a resource until the release. What comes after it, because its start took longer, is released at once. */
  hold(resource: AsyncDisposable): void;
  readonly logs: Map<string, ServiceLog>;
  /** Remembers where each log ends: called before each test by the jest environment. */
  markLogs(): void;
  /** Writes what was logged since the mark to stderr: called after a test or hook that failed. */
  showLogs(test: string): void;
  /** Releases everything, last acquired first. */
  release(): Promise<void>;
}

/** The lines of one process. */
export interface ServiceLog {
  readonly lines: string[];
  mark: number;
}

const key = Symbol.for('platform.testing.harness');
const shownLines = 200;

/** The harness of this spec file (or proof): each jest context has one of its own. */
function harness(): Harness {
  const holder = globalThis as { [key]?: Harness };
  holder[key] ??= createHarness();
  return holder[key];
}

function createHarness(): Harness {
  const stack = new AsyncDisposableStack();
  const logs = new Map<string, ServiceLog>();
  return {
    hold(resource) {
      if (stack.disposed) void resource[Symbol.asyncDispose]();
      else stack.use(resource);
    },
    logs,
    markLogs() {
      for (const log of logs.values()) {
        log.mark = log.lines.length;
      }
    },
    showLogs(test) {
      for (const [name, { lines, mark }] of logs) {
        const since = lines.slice(mark).slice(-shownLines);
        if (since.length === 0) {
          continue;
        }
        process.stderr.write(`--- ${name} logged ${since.length} lines while "${test}" failed\n`);
        process.stderr.write(since.map((line) => `${line}\n`).join(''));
      }
    },
    async release() {
      await stack.disposeAsync();
      logs.clear();
    },
  };
}

/** Has the resource released when the spec file is done; releasing it earlier by hand is fine. */
export function held<Resource extends AsyncDisposable>(resource: Resource): Resource {
  harness().hold(resource);
  return resource;
}

/** A place for the lines of a process, shown when a test fails. */
export function serviceLog(name: string): ServiceLog {
  const log: ServiceLog = { lines: [], mark: 0 };
  harness().logs.set(name, log);
  return log;
}

/** Releases all that the harness holds. jest does it after each spec file; a proof's runner calls it at the end. */
export function releaseAll(): Promise<void> {
  return harness().release();
}
