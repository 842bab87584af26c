import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject, Resource } from '@platform/kubernetes';
import { createInventory, type Described } from '../inventory/inventory.ts';
import { readClaim, readKept, readNamespace, readPod, readWorkload } from '../inventory/read-objects.ts';
import { cloudEvent, eventContent } from './cloud-event.ts';
import { genericResource } from './generic-resource.ts';
import { totalOf } from './totals.ts';

const resourceOf = (kind: string, group = 'apps'): Resource =>
  ({ group, version: 'v1', name: `${kind.toLowerCase()}s`, kind, scope: 'Namespaced' });
const createdAt = '2026-01-01T00:00:00Z';

/** An object as an API server shows it. */
function object(
  name: string, given: { controller?: string; generation?: number } & Record<string, unknown> = {},
): KubernetesObject {
  const { controller, generation, ...rest } = given;
  return {
    metadata: {
      name, uid: `uid-${name}`, namespace: 'demo', creationTimestamp: createdAt,
      ...(generation !== undefined && { generation }),
      ...(controller !== undefined && { ownerReferences: [{ uid: `uid-${controller}`, controller: true }] }),
    },
    ...rest,
  } as KubernetesObject;
}

const container = (limits: object, requests: object = {}, name = 'main') => ({ name, resources: { limits, requests } });
const template = (...containers: object[]) => ({ spec: { containers } });

function describedOf(workload: KubernetesObject, kind = 'Deployment', pods: KubernetesObject[] = []): Described {
  const inventory = createInventory();
  inventory.pods.fill(pods.map(readPod));
  inventory.workloads().fill([readWorkload(resourceOf(kind), workload)]);
  return inventory.describe(workload.metadata.uid!)!;
}

describe('the total of an object', () => {
  it.each<[string, object, object]>([
    ['its template times its replicas', { replicas: 3, template: template(container({ cpu: '100m', memory: '1.5Gi' })) },
      { limits: { cpu: '300m', memory: '4608Mi' } }],
    ['memory in thousandths of a byte, as an API server writes 1.2Gi, less the last part of a byte',
      { replicas: 3, template: template(container({ memory: '1288490188800m' })) }, { limits: { memory: '3865470566' } }],
    ['all containers', { replicas: 2, template: template(container({ cpu: '0.1' }), container({ cpu: '0.2' })) },
      { limits: { cpu: '600m' } }],
    ['the request of a container without a limit',
      { template: template(container({ cpu: '1' }, { cpu: '500m' }), container({}, { cpu: '250m' })) },
      { limits: { cpu: '1250m' }, requests: { cpu: '750m' } }],
    ['one replica where none is named', { template: template(container({}, { memory: '1e3' })) },
      { requests: { memory: '1000' } }],
    ['nothing without replicas', { replicas: 0, template: template(container({ cpu: '1' })) }, { limits: { cpu: '0' } }],
    ['nothing where nothing is said', { replicas: 5, template: template(container({})) }, {}],
    ['sidecars, and no other init containers', { template: { spec: {
      containers: [container({ cpu: '1' })],
      initContainers: [{ ...container({ cpu: '1' }), restartPolicy: 'Always' }, container({ cpu: '8' })],
    } } }, { limits: { cpu: '2' } }],
    ['what its replicas will claim', {
      replicas: 3, template: template(container({ cpu: '1' })),
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: '10Gi' } } } }],
    }, { limits: { cpu: '3' }, requests: { storage: '30Gi' } }],
  ])('is %s', (_, spec, total) => {
    expect(totalOf(describedOf(object('web', { spec })))).toEqual(total);
  });

  it('is that of its pods for a kind without a template', () => {
    const pod = (name: string, phase: string) => object(name, {
      controller: 'db', spec: { containers: [container({ cpu: '300m' })] }, status: { phase },
    });
    const pods = [pod('a', 'Running'), pod('b', 'Pending'), pod('c', 'Succeeded')];
    expect(totalOf(describedOf(object('db', { spec: {} }), 'Postgres', pods))).toEqual({ limits: { cpu: '600m' } });
  });

  it('of a DaemonSet is one for each node that it is meant for', () => {
    const spec = { template: template(container({ cpu: '10m' })) };
    const total = (status?: object) =>
      totalOf(describedOf(object('log', { spec, ...(status && { status }) }), 'DaemonSet')).limits;
    expect([total(), total({ desiredNumberScheduled: 7 })]).toEqual([{ cpu: '0' }, { cpu: '70m' }]);
  });
});

