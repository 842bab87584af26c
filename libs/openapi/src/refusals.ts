import {
  Answer, type DescMessage, Gate, isFromHeaders, itemLimit, Makes, type Method, type ReasonName, reasons, statusOf,
  takesRevision,
} from '@platform/surface';

/**
 * Every reason with which a method may refuse: those it declares, and those that follow from its access rule and its
 * shape ({@link impliedRefusals}).
 */
export function refusalsOf(method: Method): ReadonlySet<string> {
  const found = new Set([...impliedRefusals(method), ...method.faults, ...method.statuses.keys()]);
  for (const reason of method.neverAnswers) found.delete(reason);
  return found;
}

/**
 * The reasons that follow from the access rule and the shape of a method, so that `controlplane.faults` does not list
 * them. A bound method also has the refusals of the gateway.
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
  // An account or an object that does not exist for this caller.
  if (account) add('NOT_FOUND');
  if (check?.object) add(check.missing);
  if (account?.from === 'slug' && !account.optional) add('MISSING_ORG');
  if (access.who === 'member' || (check && account?.from === 'slug')) add('NOT_ORG_MEMBER');
  if (check || (access.who === 'member' && account?.orUser)) add('FORBIDDEN');
  if (access.right) add(access.right.refusal);
  // The page that calls is not of the platform.
  if (method.rest.ownOrigin) add('FORBIDDEN');
  if (method.rest.cookies.length > 0) add('HTTPS_REQUIRED');
  if (method.rest.makes !== Makes.UNSPECIFIED) add('IDEMPOTENCY_KEY_REUSED', 'CONFLICT');
  if (takesRevision(method)) add('PRECONDITION_FAILED');
  if (http) add('URI_TOO_LONG', 'HEADERS_TOO_LARGE');
  // A value may turn it into another path with other verbs (open-points 1.2): `claim`, or an empty value.
  if (http?.template.includes('{')) add('METHOD_NOT_ALLOWED');
  if (http?.body) add('REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (http?.body && !http.rawBody) add('MALFORMED_BODY', 'VALIDATION_FAILED');
  add(...refusalsOfItems(method.input));
  return found;
}

/** The reasons for which a request with too many items in a list or map is refused (`controlplane.field.max_items`). */
function refusalsOfItems(message: DescMessage, known = new Set<DescMessage>()): ReasonName[] {
  if (known.has(message)) return [];
  known.add(message);
  return message.fields.filter((field) => !isFromHeaders(field)).flatMap((field) => {
    const limit = itemLimit(field);
    const inner = field.message === undefined ? [] : refusalsOfItems(field.message, known);
    return limit === undefined ? inner : [limit.reason, ...inner];
  });
}

/** A method that is bound to GET, that may be repeated without a binding, or that receives a file changes nothing. */
function changesSomething({ http, kind, repeatable }: Method): boolean {
  return http ? http.verb !== 'GET' : !repeatable && kind !== 'client_streaming';
}

/** Whether some deployments do not register the method: they answer its route with the plain 404 (open-points 1.2). */
export function isGated({ http, rest }: Method): boolean {
  return http !== undefined && rest.gate !== Gate.UNSPECIFIED;
}

/**
 * The reasons of {@link refusalsOf} by HTTP status, both in ascending order. The plain 404 has no reason.
 */
export function refusalsByStatus(method: Method): ReadonlyMap<number, readonly string[]> {
  const byStatus = new Map<number, string[]>();
  const refusals = refusalsOf(method);
  for (const reason of reasons.keys()) {
    if (!refusals.has(reason)) continue;
    const status = statusOf(method, reason);
    byStatus.set(status, [...(byStatus.get(status) ?? []), reason]);
  }
  if (isGated(method) && !byStatus.has(404)) byStatus.set(404, []);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Statuses of success of a bound method. */
export function successesOf({ http, rest }: Method): readonly number[] {
  const statuses = [rest.status || 200];
  if (rest.redirect !== '') statuses.push(302);
  if (rest.etag || rest.immutable || (rest.revision && http?.verb === 'GET')) statuses.push(304);
  return statuses;
}

/** Every status a bound method may answer. */
export function statusesOf(method: Method): ReadonlySet<number> {
  return new Set([...successesOf(method), ...refusalsByStatus(method).keys()]);
}

/** Whether a success has a body. */
export function answersBody({ rest }: Method): boolean {
  return rest.answer !== Answer.EMPTY;
}
