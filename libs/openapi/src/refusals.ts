import {
  Answer, type DescMessage, Gate, isFromHeaders, itemLimit, Makes, type Method, type ReasonName, reasons, statusOf,
  takesRevision,
} from '@platform/surface';

/** Returns the reasons with which a method may refuse: declared or implied reasons, without `neverAnswers`. */
export function refusalsOf(method: Method): ReadonlySet<string> {
  const found = new Set([...impliedRefusals(method), ...method.faults, ...method.statuses.keys()]);
  for (const reason of method.neverAnswers) found.delete(reason);
  return found;
}

/**
 * Returns the reasons that follow from the access rule and the shape of a method. For a method with an HTTP route,
 * includes the reasons of the gateway. Of all these reasons, only FORBIDDEN may also be in `controlplane.faults`.
 */
export function impliedRefusals(method: Method): ReadonlySet<string> {
  const { access, http } = method;
  const found = new Set<string>(['INVALID_PARAMETER', 'INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED']);
  const add = (...names: string[]) => names.forEach((name) => found.add(name));
  if (changesSomething(method)) add('CONFLICT');
  if (access.who === 'internal') {
    add('UNAUTHENTICATED', 'MALFORMED_BODY', 'VALIDATION_FAILED');
    return found;
  }
  add('RATE_LIMITED');
  if (access.who !== 'anonymous') add('AMBIGUOUS_CREDENTIALS', 'UNAUTHENTICATED', 'ACCOUNT_DISABLED');
  if (access.tokenScope !== undefined) add('MISSING_SCOPE');
  const { account, check } = access;
  // The account or object does not exist, or the caller may not know about it.
  if (account) add('NOT_FOUND');
  if (check?.object) add(check.missing);
  if (account?.from === 'slug' && !account.optional) add('MISSING_ORG');
  if (access.who === 'member' || (check && account?.from === 'slug')) add('NOT_ORG_MEMBER');
  if (check || (access.who === 'member' && account?.orUser)) add('FORBIDDEN');
  if (access.right) add(access.right.refusal);
  // Requests from pages of other origins are refused.
  if (method.rest.ownOrigin) add('FORBIDDEN');
  if (method.rest.cookies.length > 0) add('HTTPS_REQUIRED');
  if (method.rest.makes !== Makes.UNSPECIFIED) add('IDEMPOTENCY_KEY_REUSED', 'CONFLICT');
  if (takesRevision(method)) add('PRECONDITION_FAILED');
  if (http) add('URI_TOO_LONG', 'HEADERS_TOO_LARGE');
  // If a path parameter is empty or is a word such as `claim`, the path can match another route, which may have other
  // verbs (open-points 1.2).
  if (http?.template.includes('{')) add('METHOD_NOT_ALLOWED');
  if (http?.body) add('REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (http?.body && !http.rawBody) add('MALFORMED_BODY', 'VALIDATION_FAILED');
  add(...refusalsOfItems(method.input));
  return found;
}

/** Returns the reasons for refusing too many items in a list or map (`controlplane.field.max_items`). */
function refusalsOfItems(message: DescMessage, known = new Set<DescMessage>()): ReasonName[] {
  if (known.has(message)) return [];
  known.add(message);
  return message.fields.filter((field) => !isFromHeaders(field)).flatMap((field) => {
    const limit = itemLimit(field);
    const inner = field.message === undefined ? [] : refusalsOfItems(field.message, known);
    return limit === undefined ? inner : [limit.reason, ...inner];
  });
}

/** Returns false for a GET. Without an HTTP route, returns false for a method that is repeatable or receives a file. */
function changesSomething({ http, kind, repeatable }: Method): boolean {
  return http ? http.verb !== 'GET' : !repeatable && kind !== 'client_streaming';
}

/**
 * Returns whether some deployments do not have the route of the method. These deployments answer 404 without a reason
 * (open-points 1.2).
 */
export function isGated({ http, rest }: Method): boolean {
  return http !== undefined && rest.gate !== Gate.UNSPECIFIED;
}

/**
 * Groups the reasons of {@link refusalsOf} by HTTP status, ascending. For a gated method, the result always contains
 * 404, possibly without reasons.
 */
export function refusalsByStatus(method: Method): ReadonlyMap<number, readonly string[]> {
  const refusals = refusalsOf(method);
  const inOrder = [...reasons.keys()].filter((reason) => refusals.has(reason));
  const byStatus = Map.groupBy(inOrder, (reason) => statusOf(method, reason));
  if (isGated(method) && !byStatus.has(404)) byStatus.set(404, []);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

export function successesOf({ http, rest }: Method): readonly number[] {
  const statuses = [rest.status || 200];
  if (rest.redirect !== '') statuses.push(302);
  if (rest.etag || rest.immutable || (rest.revision && http?.verb === 'GET')) statuses.push(304);
  return statuses;
}

export function statusesOf(method: Method): ReadonlySet<number> {
  return new Set([...successesOf(method), ...refusalsByStatus(method).keys()]);
}

export function answersBody({ rest }: Pick<Method, 'rest'>): boolean {
  return rest.answer !== Answer.EMPTY;
}
