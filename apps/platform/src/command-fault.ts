import { BackingFault } from '@platform/backing';
import { Fault } from '@platform/rpc';
import { ConfigError } from '@platform/service';

/** A command was refused or failed (exit code 1): what and why (`message`), and what to do (`cure`). */
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

/** What an operator can do about a refusal of the services, by reason. */
const cures: Readonly<Record<string, string>> = {
  ALREADY_EXISTS: 'Choose another name.',
  CONFLICT: 'Somebody changed the same thing at this moment: try again.',
  DEADLINE_EXCEEDED: 'Look at `platform status`, then try again.',
  FORBIDDEN: 'Check the operator credential (--token-file, PLATFORM_TOKEN).',
  INTERNAL: 'The log of the service says more.',
  LAST_OWNER: 'Make somebody else an owner first.',
  NOT_FOUND: 'Check the name.',
  ORG_IN_USE: 'Remove first what it still holds.',
  UNAUTHENTICATED: 'Check the operator credential (--token-file, PLATFORM_TOKEN).',
  UNAVAILABLE: 'Look at `platform status`, then try again.',
};

/** An error as the one line an operator reads: what, why, what to do. */
export function explain(error: unknown): string {
  return describe(error).replaceAll(/\s*\n\s*/g, ' ').trim();
}

function describe(error: unknown): string {
  if (error instanceof CommandFault || error instanceof BackingFault) return sentences(error.message, error.cure);
  if (error instanceof ConfigError) return sentences(error.message, 'Correct the settings and start again.');
  if (error instanceof Fault) return describeFault(error);
  if (error instanceof AggregateError) return error.errors.map(describe).join(' ');
  return sentences(error instanceof Error ? `Unexpected failure: ${error.message}` : String(error), '');
}

function describeFault(fault: Fault): string {
  const violations = fault.violations.map(({ path, message }) => `${path}: ${message}`).join('; ');
  const metadata = Object.entries(fault.metadata).map(([name, value]) => `${name}: ${value}`).join('; ');
  const details = [violations, metadata].filter((text) => text !== '').join('; ');
  const what = `Refused, ${fault.reason}: ${fault.message}${details === '' ? '' : ` (${details})`}`;
  return sentences(what, cures[fault.reason] ?? 'Correct the command and try again.');
}

function sentences(what: string, cure: string): string {
  const ended = /[.!?:]$/.test(what.trim()) ? what.trim() : `${what.trim()}.`;
  return `${ended} ${cure}`;
}
