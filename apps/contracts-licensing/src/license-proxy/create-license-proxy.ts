import { platformToken } from '@platform/owners';
import type { LicenseProxyInstaller, LicenseServiceService } from '@platform/proto/contracts/v1/license';
import { sql } from '@platform/postgres';
import { type AccountContext, type CallerContext, type Handler, refuseNarrowToken } from '@platform/rpc';
import { baseUrlOf, deadlineIn } from '@platform/service';
import { uuidProblem, Violations } from '@platform/values';
import { forLastStep, repeatedRequest } from '@platform/writes';
import type { Work } from '../change.ts';
import { type IssuedLicence, issueUnder, untilSettled } from '../licences/issue.ts';
import type { Candidate } from '../licences/offers.ts';
import type { Parts } from '../parts.ts';
import { secondsOf } from '../values.ts';
import { type ChartValues, helmScript, manifests } from './installer.ts';
import { selectLicences } from './select-licences.ts';

const mostContracts = 100;
/** Time limit for revoking a token, in milliseconds. The deadline of the request may have expired already. */
const removalMs = 5_000;

/**
 * POST /user/license-proxy (spec §4.11, open-points 6.4, 6.5). An online installer contains a token. If the request has
 * an `Idempotency-Key` and is repeated after a crash, a new token replaces the first token.
 */
export function createLicenseProxy(parts: Parts): Handler<typeof LicenseServiceService.createLicenseProxy> {
  return async ({ wish }, call) => {
    const context = forLastStep(call);
    const { clusterUid, contractIds } = checked(wish?.clusterId ?? '', wish?.contractIds ?? []);
    if (clusterUid === undefined && contractIds.length === 0) {
      const token = await newToken(parts, call);
      return installer(parts, 'online', { platform: { baseURL: baseUrlOf(parts.config), token } }, []);
    }
    const selection = { ownerId: context.account.id, clusterUid, contractIds };
    const licences = await untilSettled(async () => {
      const selected = await selectLicences(parts.database, selection, context.deadline);
      const also = (work: Work) => rememberClusters(work, context.account.id, selected);
      return issueUnder(parts, context, selected, { kind: 'offline', also });
    });
    return installer(parts, 'offline', { encodedLicenses: encoded(licences) }, licences);
  };
}

function checked(clusterId: string, contractIds: readonly number[]) {
  const violations = new Violations();
  if (clusterId !== '') violations.note('clusterID', uuidProblem(clusterId));
  if (contractIds.length > mostContracts) violations.note('contractIDs', `must have at most ${mostContracts} items`);
  violations.refuse();
  return { clusterUid: clusterId === '' ? undefined : clusterId.toLowerCase(), contractIds: [...new Set(contractIds)] };
}

/**
 * Creates a token of the account for the proxy. The token of an organization stays valid when the caller leaves the
 * organization. So the caller's rights are checked again after the creation. If the check fails, the service tries to
 * revoke the token.
 * @throws Fault MISSING_SCOPE for a caller whose own token does not have the scope `all`; also the errors of the
 *   creation and of the check
 */
async function newToken({ accounts, log, renew }: Parts, context: AccountContext & CallerContext): Promise<string> {
  refuseNarrowToken(context.caller);
  const { account: { kind, name } } = context;
  const holder = kind === 'organization' ? { user: '', organization: name } : { user: name, organization: '' };
  const request = repeatedRequest(context);
  const { id, token } = await accounts.createToken({ ...holder, ...platformToken('license-proxy'), request }, context);
  try {
    await renew(context);
    return token;
  } catch (error) {
    await accounts.revokeToken({ id }, { ...context, deadline: deadlineIn(removalMs) }).catch((cause: unknown) => {
      log.error({ error: cause, tokenId: id }, 'cannot remove a token that was not delivered');
    });
    throw error;
  }
}

/** Stores the clusters of an installer. The account may get trial licences for them (open-points 6.2). */
function rememberClusters(work: Work, ownerId: number, selected: readonly Candidate[]): Promise<unknown> {
  return work.execute(sql`
    insert into installer_cluster (owner_id, cluster_uid)
    select distinct ${ownerId}::bigint, uid from unnest(${selected.map(({ clusterUid }) => clusterUid)}::uuid[]) as uid
        on conflict do nothing`);
}

function encoded(licences: readonly IssuedLicence[]): Record<string, string> {
  return Object.fromEntries(licences.map(({ terms, pem }) =>
    [`${terms.plan.name}-license-${terms.clusterId}`, Buffer.from(pem).toString('base64')]));
}

function installer(
  { config }: Parts, flavor: string, values: ChartValues, licences: readonly IssuedLicence[],
): LicenseProxyInstaller {
  const release = { chart: config.licenseProxyChart, namespace: config.licenseProxyNamespace };
  const licenses = licences.map(({ contractId, terms: { clusterId, serial, plan, notAfter } }) => (
    { contractId, clusterId, licenseId: serial.toString(), planName: plan.name, notAfter: secondsOf(notAfter) }));
  return { flavor, helm3: helmScript(values, release), yaml: manifests(values, release), licenses };
}
