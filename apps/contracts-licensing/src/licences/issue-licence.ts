import type { Fault } from '@platform/faults';
import type { LicenseServiceService } from '@platform/proto/contracts/v1/license';
import { type Queryable, sql } from '@platform/postgres';
import type { AccountContext, CallerContext, Handler } from '@platform/rpc';
import { uuidProblem, validationFailed } from '@platform/values';
import { givesTrials } from '../config.ts';
import type { Parts } from '../parts.ts';
import { chooseOffer } from './choose-offer.ts';
import { issueUnder, noLicence, toLicense, untilSettled } from './issue.ts';
import { readOffers } from './offers.ts';
import { issueTrial, readTrialGround } from './trial.ts';

/** POST /license/issue (spec §4.11, open-points 6.2): issues an online licence. */
export function issueLicense(parts: Parts): Handler<typeof LicenseServiceService.issueLicense> {
  const { config, database } = parts;
  return async ({ wish }, context) => {
    const { features = [] } = wish ?? {};
    const { account: { id: ownerId }, deadline } = context;
    const given = clusterFrom(wish?.cluster ?? '');
    const [licence] = await untilSettled(async () => {
      const clusterUid = given ?? await ownCluster(database, context);
      const offers = await readOffers(database, ownerId, clusterUid, deadline);
      const choose = (clusterKnown: boolean) => chooseOffer(offers, features, { clusterKnown, now: new Date() });
      const bound = choose(false);
      // If a bound contract gives the licence, neither automatic binding nor a trial is needed.
      const ground = 'offer' in bound ? undefined : await readTrialGround(database, ownerId, clusterUid, deadline);
      const choice = ground?.known === true ? choose(true) : bound;
      if ('offer' in choice) {
        return issueUnder(parts, context, [{ offer: choice.offer, clusterUid }], { kind: 'online' });
      }
      if (givesTrials(config) && ground?.known === true && !ground.contracted) {
        return issueTrial(parts, context, { ownerId, clusterUid, features, ground });
      }
      throw noLicence(choice.refusal);
    });
    return toLicense(licence!);
  };
}

/**
 * Returns the UUID of the cluster in a request. Returns undefined for an empty text, because existing clients always
 * send the field.
 * @throws Fault VALIDATION_FAILED
 */
function clusterFrom(text: string): string | undefined {
  if (text === '') return undefined;
  const problem = uuidProblem(text);
  if (problem !== undefined) throw noCluster(problem);
  return text.toLowerCase();
}

/**
 * Returns the cluster of the token. If the token has no cluster, returns the only cluster that the account has
 * imported. If the account has imported none, returns the only cluster of the account's contracts.
 * @throws Fault VALIDATION_FAILED if there is no cluster, or if there are several
 */
async function ownCluster(
  queryable: Queryable, { caller, account, deadline }: AccountContext & CallerContext,
): Promise<string> {
  if (caller.tokenClusterUid !== undefined) return caller.tokenClusterUid;
  const { imported, bound } = await queryable.one(sql<{ imported: string[]; bound: string[] }>`
    select array(
             select distinct uid::text from imported_cluster where owner_id = ${account.id} and not removed limit 2
           ) as "imported",
           array(
             select distinct cluster_uid::text from contract_cluster join contract on contract.id = contract_id
              where owner_id = ${account.id} limit 2
           ) as "bound"`, { deadline });
  const [only, ...others] = imported.length > 0 ? imported : bound;
  if (only !== undefined && others.length === 0) return only;
  throw noCluster('is required: the account does not have exactly one cluster');
}

function noCluster(message: string): Fault {
  return validationFailed([{ path: 'cluster', message }]);
}
