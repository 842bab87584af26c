/** Checks and conversions of values, and faults that refuse requests. Services and libraries share them. */
export { mostItems, noteDuplicates, refuseTooMany } from './batch.ts';
export { clusterPhase, type ClusterPhase, lostMs } from './cluster-phase.ts';
export { type ChangedFields, changedFields } from './changed-fields.ts';
export { countValues } from './count-values.ts';
export { normalDomain } from './domain.ts';
export {
  alreadyExists, conflict, invalidName, invalidParameter, invalidValue, nameTaken, validationFailed,
} from './faults.ts';
export { binaryQuantity, decimalQuantity, parseQuantity } from './quantity.ts';
export { isSessionToken, sessionToken, sessionValue } from './session-token.ts';
export { licenseeNameOf, slugKey, slugProblem, systemAdminNameOf } from './slug.ts';
export {
  controlCharacterProblem, dnsLabelProblem, emailProblem, fullNameProblem, idProblem, lengthOf, lengthProblem,
  uuidProblem, webAddressProblem,
} from './texts.ts';
export { Violations } from './violations.ts';
