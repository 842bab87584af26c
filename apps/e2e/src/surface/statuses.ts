import { type Method, reasons } from '@platform/surface';

/** Statuses a method may answer: what its options say, and what follows from its access rule and shape. */
export function statusesOf(method: Method): ReadonlySet<number> {
  const { access, rest, http, faults } = method;
  const statuses = new Set<number>([rest.status || 200, 500, 503, 504]);
  if (rest.redirect !== '') statuses.add(302);
  if (rest.etag) statuses.add(304);
  for (const reason of faults) statuses.add(reasons.get(reason)!.httpStatus);
  if (access.who === 'internal' || access.who === 'anonymous') {
    if (method.input.fields.length > 0) statuses.add(400);
  } else {
    for (const status of [400, 401, 403, 429]) statuses.add(status);
  }
  // An organization, or an object, that is not there for this caller; and a member that is not.
  if (access.organization) statuses.add(404);
  if (http?.body) for (const status of [400, 413, 415, 422]) statuses.add(status);
  return statuses;
}
