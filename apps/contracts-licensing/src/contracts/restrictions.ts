import { invalidValue } from '@platform/values';
import { validRange } from 'semver';

const longest = 10_000;

/**
 * Validates the restrictions of a contract: empty, or a JSON object `{Kind: {"versionConstraint", "distributions"?}}`
 * (open-points 5.1). Returns the text unchanged, because licences contain it.
 * @throws Fault INVALID_VALUE
 */
export function restrictionsFrom(text: string): string {
  const problem = text === '' ? undefined : problemOf(text);
  if (problem !== undefined) throw invalidValue([{ path: 'restrictions', message: problem }]);
  return text;
}

function problemOf(text: string): string | undefined {
  if (text.length > longest) return `must have at most ${longest} characters`;
  const restrictions = parse(text);
  if (!isObject(restrictions)) return 'must be empty or a JSON object';
  for (const [kind, restriction] of Object.entries(restrictions)) {
    if (kind === '') return 'must not have an empty kind';
    if (!isObject(restriction)) return `must have an object for ${kind}`;
    const { versionConstraint, distributions, ...others } = restriction;
    if (typeof versionConstraint !== 'string' || validRange(versionConstraint) === null) {
      return `must have a semver range or "*" as versionConstraint of ${kind}`;
    }
    if (distributions !== undefined && !isListOfTexts(distributions)) {
      return `must have a list of texts as distributions of ${kind}`;
    }
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) return `must not have ${JSON.stringify(unknown)} in ${kind}`;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
