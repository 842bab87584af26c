export {
  answerSubject,
  eventSubject,
  type Exporter,
  type Member,
  memberLayout,
  memberPermissions,
  memberRequestSubject,
  organizationImports,
  platformExports,
  requestSubject,
} from './member-subjects.ts';
export {
  accountOf,
  addExports,
  createAccount,
  createAccountKeys,
  createOperator,
  createUser,
  publicKeyOf,
  readAccount,
  signAccount,
  signActivation,
  tagsOf,
  type AccountClaims,
  type BusExport,
  type BusImport,
  type BusUser,
  type Crossing,
  type Issuer,
  type Revocations,
  type UserClaims,
} from './operator.ts';
export {
  BusRefused, lookUpAccount, lookUpAccounts, probeJetstream, pushAccount, removeAccounts, type BusLogin,
} from './system-account.ts';
export { connectBus, type BusConnection, type BusMessage } from './connection.ts';
