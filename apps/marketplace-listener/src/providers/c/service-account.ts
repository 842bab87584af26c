import { createPrivateKey, type KeyObject } from 'node:crypto';

/** A service account of provider C, as its JSON key file describes it. */
export interface ServiceAccount {
  readonly email: string;
  readonly key: KeyObject;
  readonly keyId: string;
  readonly tokenUrl: string;
}

/** Parses a JSON key file. @throws RangeError for an invalid file; the error contains no values of the file */
export function readServiceAccount(text: string): ServiceAccount {
  const file = parsed(text);
  const member = (key: string): string => {
    const value = file[key];
    if (typeof value !== 'string' || value === '') throw new RangeError(`has no ${key}`);
    return value;
  };
  const [email, pem, keyId] = [member('client_email'), member('private_key'), member('private_key_id')];
  const tokenUrl = typeof file['token_uri'] === 'string' ? file['token_uri'] : 'https://oauth2.googleapis.com/token';
  return { email, key: privateKeyIn(pem), keyId, tokenUrl };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch { /* the error below does not contain the text */ }
  throw new RangeError('is not a JSON object');
}

function privateKeyIn(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch { /* the error below does not contain the key */ }
  throw new RangeError('has a private_key that is not an RSA key');
}
