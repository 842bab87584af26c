/** The two kinds of dashboards: a Grafana and a Perses (open-points 9). */
export type Flavor = 'flavora' | 'flavorb';

/** Slots of the tokens that an identity has in a flavor (orgs-teams, `PutScopedToken`). */
export function slotsOf(flavor: Flavor) {
  return {
    /** The datasource signs in with it. */
    datasource: `${flavor}/datasource`,
    /** Answered where `issueToken` asks for it. */
    issued: `${flavor}/issued`,
  } as const;
}
