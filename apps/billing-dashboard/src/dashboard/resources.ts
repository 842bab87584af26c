import { Fault, unavailable } from '@platform/faults';
import { createCallerLimiter } from '@platform/limits';
import type { DashboardEventServiceService, GetResourcesRequest } from '@platform/proto/billing/v1/dashboard_event';
import type { Handler } from '@platform/rpc';
import { createLimiter, type Deadline, shrink } from '@platform/service';
import { at, objectOf } from '../payload/json.ts';
import type { Parts } from '../parts.ts';
import { jsonAnswer } from '../usage/envelope.ts';
import { productFrom, productIsKnown, requireKnown } from './place.ts';

/** Time limit for the answer of a cluster, in milliseconds (open-points 1.9). */
const memberMs = 10_000;

/** Maximum number of concurrent questions to clusters for one caller. Further questions wait. */
const mostOfCaller = 2;
/** Maximum number of concurrent questions to clusters in this process. It is low: one answer may take up to 16 MiB. */
const mostOfProcess = 6;
const what = 'the cluster';

/** GET …/products/{productName}/resources: gets the resources from the cluster itself (open-points 8.3, 13.4). */
export function getResources(parts: Parts): Handler<typeof DashboardEventServiceService.getResources> {
  const [ofCaller, ofProcess] = [createCallerLimiter(mostOfCaller, what), createLimiter(mostOfProcess, what)];
  return (request, { caller, deadline }) => jsonAnswer(ofCaller.run(caller.id, deadline, () =>
    ofProcess.run(deadline, () => askForResources(parts, request, deadline))));
}

async function askForResources(
  { bus, database }: Parts, request: GetResourcesRequest, deadline: Deadline,
): Promise<object> {
  const place = productFrom(request);
  await requireKnown(database, productIsKnown(place), deadline);
  if (bus === undefined) throw unavailable('the message bus');
  const { group = '', resource = '' } = request;
  const items = await bus.ask(place, { licenseID: place.licenceId, group, resource }, shrink(deadline, memberMs));
  return { items: items.map(readItem) };
}

/** Checks an item, because a cluster may send anything. @throws Fault BAD_UPSTREAM */
function readItem(item: unknown): object {
  const [key, lastSeen, values] = [at(item, 'key'), at(item, 'lastSeen'), at(item, 'values')];
  if (typeof key !== 'string' || !isCount(lastSeen) || !Array.isArray(values)) throw badItem();
  return { key, lastSeen, values: values.map(readValue) };
}

function readValue(value: unknown): object {
  const [resourceID, licenseID] = [objectOf(at(value, 'resourceID')), at(value, 'licenseID')];
  const [version, timestamp] = [at(value, 'version'), at(value, 'timestamp')];
  const isWhole = resourceID !== undefined && typeof licenseID === 'string' && isCount(version) && isCount(timestamp);
  if (!isWhole) throw badItem();
  return { resourceID, licenseID, version, timestamp };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function badItem(): Fault {
  return new Fault('BAD_UPSTREAM', 'the cluster gave no valid answer', { cause: new Error('a malformed item') });
}
