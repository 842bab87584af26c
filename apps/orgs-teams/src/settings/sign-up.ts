import { normalDomain } from '@platform/values';

/** Decides whether an address may sign up in the console (open-points 10). Invitations and `/register` ignore this. */
export interface SignUpPolicy {
  readonly registrationDisabled: boolean;
  /** In their normal form; empty: every domain may. */
  readonly allowedDomains: readonly string[];
}

/** Why an address may not sign up, for people; undefined when it may. A domain allows itself, not what is below it. */
export function signUpProblem(policy: SignUpPolicy, email: string): string | undefined {
  const { registrationDisabled, allowedDomains } = policy;
  if (registrationDisabled) return 'sign-up is switched off on this platform';
  if (allowedDomains.length === 0) return undefined;
  const domain = normalDomain(email.slice(email.lastIndexOf('@') + 1));
  if (domain !== undefined && email.lastIndexOf('@') > 0 && allowedDomains.includes(domain)) return undefined;
  return 'addresses of this domain may not sign up on this platform';
}
