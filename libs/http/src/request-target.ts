/** The target of a request in its parts. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark. */
  readonly rawQuery: string;
}

/** Splits a request target; of an absolute one (`GET http://host/path`) scheme and authority are left out. */
export function splitTarget(target: string): RequestTarget {
  const absolute = target.startsWith('/') ? null : /^https?:\/\/[^/?#]*(\/?)([^#]*)/i.exec(target);
  const origin = absolute ? `/${absolute[2]}` : target;
  const mark = origin.indexOf('?');
  return mark === -1
    ? { path: origin, rawQuery: '' }
    : { path: origin.slice(0, mark), rawQuery: origin.slice(mark + 1) };
}

