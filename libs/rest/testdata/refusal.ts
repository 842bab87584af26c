import type { HttpAnswer } from '@platform/testing';

/** Returns the status, the code, and the path of the first violation. */
export function refusalOf(answer: HttpAnswer): unknown[] {
  const { code, errors } = answer.json<{ code: string; errors?: { path: string }[] }>();
  return [answer.status, code, errors?.[0]?.path];
}
