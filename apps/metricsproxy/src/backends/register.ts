import { notFound, unavailable } from '@platform/faults';
import { UniqueViolation } from '@platform/postgres';
import type { MetricsProxyServiceService, Registration } from '@platform/proto/metricsproxy/v1/metricsproxy';
import { type AccountContext, type CallerContext, type Handler, refuseNarrowToken } from '@platform/rpc';
import { Secret } from '@platform/service';
import { alreadyExists, conflict } from '@platform/values';
import type { Flavor } from '../dashboards/dashboard.ts';
import { datasourceName, folderName, projectName } from '../dashboards/perses.ts';
import type { Parts } from '../parts.ts';
import { requestedBackend } from './requested-backend.ts';
import { orGiveUp, settleInTurn } from './settle.ts';
import { newToken, putBackend, removeBackends, type Target } from './store.ts';
import { findTarget, namedTarget } from './target.ts';

/** POST /metricsproxy/register (spec §4.7). */
export function registerFlavorA(parts: Parts): Handler<typeof MetricsProxyServiceService.registerFlavorA> {
  return async ({ registration }, context) => {
    const { target, url, bearerToken, folderId } = await register(parts, 'flavora', registration!, context);
    const { identity: datasource } = target;
    return { flavora: { url, bearerToken, dashboard: { datasource, folderId } }, folderId, datasource };
  };
}

/** POST /metricsproxy/flavorb/register (spec §4.7). */
export function registerFlavorB(parts: Parts): Handler<typeof MetricsProxyServiceService.registerFlavorB> {
  return async ({ registration }, context) => {
    const { target, url, bearerToken } = await register(parts, 'flavorb', registration!, context);
    const datasource = datasourceName(target.identity);
    const place = { projectName: projectName(target.ownerName), folderName, datasource };
    return { flavorb: { url, bearerToken, dashboard: place }, ...place };
  };
}

/** Stores the backend, then updates tokens and dashboard. A job finishes or undoes an interrupted registration. */
async function register(
  parts: Parts, flavor: Flavor, registration: Registration, context: CallerContext & AccountContext,
): Promise<{ target: Target; url: string; bearerToken: string; folderId: number }> {
  const { deadline } = context;
  // The new token may outlive the caller's token. So the caller's token must have the scope `all`.
  if (registration.issueToken === true) refuseNarrowToken(context.caller);
  const named = namedTarget(registration, context.caller.tokenClusterUid);
  const access = await requestedBackend(registration.backend!, parts.outbound, deadline);
  const target = await findTarget(parts, named, flavor, context);
  const dashboard = parts.dashboards[flavor];
  if (dashboard === undefined || parts.publicUrl === undefined) throw unavailable(`the dashboard of ${flavor}`);

  const stored = parts.write(context, [], (work) => putBackend(work, parts.sealer, { ...target, access }));
  const wanted = await stored.catch((error: unknown) => {
    if (error instanceof UniqueViolation && error.constraint === 'backend_flavorb_name') {
      const message = 'the cluster already has a project id that differs only in upper and lower case: choose another';
      throw alreadyExists(message, error);
    }
    throw error;
  });
  const issued = registration.issueToken === true ? newToken() : undefined;
  return await orGiveUp(parts, wanted, async () => {
    // Look up the cluster again. If it was removed before the backend was stored, its removal missed this backend.
    const { clusterUid: uid, ownerId } = target;
    const { clusters } = await parts.clusters.findClusters({ uid, ownerId }, context);
    if (clusters[0]?.id !== target.clusterId) {
      await parts.database.transact((work) => removeBackends(work, wanted), { deadline });
      throw notFound('cluster not found');
    }
    const row = await settleInTurn(parts, wanted, context, issued === undefined ? undefined : new Secret(issued));
    if (row?.present !== true) throw conflict('the backend was removed meanwhile');
    return { target, url: dashboard.publicUrl, bearerToken: issued ?? '', folderId: row.folderId };
  });
}
