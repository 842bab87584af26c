import { randomUUID } from 'node:crypto';
import { describeOwners, type OwnerSubject } from '@platform/owners/fixtures';
import { sql } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { as, rpcClient } from '@platform/testing';

const clusters: OwnerSubject = {
  service: 'clusters',
  type: 'cluster',
  plural: 'clusters',
  keyField: 'uid',
  keysPerOwner: true,
  uniqueNames: true,
  insert: (ownerId) => sql`insert into cluster (uid, owner_id, name) values (${randomUUID()}, ${ownerId}, ${randomUUID()})`,
  connect: async (addresses, serviceCredential) => {
    const rpc = await rpcClient(ClusterOwnerServiceService, addresses, { serviceCredential });
    return {
      rpc,
      put: async (rows) => {
        const given = rows.map(({ key: uid, ...row }) => ({ ...row, uid, displayName: '' }));
        return (await rpc.putClusters({ clusters: given }, as(undefined))).clusters;
      },
      move: (request) => rpc.moveCluster(request, as(undefined)),
    };
  },
};

describeOwners(clusters);
