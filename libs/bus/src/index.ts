export {
  answerSubject,
  arrivalSubject,
  eventSubject,
  type Exporter,
  type Member,
  memberLayout,
  memberOf,
  memberOfEvent,
  memberPermissions,
  memberRequestSubject,
  organizationImports,
  platformExports,
  requestSubject,
  shardSubject,
} from './member-subjects.ts';
export {
  accountOf,
  addExports,
  createAccount,
  createAccountKeys,
  createOperator,
  createServiceUser,
  createUser,
  inboxPrefixOf,
  notesOf,
  publicKeyOf,
  readAccount,
  signAccount,
  signActivation,
  type AccountClaims,
  type AccountNotes,
  type BusExport,
  type BusImport,
  type BusUser,
  type Crossing,
  type Issuer,
  type Revocations,
  type UserClaims,
} from './operator.ts';
export type { BusLogin } from './dial.ts';
export {
  BusRefused, listAccounts, lookUpAccount, lookUpAccounts, pushAccount, removeAccounts,
} from './system-account.ts';
export { probeJetstream } from './probe-jetstream.ts';
export { probeStreams } from './probe-stream.ts';
export { connectBus, type BusConnection, type BusMessage } from './connection.ts';
export type { Question } from './ask-member.ts';
export { EventRefused } from './send-event.ts';
export type { IntakeOptions } from './intake.ts';
export type { ShareRates, ShareRefusal } from './shares.ts';
export type { Consumption, Refusal, StoredMessage } from './consume.ts';
export { type Bus, BusUnavailable, openBus } from './open-bus.ts';
