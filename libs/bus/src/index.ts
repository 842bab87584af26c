export {
  createAccount,
  createAccountKeys,
  createOperator,
  createUser,
  publicKeyOf,
  readAccount,
  signAccount,
  type AccountClaims,
  type BusUser,
  type Issuer,
  type Revocations,
  type UserClaims,
} from './operator.ts';
export { lookUpAccount, probeJetstream, pushAccount, type BusLogin } from './system-account.ts';
