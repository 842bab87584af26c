/** The table of relations (who may do what with each type of object), and what is derived from the table. */
export { catalogue, comparePairs, type Pair, type PairName, pairName, pairNames, pairOf } from './catalogue.ts';
export {
  checkableRelations, describeClass, type ObjectClass, objectClasses, objectClassOf, organizationClass,
  reportedRelations, siteRelations, teamClass,
} from './classes.ts';
export { basisOf, type Grounds, grounds, holdsOn, relationsOn, systemAdminGrounds } from './grounds.ts';
export {
  grantableClasses, type GrantedRelation, relationsOfPair, relationsOfRight, relationsOfSystemAdmin,
} from './grants.ts';
export { expectedRelations, type Subject } from './expected.ts';
export { pairClasses, policySections, policyText } from './policy.ts';
export { holdsBy } from './holders.ts';
export { textOfRequirement } from './requirement-text.ts';
export type { ObjectType } from './relation-row.ts';
export { relationTable } from './table.ts';
export {
  administrativeTuples, assignmentTuple, fenceRelation, fenceTuple, organizationObject, pairRelation,
  relationOfPermission, type RelationTuple, revisionOf, roleAssignees, roleObject, rolePairTuple, siteObject,
  siteTuple, systemAdminTuple, teamMembers, teamObject, type TeamPermission, teamRightTuple, userObject,
} from './tuples.ts';
