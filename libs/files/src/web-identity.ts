import { readFile } from 'node:fs/promises';
import { type Deadline, Secret, Unavailable } from '@platform/service';
import { elementOf } from './bucket-parts.ts';

/** What a bucket is signed in to with. */
export interface BucketKeys {
  readonly accessKey: Secret;
  readonly secretKey: Secret;
  /** Belongs to keys that end. */
  readonly sessionToken?: Secret;
}

/** Gives the keys that are valid now. @throws Unavailable */
export type ReadKeys = (deadline: Deadline) => Promise<BucketKeys>;

/** Keys are replaced this long before they end, in milliseconds. */
const earlyMs = 5 * 60_000;
const askMs = 5_000;
/** How long keys that are still valid are used after the service failed, before it is asked again. */
const pauseMs = 30_000;

/**
 * Keys for the token of a pod's service account: AssumeRoleWithWebIdentity of a security token service, as AWS and
 * MinIO have it. It is one request, for which AWS's own library would bring dozens of packages.
 * @param environment has `AWS_ROLE_ARN` and `AWS_WEB_IDENTITY_TOKEN_FILE`, as AWS puts them into a pod, and may have
 *   `AWS_ENDPOINT_URL_STS` and `AWS_REGION`
 * @returns undefined if the pod has no such identity
 */
export function readWebIdentity(
  environment: Readonly<Record<string, string | undefined>>,
): ((region: string) => ReadKeys) | undefined {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_REGION, AWS_ENDPOINT_URL_STS } = environment;
  if (!role || !file) return undefined;
  return (region) => {
    const endpoint = AWS_ENDPOINT_URL_STS || `https://sts.${AWS_REGION || region}.amazonaws.com`;
    let kept: { readonly keys: BucketKeys; readonly end: number; readonly renewAt: number } | undefined;
    let running: Promise<BucketKeys> | undefined;

    async function renew(deadline: Deadline): Promise<BucketKeys> {
      try {
        const { keys, end } = await assumeRole(endpoint, role!, await readFile(file!, 'utf8'), deadline);
        kept = { keys, end, renewAt: end - earlyMs };
      } catch (cause) {
        // Keys that are still valid last over an outage of the service.
        if (kept === undefined || kept.end < Date.now()) throw cause;
        kept = { ...kept, renewAt: Date.now() + pauseMs };
      }
      return kept.keys;
    }

    return async (deadline) => {
      if (kept !== undefined && kept.end > Date.now() && kept.renewAt > Date.now()) return kept.keys;
      running ??= renew(deadline).finally(() => {
        running = undefined;
      });
      return running;
    };
  };
}

async function assumeRole(endpoint: string, role: string, token: string, deadline: Deadline) {
  const answer = await fetch(endpoint, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.any([deadline.signal, AbortSignal.timeout(askMs)]),
    body: new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: role,
      RoleSessionName: 'platform',
      WebIdentityToken: token.trim(),
    }),
  });
  const xml = await answer.text();
  const [accessKey, secretKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map((name) => {
    return new Secret(elementOf(xml, name));
  }) as [Secret, Secret, Secret];
  const end = Date.parse(elementOf(xml, 'Expiration'));
  if (!answer.ok || Number.isNaN(end) || secretKey.reveal() === '') {
    throw new Unavailable(`the security token service answered with status ${answer.status} ${elementOf(xml, 'Code')}`.trim());
  }
  return { keys: { accessKey, secretKey, sessionToken }, end };
}
