import { randomUUID } from 'node:crypto';
import { describeOwners, ownerClient, type OwnerSubject } from '@platform/owners/fixtures';
import { sql } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { as, rpcClient } from '@platform/testing';

const clusters: OwnerSubject = {
  service: 'clusters',
  type: 'cluster',
  plural: 'clusters',
  keyField: 'uid',
  methods: Object.keys(ClusterOwnerServiceService),
  insert: (ownerId) => sql`insert into cluster (uid, owner_id, name) values (${randomUUID()}, ${ownerId}, 'lab')`,
  connect: async (addresses, serviceCredential) => {
    const client = await rpcClient(ClusterOwnerServiceService, addresses, { serviceCredential });
    return ownerClient(client, {
      put: async (rows) => {
        const given = rows.map(({ key: uid, ...row }) => ({ ...row, uid, displayName: '' }));
        return (await client.putClusters({ clusters: given }, as(undefined))).clusters;
      },
      move: (request) => client.moveCluster(request, as(undefined)),
      remove: (request) => client.deleteCluster(request, as(undefined)),
    });
  },
};

describeOwners(clusters);
