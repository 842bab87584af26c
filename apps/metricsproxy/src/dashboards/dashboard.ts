import type { Secret } from '@platform/service';
import type { Call } from './dashboard-http.ts';

/** The two kinds of dashboards: a Grafana and a Perses (open-points 9). */
export type Flavor = 'flavora' | 'flavorb';

/** A datasource that reads the metrics of an identity through the platform. */
export interface Datasource {
  readonly identity: string;
  /** The account of the identity, and its name. */
  readonly ownerId: number;
  readonly ownerName: string;
}

/** The datasource with its credentials. */
export interface WantedDatasource extends Datasource {
  /** `{metricsproxy.publicURL}/{identity}/`. */
  readonly url: string;
  readonly token: Secret;
}

/** The place of a datasource. */
export interface Place {
  /** Grafana's id of the folder; 0 at Perses. */
  readonly folderId: number;
}

/** A server that shows dashboards. Both methods may be repeated. */
export interface Dashboard {
  /** The address under which people reach it. */
  readonly publicUrl: string;
  /** Makes the datasource, or brings it in line. */
  put(call: Call, datasource: WantedDatasource): Promise<Place>;
  /** Removes the datasource. Removing a missing one is no fault. */
  remove(call: Call, datasource: Datasource): Promise<void>;
}
