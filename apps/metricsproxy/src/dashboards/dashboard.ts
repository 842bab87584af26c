import type { Secret } from '@platform/service';
import type { Call } from './dashboard-http.ts';

/** The two kinds of dashboards (open-points 9): `flavora` is Grafana, `flavorb` is Perses. */
export type Flavor = 'flavora' | 'flavorb';

/** A datasource that reads, through the platform, the metrics of one cluster, or of one project in a cluster. */
export interface Datasource {
  readonly identity: string;
  /** Id of the account to which the metrics belong. */
  readonly ownerId: number;
  readonly ownerName: string;
}

export interface WantedDatasource extends Datasource {
  /** `{metricsproxy.publicURL}/{identity}/`. */
  readonly url: string;
  readonly token: Secret;
}

/** Manages datasources in a dashboard (Grafana or Perses). Calls of `put` and `remove` may be repeated. */
export interface Dashboard {
  /** The address at which users reach the dashboard. */
  readonly publicUrl: string;
  /** Creates or updates the datasource. Returns the id of its folder at Grafana, or 0 at Perses. */
  put(call: Call, datasource: WantedDatasource): Promise<{ readonly folderId: number }>;
  /** Removes the datasource. Also succeeds if the datasource does not exist. */
  remove(call: Call, datasource: Datasource): Promise<void>;
}
