export {
  answerSubject, arrivalSubject, eventSubject, type Exporter, type Member, memberLayout, memberOf, memberOfEvent,
  memberPermissions, memberRequestSubject, organizationImports, platformExports, requestSubject, shardSubject,
} from './member-subjects.ts';
export { eventRefusals } from './refuse-events.ts';
export {
  addExports, createAccount, createAccountKeys, createOperator, createServiceUser, createUser, inboxPrefixOf,
  publicKeyOf, signAccount,
} from './operator.ts';
export { accountOf, notesOf, readAccount } from './read-jwt.ts';
export type { BusLogin } from './dial.ts';
export {
  BusRefused, listAccounts, lookUpAccount, lookUpAccounts, pushAccount, removeAccounts,
} from './system-account.ts';
export { probeJetstream } from './probe-jetstream.ts';
export { probeStreams } from './probe-stream.ts';
export { connectBus, type BusConnection, type BusMessage } from './connection.ts';
export { EventRefused } from './send-event.ts';
export type { ShareRates, ShareRefusal } from './shares.ts';
export type { Refusal, StoredMessage } from './consume.ts';
export { type Bus, openBus } from './open-bus.ts';
