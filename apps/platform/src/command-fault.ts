import type { Fault } from '@platform/faults';

/** A command was refused or failed (exit code 1): what failed and why (`message`), and what to do (`cure`). */
export class CommandFault extends Error {
  override readonly name: string = 'CommandFault';
  readonly cure: string;

  constructor(message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.cure = cure;
  }
}

/** The command was called wrongly (exit code 2). */
export class UsageFault extends CommandFault {
  override readonly name = 'UsageFault';
}

/** What an operator can do about a fault of a service, by reason. Empty if the message of the fault is enough. */
const cures: Readonly<Record<string, string>> = {
  ALREADY_EXISTS: '',
  BAD_UPSTREAM: '',
  CONFLICT: 'If another request is the cause, try again.',
  DEADLINE_EXCEEDED: 'Check `platform status`, then try again.',
  FORBIDDEN: 'Check the operator credential (--token-file, PLATFORM_TOKEN).',
  INTERNAL: 'See the logs of the services.',
  LAST_OWNER: '',
  NOT_FOUND: 'Check the name or id.',
  ORG_IN_USE: 'First remove the objects that the account still owns.',
  UNAUTHENTICATED: 'Check the operator credential (--token-file, PLATFORM_TOKEN).',
  UNAVAILABLE: 'Check `platform status`, then try again.',
};

/** Returns an error as one line for the operator: what failed and, if known, what to do. */
export function explain(error: unknown): string {
  return describe(error).replaceAll(/\s*\n\s*/g, ' ').trim();
}

// Recognizes errors by names and properties, so that printing an error does not load the modules that may throw it.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A CommandFault or a BackingFault.
  if ('cure' in error) return sentences(error.message, error.cure as string);
  if (error.name === 'ConfigError') {
    // The message has one line per problem.
    return sentences(error.message.replaceAll(/(?<!:)\n\s*/g, '. '), 'Correct these settings.');
  }
  if (error.name === 'Fault') return describeFault(error as Fault);
  if (error instanceof AggregateError) return error.errors.map(describe).join(' ');
  return sentences(`Unexpected failure: ${error.message}`, '');
}

function describeFault(fault: Fault): string {
  // If a fault has violations, its message may name only the first one.
  const violations = fault.violations.map(({ path, message }) => `${path} ${message}`).join('; ');
  const metadata = Object.entries(fault.metadata).map(([name, value]) => `${name}: ${value}`).join('; ');
  const what = `Refused, ${fault.reason}: ${violations === '' ? fault.message : violations}`;
  const cure = cures[fault.reason] ?? 'Correct the command and try again.';
  return sentences(metadata === '' ? what : `${what} (${metadata})`, cure);
}

function sentences(what: string, cure: string): string {
  const ended = /[.!?:]$/.test(what.trim()) ? what.trim() : `${what.trim()}.`;
  return cure === '' ? ended : `${ended} ${cure}`;
}
