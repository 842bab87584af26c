/**
 * Facts between services (ADR 0101). A service publishes the newest state of its rows. Other services copy the rows
 * into their own tables. This library also hands events for webhooks over to orgs-teams (ADR 0270).
 */
export { applyClusterContacts, lastContactOf } from './cluster-contacts.ts';
export { type Apply, followFacts, type Followed, type FollowedFact, type Following } from './follow-facts.ts';
export { handOverEvents } from './hand-over-events.ts';
export type { FactKind, FactKinds } from './kinds.ts';
export { publishFacts } from './publish-facts.ts';
