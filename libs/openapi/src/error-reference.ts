import { Code } from '@platform/proto/options/google/rpc/code';
import { type Method, type ReasonName, reasons, type Surface } from '@platform/surface';
import { reasonTexts } from './reason-texts.ts';
import { refusalsOf } from './refusals.ts';
import { lowerFirst } from './texts.ts';

const introduction = `# Errors

Made from \`proto/\` and a table of texts by \`npm run generate -- --golden\`.

A refusal over REST has a status of 4xx or 5xx and the body \`{"message", "url", "code", "requestId"}\`.
If values of the request are wrong, the body may also have \`errors\`: the \`path\` and a \`message\` for each wrong
value. Below \`/marketplace/\`, the body has neither \`url\` nor \`errors\`. Programs should rely on the status and on
\`code\`. Messages are for people and may change. The log of the platform has the cause under the \`requestId\`, which
is also in the header \`X-Request-Id\`. Over gRPC, the code in upper case is the reason of a \`google.rpc.ErrorInfo\`
(domain \`platform\`). [openapi.json](openapi.json) lists the codes of each operation.

Repeat a request only where this page says so. An \`Idempotency-Key\` makes it safe to repeat a request that creates something.
`;

/**
 * Maximum number of operations that are listed beside a reason. If more operations have the reason, only operations
 * with an unusual HTTP status are listed.
 */
const mostNamed = 4;

/** Returns the reference of all refusals (docs/errors.md), grouped by HTTP status. */
export function errorReference({ methods }: Pick<Surface, 'methods'>): string {
  const bound = methods.filter(({ http }) => http !== undefined);
  const known = [...reasons].filter(([name]) => name !== 'REASON_UNSPECIFIED');
  const statuses = [...new Set(known.map(([, { httpStatus }]) => httpStatus))].toSorted((a, b) => a - b);
  const parts = statuses.map((status) => {
    const those = known.filter(([, { httpStatus }]) => httpStatus === status);
    const rows = those.map(([name, { code }]) => {
      const [meaning, remedy] = reasonTexts[name as ReasonName];
      return `| \`${name.toLowerCase()}\` | ${meaning}${exceptions(name, bound)} | ${remedy} | \`${Code[code]!}\` |`;
    });
    return `## ${status}\n\n| code | meaning | what to do | gRPC code |\n|---|---|---|---|\n${rows.join('\n')}`;
  });
  return `${[introduction.trimEnd(), ...parts].join('\n\n')}\n`;
}

/** Names the operations that refuse with a reason, if they are few. Always names operations with an unusual status. */
function exceptions(reason: string, bound: readonly Method[]): string {
  const answering = bound.filter((method) => refusalsOf(method).has(reason));
  const other = bound.filter(({ statuses }) => statuses.has(reason));
  const named = answering.length > mostNamed ? [] : answering;
  return [
    ...(named.length === 0 ? [] : [` Operations: ${named.map(operation).join(', ')}.`]),
    ...other.map((method) => ` For ${operation(method)}, the status is ${method.statuses.get(reason)}.`),
  ].join('');
}

function operation({ name }: Method): string {
  return `\`${lowerFirst(name)}\``;
}
