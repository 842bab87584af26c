/** Decodes percent escapes. Returns undefined for a broken escape, invalid UTF-8, or NUL (open-points 1.7). */
export function percentDecode(text: string): string | undefined {
  if (!encoded.test(text)) return text;
  try {
    // Node decodes bytes beyond ASCII as Latin-1. Escape these bytes, so that they are decoded as UTF-8.
    const decoded = decodeURIComponent(text.replace(beyondAscii, (byte) => `%${byte.charCodeAt(0).toString(16)}`));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

const encoded = /[%\u0080-\u00ff]/;
const beyondAscii = /[\u0080-\u00ff]/g;

/**
 * Like {@link percentDecode}, for the last segments of a path. Joins the segments with `/`. Does not decode `%2F`,
 * because a decoded `/` would be a separator. Also returns undefined if a segment is `.` or `..`.
 */
export function percentDecodeRest(segments: readonly string[]): string | undefined {
  const decoded = segments.map((segment) =>
    segment.split(escapedSlash).map((part, index) => (index % 2 === 1 ? part : percentDecode(part))),
  );
  if (decoded.some((parts) => parts.includes(undefined))) return undefined;
  const rest = decoded.map((parts) => parts.join(''));
  // Refuse `.` and `..`, so that the next service does not resolve them.
  return rest.some((segment) => segment === '.' || segment === '..') ? undefined : rest.join('/');
}

const escapedSlash = /(%2[Ff])/;
