import { isIP } from 'node:net';
import type { Deadline } from '@platform/service';
import { askProvider, isSuccess, unreadable } from '../provider-http.ts';

const name = 'the published address list of provider A';
/** Maximum size of the list, in bytes. */
const largestList = 16 * 1024 * 1024;

/**
 * Fetches the published ranges. The list is JSON: `{"prefixes": [{"ip_prefix"}], "ipv6_prefixes": [{"ipv6_prefix"}]}`.
 * @returns at least one range, without duplicates
 * @throws Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded, after 10 s at the latest
 */
export async function fetchPublishedRanges(address: string, deadline: Deadline): Promise<readonly string[]> {
  const answer = await askProvider(name, address, { deadline }, largestList);
  const ranges = new Set([
    ...rangesIn(answer.json?.['prefixes'], 'ip_prefix'), ...rangesIn(answer.json?.['ipv6_prefixes'], 'ipv6_prefix'),
  ]);
  // With an empty list, the listener would no longer accept notifications from published addresses.
  if (!isSuccess(answer) || ranges.size === 0) throw unreadable(name, answer.status);
  return [...ranges];
}

function rangesIn(list: unknown, key: string): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((entry: unknown) => (entry as Record<string, unknown> | null)?.[key]).filter(isRange);
}

function isRange(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [base = '', bits = '', ...more] = value.split('/');
  const version = isIP(base);
  return more.length === 0 && version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
