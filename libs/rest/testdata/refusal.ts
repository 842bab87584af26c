import type { HttpAnswer } from '@platform/testing';

/** Status, code, and the first path at fault. */
export function refusalOf(answer: HttpAnswer): unknown[] {
  const { code, errors } = answer.json<{ code: string; errors?: { path: string }[] }>();
  return [answer.status, code, errors?.[0]?.path];
}
