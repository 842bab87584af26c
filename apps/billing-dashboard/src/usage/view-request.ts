import type { Account } from '@platform/rpc';
import { type Fragment, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { invalidParameter, uuidProblem } from '@platform/values';
import { type Month, type MonthPath, readMonth } from './month.ts';

export interface Calling {
  readonly account: Account;
  readonly deadline: Deadline;
}

export type ViewType = 'total' | 'billable';

type Parameter = 'viewType' | 'group' | 'kind' | 'clusterUid' | 'namespace' | 'namespaceUid' | 'contractId';

/** The path and the query parameters of a month view; each view has some of the parameters. */
export type ViewParameters = MonthPath & { readonly [Name in Parameter]?: string | undefined };

export interface ViewRequest {
  readonly month: Month;
  readonly viewType: ViewType;
  /** The filters that the answer repeats. JSON leaves out undefined filters. */
  readonly filters: Readonly<Record<string, string | number | undefined>>;
  readonly clusterUid: string | undefined;
  /**
   * SQL condition on `metered_object` under the alias `object`, for the filters by group, kind, namespace and namespace
   * UID. Undefined without these filters.
   */
  readonly objects: Fragment | undefined;
  /** SQL condition on the column `contract_id`, for the filter by contract; `true` without this filter. */
  readonly shown: Fragment;
}

const viewTypes: Readonly<Record<string, ViewType>> = {
  total: 'total', 'total-usage': 'total', billable: 'billable', 'billable-usage': 'billable',
};

/** Parses parameters of a month view (open-points 7.1). @throws Fault INVALID_PARAMETER; NOT_FOUND for the year 0 */
export function readViewRequest(parameters: ViewParameters): ViewRequest {
  const month = readMonth(parameters);
  const { viewType: givenType = 'total', group, kind, namespace } = parameters;
  const viewType = Object.hasOwn(viewTypes, givenType) ? viewTypes[givenType] : undefined;
  if (viewType === undefined) throw invalidParameter('view_type', 'is neither total nor billable');
  const clusterUID = parameters.clusterUid === undefined ? undefined : readClusterUid(parameters.clusterUid);
  const namespaceUID = parameters.namespaceUid;
  const contractID = parameters.contractId === undefined ? undefined : readContractId(parameters.contractId);
  const conditions = [
    group === undefined ? undefined : sql`object.api_group = ${group}`,
    kind === undefined ? undefined : sql`object.kind = ${kind}`,
    namespace === undefined ? undefined : sql`object.namespace = ${namespace}`,
    namespaceUID === undefined ? undefined : sql`object.namespace_uid = ${namespaceUID}`,
  ].filter((condition) => condition !== undefined);
  return {
    month,
    viewType,
    filters: { group, kind, clusterUID, namespace, namespaceUID, contractID },
    clusterUid: clusterUID,
    objects: conditions.length === 0 ? undefined : sql.join(conditions, sql` and `),
    shown: contractID === undefined ? sql`true` : sql`contract_id = ${contractID}`,
  };
}

/** @returns the UID in lower case. @throws Fault INVALID_PARAMETER */
export function readClusterUid(text: string, parameter = 'clusterUID'): string {
  const problem = uuidProblem(text);
  if (problem !== undefined) throw invalidParameter(parameter, problem);
  return text.toLowerCase();
}

function readContractId(text: string): number {
  const id = Number(text);
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text) || !Number.isSafeInteger(id)) {
    throw invalidParameter('contractID', 'must be an id, or 0 for use without a contract');
  }
  return id;
}

/** The owner whose usage is shown; undefined for all owners (open-points 7.1). */
export function shownOwner({ account }: Pick<Calling, 'account'>): number | undefined {
  return account.kind === 'organization' && account.standing.administrative ? undefined : account.id;
}
