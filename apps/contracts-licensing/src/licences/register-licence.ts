import { Fault } from '@platform/faults';
import type { LicenseServiceService } from '@platform/proto/contracts/v1/license';
import type { HttpBody } from '@platform/proto/google/api/httpbody';
import type { CreateBusAccountResponse } from '@platform/proto/orgs/v1/admin';
import { type Queryable, sql } from '@platform/postgres';
import type { Guard, Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { uuidProblem, validationFailed } from '@platform/values';
import { fingerprintOf } from '../authorities/authority.ts';
import { type Config, permitsRegistration } from '../config.ts';
import type { Parts } from '../parts.ts';
import { putRegistered } from './store.ts';
import { LicenceRefused, onePem, verifyLicence } from './verify.ts';

/** Maximum number of features in a request. */
const mostFeatures = 1_000;

/**
 * POST /register (spec §4.11). The checks are in the order of open-points 6.3. A cluster that got no answer can
 * register again.
 */
export function registerLicense(parts: Parts): Handler<typeof LicenseServiceService.registerLicense> {
  const { accounts, authorities, config, database } = parts;
  return async ({ clusterUid: given = '', features: text = '', caCert, license }, context) => {
    const { deadline } = context;
    const problem = uuidProblem(given);
    if (problem !== undefined) throw validationFailed([{ path: 'clusterUID', message: problem }]);
    const clusterUid = given.toLowerCase();
    const features = text.split(/[\s,;]+/, mostFeatures + 2).filter((feature) => feature !== '');
    if (features.length > mostFeatures) {
      throw validationFailed([{ path: 'features', message: `must have at most ${mostFeatures} features` }]);
    }
    if (features.length === 0) throw new Fault('EMPTY_FEATURES', 'features must not be empty');
    if (!(await isKnown(database, clusterUid, deadline))) {
      throw new Fault('CLUSTER_NOT_REGISTERED', 'the cluster is neither imported nor licensed here');
    }
    const trusted = await authorities.trusted(database, deadline);
    refuseForeignAuthority(Buffer.from(caCert).toString(), trusted.map(({ fingerprint }) => fingerprint));
    const licence = refusedAsFault(() => verifyLicence(Buffer.from(license!).toString(), {
      trusted, clusterId: clusterUid, features, emailDomain: config.licenseEmailDomain, now: new Date(),
    }));
    const owner = await accounts.putLicensee({ accountId: licence.ownerId }, context);
    await putRegistered(database, licence, clusterUid, owner.id, deadline);
    // Only organizations use the bus.
    if (!owner.organization) return nothing;
    const agent = { organization: owner.name, clusterUid, productName: licence.plan.productLine };
    if (config.licenseRegisterReply === 'empty') {
      await accounts.createBusAccount({ ...agent, once: true }, context);
      return nothing;
    }
    return credentialsFrom(await accounts.createBusAccount({ ...agent, replace: true }, context));
  };
}

const nothing: HttpBody = { contentType: '', data: Buffer.alloc(0), extensions: [] };

/** Credentials in the form that existing agents decode (open-points 6.3). */
function credentialsFrom({ subject, server, creds }: CreateBusAccountResponse): HttpBody {
  const reply = { natsSubject: subject, natsServer: server, credential: Buffer.from(creds).toString('base64') };
  return { contentType: 'application/json', data: Buffer.from(JSON.stringify(reply)), extensions: [] };
}

const registration = 'controlplane.contracts.v1.LicenseService.RegisterLicense';

/** Returns a guard that refuses registrations before any other check, if the deployment does not accept them. */
export function permittedGuard(guard: Guard, config: Config): Guard {
  if (permitsRegistration(config)) return guard;
  return {
    ...guard,
    admit: (method, request, call) => {
      if (method.fullName !== registration) return guard.admit(method, request, call);
      throw new Fault('REGISTRATION_UNSUPPORTED', 'this deployment does not accept registrations of licences');
    },
  };
}

async function isKnown(queryable: Queryable, clusterUid: string, deadline: Deadline): Promise<boolean> {
  const { known } = await queryable.one(sql<{ known: boolean }>`
    select exists (select from imported_cluster where uid = ${clusterUid}::uuid and not removed)
        or exists (select from licence where cluster_uid = ${clusterUid}::uuid) as "known"`, { deadline });
  return known;
}

/** Refuses an authority that is not trusted, because a registration must not make an authority trusted. */
function refuseForeignAuthority(pem: string, trusted: readonly string[]): void {
  if (pem === '') return;
  const der = onePem(pem);
  if (der !== undefined && trusted.includes(fingerprintOf(der))) return;
  throw invalidLicense('caCert', 'the CA certificate must be that of a trusted licence authority');
}

function refusedAsFault<Result>(verify: () => Result): Result {
  try {
    return verify();
  } catch (error) {
    if (error instanceof LicenceRefused) throw invalidLicense('license', error.message);
    throw error;
  }
}

function invalidLicense(path: string, message: string): Fault {
  return new Fault('INVALID_LICENSE', message, { violations: [{ path, message }] });
}
