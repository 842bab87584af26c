/** An event of a database; absent values have defaults. */
export interface ReportedObject {
  readonly uid: string;
  readonly licenceId?: string;
  readonly generation?: number;
  readonly action?: 'created' | 'updated' | 'deleted';
  readonly time: string;
  /** The event was repeated hourly until this time. */
  readonly repeatedUntil?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly mode?: string;
  readonly kind?: string;
  readonly namespace?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A SiteInfo of a product under a licence (open-points 8.2). */
export function siteInfo(productName: string, licenceId: string, time: string, resource: object): string {
  const resourceID = { group: '', version: 'v1', name: 'siteinfos', kind: 'SiteInfo', scope: 'Cluster' };
  const subject = `site-${productName}`;
  return JSON.stringify({
    specversion: '1.0', id: `${subject}.${Date.parse(time)}`, subject, time, type: 'dev.platform.resource.updated.v1',
    source: `/platform.dev/auditor/${licenceId}/feature/${productName}//siteinfos`,
    data: {
      licenseID: licenceId, resourceID,
      resource: { kind: 'SiteInfo', metadata: { name: `${licenceId}.${productName}` }, ...resource },
    },
  });
}

/** A CloudEvent as member agents send it (open-points 13.2). */
export function reported(product: string, object: ReportedObject): string {
  const { uid, generation = 1, action = 'created', time, mode, kind = 'Postgres' } = object;
  const { cpu = '500m', memory = '1Gi', licenceId = '4711' } = object;
  const namespace = { name: 'demo', uid: '0d6f1c52-98a1-4a54-a8f5-6a1d2c7b9e03', ...object.namespace };
  const resourceID = {
    group: 'core.k8s.platform.dev', version: 'v1alpha1', name: 'genericresources', kind: 'GenericResource',
    scope: 'Namespaced',
  };
  return JSON.stringify({
    specversion: '1.0', id: `${uid}.${generation}`,
    source: `/platform.dev/auditor/${licenceId}/feature/${product}/${resourceID.group}/${resourceID.name}`,
    subject: uid, type: `dev.platform.resource.${action}.v1`, time,
    data: {
      licenseID: licenceId, resourceID,
      resource: {
        apiVersion: 'core.k8s.platform.dev/v1alpha1', kind: 'GenericResource',
        metadata: { name: 'orders', namespace: namespace.name, uid, generation },
        spec: {
          apiType: { group: 'kubedb.com', version: 'v1', name: 'databases', kind, scope: 'Namespaced' },
          name: 'orders', uid, replicas: 3, namespace, ...(mode === undefined ? {} : { mode }),
          totalResource: { limits: { cpu, memory } }, ...object.spec,
        },
      },
    },
  });
}
