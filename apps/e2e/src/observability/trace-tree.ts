import type { SentSpan } from '@platform/testing';

/** `service name` of a span and of those above it, from the outermost; ends where the one above was not sent. */
export function pathTo(span: SentSpan, spans: readonly SentSpan[]): string[] {
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(above === undefined ? [] : pathTo(above, spans)), `${span.service} ${span.name}`];
}

/** The attributes of a span; texts and numbers alike as text. */
export function attributesOf({ attributes }: SentSpan): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
