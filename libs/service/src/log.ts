import { pino } from 'pino';
import type { LogLevel } from './settings.ts';
import { redacted } from './redact.ts';

type Write = (fields: object, message: string) => void;

/** Each line has a fixed text and fields. Known forms of secrets in the fields are masked (redact.ts). */
export interface Logger extends Readonly<Record<Exclude<LogLevel, 'silent'>, Write>> {
  child(fields: object): Logger;
  /** Whether lines of this level are written. Check it before building expensive fields. */
  enabled(level: LogLevel): boolean;
}

export interface LoggerOptions {
  readonly service: string;
  /** Lowest level that is written; default `info`. */
  readonly level?: LogLevel;
  /** Default: standard output. */
  readonly destination?: { write(line: string): void };
}

/**
 * Returns a logger that writes one JSON object per line. The object has `time` (RFC 3339), `level` (such as `info`),
 * `service`, `message` and the fields that are passed to the logger.
 */
export function createLogger({ service, level = 'info', destination = standardOutput() }: LoggerOptions): Logger {
  return wrap(pino({
    level,
    base: { service },
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redacted },
  }, destination));
}

let output: ReturnType<typeof pino.destination> | undefined;

/**
 * Maximum total length, in characters, of the lines that wait while the output is slow or its disk is full. Further
 * lines are lost.
 */
const mostWaiting = 4 * 1024 * 1024;

/** One stream per process. It does not block; at exit, it writes the remaining lines synchronously. */
function standardOutput(): { write(line: string): void } {
  if (output === undefined) {
    output = pino.destination({ dest: 1, sync: false, maxLength: mostWaiting });
    // A reader that has gone (EPIPE) or a full disk (ENOSPC) must not stop the process.
    output.on('error', () => undefined);
  }
  return output;
}

export const silentLogger: Logger = wrap(pino({ level: 'silent' }));

function wrap(inner: pino.Logger): Logger {
  return {
    trace: (fields, message) => inner.trace(fields, message),
    debug: (fields, message) => inner.debug(fields, message),
    info: (fields, message) => inner.info(fields, message),
    warn: (fields, message) => inner.warn(fields, message),
    error: (fields, message) => inner.error(fields, message),
    fatal: (fields, message) => inner.fatal(fields, message),
    child: (fields) => wrap(inner.child(redacted({ ...fields }))),
    enabled: (level) => inner.isLevelEnabled(level),
  };
}
