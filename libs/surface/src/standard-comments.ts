import type { DescField } from '@bufbuild/protobuf';
import { fieldRules } from './field.ts';

/**
 * Returns the comment of a standard field, so that the protos do not repeat it. Standard fields are fields of paging
 * (open-points 1.8), `If-Match` (open-points 18.8) and usage views (open-points 7.2). Undefined for other fields.
 */
export function standardComment(field: DescField): string | undefined {
  if (fieldRules(field).header === 'if-match') {
    return 'Accepted revisions of the object, as in `If-Match` (RFC 9110). PRECONDITION_FAILED for any other revision.';
  }
  const has = (...names: string[]) => names.every((name) => field.parent.fields.some((one) => one.name === name));
  if (has('page', 'after')) return commentsOfRequest(has('per_page') ? 'per_page' : 'limit')[field.name];
  if (has('total', 'next')) return commentsOfResponse[field.name];
  return has('units', 'generated_at') ? commentsOfView[field.name] : undefined;
}

const commentsOfRequest = (size: 'limit' | 'per_page'): Readonly<Record<string, string>> => ({
  page: `Number of the page, from 1. Without \`page\` and \`${size}\`, a response has at most 1,000 rows by default. `
    + 'Over REST, the header `Link` has the URL of the next page.',
  [size]: 'Rows per page. Values above 50 count as 50. Default: 30 if `page` is given.',
  after: '`next` of a previous response. The page then begins after the last row of that response. The value of `page` '
    + 'does not change this. Over REST, the URL of the next page in the header `Link` contains `next`.',
});

const commentsOfResponse: Readonly<Record<string, string>> = {
  total: 'Number of rows in the whole list.',
  next: 'Value of `after` for the next page. Absent on the last page.',
};

const commentsOfView: Readonly<Record<string, string>> = {
  product: 'Key of the product, such as `productdb`.',
  view: 'Name of the view, as in the path.',
  view_type: '`total` or `billable`.',
  filters: 'The query parameters that filter the view.',
  units: 'The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB.',
  totals: 'The sum of all rows.',
  series: 'The usage by UTC days: a series for each of the 50 largest rows, and a series for all other rows together.',
  days: 'The usage of each UTC day, by kind of billing.',
  rows: 'The rows, sorted by memory, the largest first.',
  generated_at: 'When the response was created, RFC3339.',
  final: 'Whether the figures are final: the month ended at least 35 days ago.',
};
