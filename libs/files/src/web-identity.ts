import { readFile } from 'node:fs/promises';
import { coalesce, type Deadline, deadlineIn, Secret, Unavailable, within } from '@platform/service';
import { elementOf } from './bucket-parts.ts';

export interface BucketKeys {
  readonly accessKey: Secret;
  readonly secretKey: Secret;
  /** Only for keys that expire. */
  readonly sessionToken?: Secret;
}

/** Returns the keys that are valid now. @throws Unavailable, DeadlineExceeded */
export type ReadKeys = (deadline: Deadline) => Promise<BucketKeys>;

/** How long before their expiry the keys are replaced, in milliseconds. */
const earlyMs = 5 * 60_000;
const askMs = 5_000;
/** Pause after a failed renewal of keys that are still valid, in milliseconds. */
const pauseMs = 30_000;

/**
 * Reads the role of this pod and the path of its token file from the environment. The returned function creates a
 * {@link ReadKeys} for a region. This ReadKeys exchanges the token in the file for keys. It sends the request
 * AssumeRoleWithWebIdentity to a security token service (AWS, MinIO).
 * @returns undefined if the environment names no role or no token file
 */
export function readWebIdentity(
  environment: Readonly<Record<string, string | undefined>>,
): ((region: string) => ReadKeys) | undefined {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_REGION, AWS_ENDPOINT_URL_STS } = environment;
  if (!role || !file) return undefined;
  return (region) => {
    const endpoint = AWS_ENDPOINT_URL_STS || `https://sts.${AWS_REGION || region}.amazonaws.com`;
    let kept: { readonly keys: BucketKeys; readonly end: number; readonly renewAt: number } | undefined;
    const fresh = () => (kept !== undefined && Math.min(kept.end, kept.renewAt) > Date.now() ? kept.keys : undefined);

    // Concurrent callers share one request, so the request has its own deadline.
    const renew = coalesce(async (): Promise<BucketKeys> => {
      const keys = fresh();
      if (keys !== undefined) return keys;
      try {
        const made = await assumeRole(endpoint, role!, file!, deadlineIn(askMs));
        kept = { ...made, renewAt: made.end - earlyMs };
      } catch (cause) {
        // If the renewal fails, use the old keys while they are valid.
        if (kept === undefined || kept.end < Date.now()) throw cause;
        kept = { ...kept, renewAt: Date.now() + pauseMs };
      }
      return kept.keys;
    });

    return async (deadline) => fresh() ?? await within(deadline, renew(undefined), 'the security token service');
  };
}

/** @throws Unavailable */
async function assumeRole(endpoint: string, role: string, file: string, { signal }: Deadline) {
  const token = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Unavailable('cannot read AWS_WEB_IDENTITY_TOKEN_FILE', { cause });
  });
  const { answer, xml } = await fetch(endpoint, {
    method: 'POST', redirect: 'error', signal,
    body: new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity', Version: '2011-06-15', RoleArn: role, RoleSessionName: 'platform',
      WebIdentityToken: token.trim(),
    }),
  }).then(async (found) => ({ answer: found, xml: await found.text() })).catch((cause: unknown) => {
    throw new Unavailable('cannot reach the security token service', { cause });
  });
  const [accessKey, secretKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken']
    .map((name) => new Secret(elementOf(xml, name))) as [Secret, Secret, Secret];
  const end = Date.parse(elementOf(xml, 'Expiration'));
  if (!answer.ok || Number.isNaN(end) || secretKey.reveal() === '') {
    const said = `HTTP ${answer.status} ${elementOf(xml, 'Code')}`.trim();
    throw new Unavailable(`no keys from the security token service: ${said}`);
  }
  return { keys: { accessKey, secretKey, sessionToken }, end };
}
