/** A path as `google.api.http` declares it: fixed segments, `{field}`, `{field=*}`; `{field=**}` only at the end. */
interface PathTemplate {
  /** The declared path, without a slash at the end. It is the label of the path in logs and metrics. */
  readonly text: string;
  readonly segments: readonly PathSegment[];
}

type PathSegment =
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'parameter'; readonly field: string }
  | { readonly kind: 'rest'; readonly field: string };

/** @throws Error if the path does not have the form of a {@link PathTemplate} */
export function parseTemplate(template: string): PathTemplate {
  if (!template.startsWith('/')) throw new Error(`the path ${template} does not begin with a slash`);
  const text = template.length > 1 && template.endsWith('/') ? template.slice(0, -1) : template;
  const segments = splitPath(text).map((segment): PathSegment => {
    const [, field, pattern] = /^\{(\w+)(?:=(\*{1,2}))?\}$/.exec(segment) ?? [];
    if (field !== undefined) return { kind: pattern === '**' ? 'rest' : 'parameter', field };
    if (!/^[\w.~-]+$/.test(segment)) throw new Error(`the path ${template} has a segment of unknown form: ${segment}`);
    return { kind: 'fixed', text: segment };
  });
  if (segments.slice(0, -1).some(({ kind }) => kind === 'rest')) {
    throw new Error(`the path ${template} continues after {…=**}`);
  }
  return { text, segments };
}

/** The segments of a path. One trailing slash is ignored (open-points 1.2); `/` has no segments. */
export function splitPath(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return end <= 1 ? [] : path.slice(1, end).split('/');
}