describe('an inventory', () => {
  const deployment = readWorkload(
    resourceOf('Deployment'), object('web', { spec: { template: template(container({ cpu: '1' })) } }),
  );
  const replicaSet = readKept(object('web-1', { controller: 'web' }));
  const pod = readPod(object('web-1-a', { controller: 'web-1', spec: { containers: [container({ cpu: '1' })] } }));

  it('finds the pods of an object, and looks at it again when they change', () => {
    const inventory = createInventory();
    const shelf = inventory.workloads();
    shelf.put(deployment);
    inventory.replicaSets.put(replicaSet);
    expect(inventory.takeMarked(10)).toEqual(['uid-web']);
    inventory.pods.put(pod);
    expect(inventory.takeMarked(10)).toEqual(['uid-web']);
    inventory.pods.put({ ...pod });
    expect(inventory.takeMarked(10)).toEqual([]);
    expect(inventory.describe('uid-web')?.pods).toEqual([pod]);
    inventory.pods.fill([]);
    expect(inventory.takeMarked(10)).toEqual(['uid-web']);
    expect(inventory.describe('uid-web')?.pods).toEqual([]);
    shelf.remove(deployment);
    expect([inventory.takeMarked(10), inventory.describe('uid-web')]).toEqual([['uid-web'], undefined]);
  });

  it('moves a replica set with its pods to a controller that adopts it', () => {
    const inventory = createInventory();
    inventory.workloads().fill([deployment, { ...deployment, uid: 'uid-next', name: 'next' }]);
    inventory.replicaSets.put(replicaSet);
    inventory.pods.put(pod);
    inventory.takeMarked(10);
    inventory.replicaSets.put({ ...replicaSet, controller: 'uid-next' });
    expect(inventory.takeMarked(10).toSorted()).toEqual(['uid-next', 'uid-web']);
    expect(['uid-web', 'uid-next'].map((uid) => inventory.describe(uid)?.pods)).toEqual([[], [pod]]);
  });

  it('leaves out what is controlled by another reported object', () => {
    const inventory = createInventory();
    const [deployments, databases] = [inventory.workloads(), inventory.workloads()];
    deployments.put({ ...deployment, controller: 'uid-db' });
    expect(inventory.describe('uid-web')).toBeDefined();
    inventory.takeMarked(10);
    const database = readWorkload(resourceOf('Postgres', 'kubedb.com'), object('db', { spec: {} }));
    databases.put(database);
    inventory.replicaSets.put(replicaSet);
    inventory.pods.put(pod);
    expect(inventory.takeMarked(10).toSorted()).toEqual(['uid-db', 'uid-web']);
    expect(inventory.describe('uid-web')).toBeUndefined();
    expect(inventory.describe('uid-db')?.pods).toEqual([pod]);
    databases.remove(database);
    expect(inventory.takeMarked(10).toSorted()).toEqual(['uid-db', 'uid-web']);
    expect(inventory.describe('uid-web')).toBeDefined();
  });

  it('finds the claims of a set by their names, also those of replicas that are gone', () => {
    const inventory = createInventory();
    const claim = (name: string) => readClaim(object(name, { spec: { resources: { requests: { storage: '1Gi' } } } }));
    inventory.claims.fill([claim('data-db-0'), claim('data-db-1'), claim('data-other-0'), claim('data-db-x')]);
    // A set may start at any ordinal, and a claim in between may have been deleted.
    inventory.claims.put(claim('data-db-7'));
    inventory.workloads().put(readWorkload(resourceOf('StatefulSet'), object('db', {
      spec: { replicas: 1, template: template(container({})), volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
    })));
    const described = inventory.describe('uid-db')!;
    expect(described.claims.map(({ name }) => name)).toEqual(['data-db-0', 'data-db-1', 'data-db-7']);
    expect(totalOf(described)).toEqual({ requests: { storage: '3Gi' } });
    inventory.claims.remove(claim('data-db-0'));
    expect(inventory.describe('uid-db')!.claims).toHaveLength(2);
  });
});

describe('an event', () => {
  const reporter = { domain: 'platform.dev', productName: 'productdb', licenceId: '4711' };

  it('names as many pods as fit into a message', () => {
    const containers = Array.from({ length: 9 }, (_, place) => container({ cpu: '1', memory: '1Gi' }, {}, `c-${place}`));
    const pods = Array.from({ length: 1_000 }, (_, place) => readPod(object(`web-${place}`, {
      controller: 'web', spec: { containers }, status: { phase: 'Running' },
    })));
    const described = { ...describedOf(object('web', { spec: { replicas: 1_000, template: template() } })), pods };
    const facts = { uid: 'c1', mode: undefined, domain: 'platform.dev' };
    const { spec } = genericResource(described, facts) as { spec: { replicas: number; pods: object[] } };
    expect(spec.replicas).toBe(1_000);
    expect(spec.pods.length).toBeGreaterThan(100);
    expect(JSON.stringify(spec).length).toBeLessThan(256 * 1024);
  });

  it('is what open-points 13.2 describes', () => {
    const inventory = createInventory();
    inventory.namespaces.put(readNamespace('platform.dev', {
      metadata: {
        name: 'demo', uid: 'uid-demo', creationTimestamp: createdAt, labels: { other: '1' },
        annotations: { 'platform.dev/org-id': '12', 'platform.dev/enable-resource-trial': 'true', large: 'x' },
      },
    }));
    const resource = resourceOf('Deployment');
    inventory.workloads().put(readWorkload(resource, object('web', {
      generation: 4, spec: { replicas: 2, template: template(container({ cpu: '1', memory: '1Gi' })) },
    })));
    const made = genericResource(inventory.describe('uid-web')!, { uid: 'c1', mode: 'prod', domain: 'platform.dev' });
    const { source, data } = eventContent(reporter, resource, made);
    const at = new Date('2026-02-03T04:05:06.789Z');
    const said = { uid: 'uid-web', generation: 4, source, action: 'created', data, since: at.getTime() } as const;
    const text = cloudEvent(said, 'platform.dev', at);
    expect(JSON.parse(text)).toEqual({
      specversion: '1.0', id: 'uid-web.4', source: '/platform.dev/auditor/4711/feature/productdb/apps/deployments',
      subject: 'uid-web', type: 'dev.platform.resource.created.v1', time: '2026-02-03T04:05:06.789Z',
      datacontenttype: 'application/json',
      data: {
        licenseID: '4711', resourceID: resource, since: '2026-02-03T04:05:06.789Z',
        resource: {
          apiVersion: 'core.k8s.platform.dev/v1alpha1', kind: 'GenericResource',
          metadata: { name: 'web', uid: 'uid-web', namespace: 'demo', generation: 4, creationTimestamp: createdAt },
          spec: {
            cluster: { uid: 'c1', mode: 'prod' }, apiType: resource, name: 'web', uid: 'uid-web', replicas: 2,
            namespace: {
              uid: 'uid-demo', name: 'demo', creationTimestamp: createdAt, aceOrgID: '12', enableResourceTrial: true,
              aceOrgMetadata: { 'platform.dev/org-id': '12', 'platform.dev/enable-resource-trial': 'true' },
            },
            totalResource: { limits: { cpu: '2', memory: '2Gi' } }, pods: [], storage: [],
          },
        },
      },
    });
  });
});
