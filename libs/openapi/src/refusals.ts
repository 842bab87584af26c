import { Answer, type Method, reasons } from '@platform/surface';

/** A body of any type, handed on as it is. */
export function takesDocument({ http, input }: Method): boolean {
  const field = input.fields.find(({ name }) => name === http?.body);
  return field?.message?.typeName === 'google.api.HttpBody';
}

/**
 * Every reason with which a method may refuse: those it declares, and those that follow from its access rule and its
 * shape (`platform.faults` never lists them). Over REST a bound method also refuses what the gateway refuses.
 */
export function refusalsOf(method: Method): ReadonlySet<string> {
  const { access, http, faults } = method;
  const found = new Set<string>(['INVALID_PARAMETER', 'INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED']);
  const add = (...names: string[]) => names.forEach((name) => found.add(name));
  add(...faults);
  if (access.who === 'internal') {
    add('UNAUTHENTICATED', 'MALFORMED_BODY', 'VALIDATION_FAILED');
    return found;
  }
  add('RATE_LIMITED');
  if (access.who !== 'anonymous') add('AMBIGUOUS_CREDENTIALS', 'UNAUTHENTICATED', 'ACCOUNT_DISABLED');
  // An organization, or an object, that is not there for this caller.
  if (access.organization) add('NOT_FOUND');
  if (access.organization?.from === 'slug' && !access.organizationOptional) add('MISSING_ORG');
  if (access.who === 'member' || (access.check && access.organization?.from === 'slug')) add('NOT_ORG_MEMBER');
  if (access.check) add('FORBIDDEN');
  if (access.right) add(access.right.refusal);
  if (http) add('URI_TOO_LONG', 'HEADERS_TOO_LARGE');
  // A value may make it another path, which has other verbs (open-points 1.2): `claim`, or nothing at all.
  if (http?.template.includes('{')) add('METHOD_NOT_ALLOWED');
  if (http?.body) add('REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (http?.body && !takesDocument(method)) add('MALFORMED_BODY', 'VALIDATION_FAILED');
  return found;
}

/** The reasons of {@link refusalsOf} by HTTP status, both in ascending order. */
export function refusalsByStatus(method: Method): ReadonlyMap<number, readonly string[]> {
  const byStatus = new Map<number, string[]>();
  for (const [reason, { httpStatus }] of reasons) {
    if (refusalsOf(method).has(reason)) byStatus.set(httpStatus, [...(byStatus.get(httpStatus) ?? []), reason]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Statuses of success of a bound method. */
export function successesOf({ rest }: Method): readonly number[] {
  const statuses = [rest.status || 200];
  if (rest.redirect !== '') statuses.push(302);
  if (rest.etag || rest.immutable) statuses.push(304);
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
