import { expect, it } from '@jest/globals';
import { reportedKinds, textOf } from './kinds.ts';

it('reports the usual kinds, and each further one once', () => {
  const kinds = reportedKinds(['kubedb.com/v1/Postgres', 'apps/v1/Deployment', 'core/v1/ReplicationController']);
  expect(kinds.map(textOf)).toEqual([
    'apps/v1/Deployment', 'apps/v1/StatefulSet', 'apps/v1/DaemonSet', 'kubedb.com/v1/Postgres',
    'core/v1/ReplicationController',
  ]);
});

it.each(['', 'Deployment', 'apps/v1', 'apps/v1/deployments/scale', '../v1/Job', 'apps/1/Deployment', 'core/v1/Pod'])(
  'refuses %j', (name) => expect(() => reportedKinds([name])).toThrow(RangeError),
);
