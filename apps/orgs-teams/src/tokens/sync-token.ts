import { Secret } from '@platform/service';
import { lengthProblem, Violations } from '@platform/values';

/** Credentials for the multi-cluster manager. */
export interface SyncCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
}

/**
 * Parses a request that sets a sync token (open-points 3.4): `name` is the key id and `sha1` the secret. If `name` is
 * absent or empty, as existing clients send it, `sha1` contains the key id and the secret, separated by its first
 * colon.
 * @throws Fault VALIDATION_FAILED
 */
export function syncCredentials(
  { name = '', sha1 = '' }: { name?: string | undefined; sha1?: string | undefined },
): SyncCredentials {
  const violations = new Violations();
  const colon = sha1.indexOf(':');
  const [accessKeyId, secret] = name === '' ? [sha1.slice(0, Math.max(colon, 0)), sha1.slice(colon + 1)] : [name, sha1];
  if (name === '' && (accessKeyId === '' || secret === '')) {
    violations.note('sha1', 'must be `key:secret` if no name is given');
  } else if (secret === '') {
    violations.note('sha1', 'must not be empty');
  }
  violations.note(name === '' ? 'sha1' : 'name', lengthProblem(accessKeyId, { most: 255 }));
  violations.note('sha1', lengthProblem(secret, { most: 4_096 }));
  violations.refuse();
  return { accessKeyId, secretAccessKey: new Secret(secret) };
}
