/**
 * The table of relations, which says who may do what with each type of object, and all data derived from it. No I/O.
 */
export type { AssociatedPair, CatalogueEntry, Pair, PairName, PermissionNamespace } from './catalogue.ts';
export { catalogue, comparePairs, pairName, pairNames, pairOf } from './catalogue.ts';
export type { ClassOfObjects, ObjectClass } from './classes.ts';
export {
  checkableRelations, describeClass, objectClasses, objectClassOf, organizationClass, reportedRelations,
  siteRelations, teamClass,
} from './classes.ts';
export type { Basis, Grounds } from './grounds.ts';
export { basisOf, grounds, holdsOn, relationsOn, systemAdminGrounds } from './grounds.ts';
export type { GrantedRelation } from './grants.ts';
export { grantableClasses, relationsOfPair, relationsOfRight, relationsOfSystemAdmin } from './grants.ts';
export type { Subject } from './expected.ts';
export { expectedRelations } from './expected.ts';
export { modelText } from './model.ts';
export type { Decide } from './policy.ts';
export { pairClasses, policySections, policyText } from './policy.ts';
export type { Rank } from './holders.ts';
export { holdsBy, ranks } from './holders.ts';
export { textOfRequirement } from './requirement-text.ts';
export type { Holder, ObjectType, RelationRow } from './relation-row.ts';
export { relationTable, rowsOf, userOwnedTypes } from './table.ts';
export type { RelationTuple, TeamPermission } from './tuples.ts';
export {
  administrativeTuples, assignmentTuple, fenceRelation, fenceTuple, organizationObject, pairRelation,
  relationOfPermission, revisionOf, roleAssignees, roleObject, rolePairTuple, siteObject, siteTuple,
  systemAdminTuple, teamMembers, teamObject, teamRightTuple, userObject,
} from './tuples.ts';
