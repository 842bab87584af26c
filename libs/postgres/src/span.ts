import type { SpanOptions } from '@platform/service';
import type { Statement } from './sql.ts';

/** What traces tell of a statement: its text, in which each value is a `$1`, and never the values. */
export function spanOf(statement?: Pick<Statement, 'text'>): SpanOptions {
  return { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement?.text } };
}
