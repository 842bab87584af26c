import type { Method } from '@platform/surface';
import type { Hit } from '../routing/route-table.ts';

type Headers = [name: string, value: string][];

/**
 * Compiles the headers of a deprecated route (open-points 3.4, 14): Deprecation (RFC 9745), Sunset (RFC 8594), Link.
 * Undefined for other routes.
 */
export function compileDeprecation(
  { rest, input, fullName }: Method,
): ((path: Hit<unknown>['parameters'], baseUrl: string) => Headers) | undefined {
  const { deprecation } = rest;
  if (!deprecation) return undefined;
  const { sinceUnix, sunset, successor } = deprecation;
  if (Number.isNaN(Date.parse(sunset))) throw new Error(`${fullName}: its sunset is not an HTTP date: ${sunset}`);
  for (const [, field] of successor.matchAll(/\{(\w+)\}/g)) {
    if (!input.fields.some(({ name }) => name === field)) {
      throw new Error(`${fullName}: the path of its successor names the field ${field}, which ${input.name} lacks`);
    }
  }
  const fixed: Headers = [['Deprecation', `@${sinceUnix}`], ['Sunset', new Date(sunset).toUTCString()]];
  if (successor === '') return () => fixed;
  return (path, baseUrl) => {
    const values = new Map(path);
    const target = successor.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(values.get(field) ?? ''));
    return [...fixed, ['Link', `<${baseUrl}${target}>; rel="successor-version"`]];
  };
}
