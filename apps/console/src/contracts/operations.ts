import type { Contract } from '@platform/client';
import type { Revised } from '../api/client.ts';

/** Returns the operations that both site admins and owners have on a contract. Their names are different. */
export function operations(isSite: boolean) {
  return isSite
    ? ({
        get: 'getContract',
        clusters: 'listContractClusters',
        add: 'addContractClusters',
        importable: 'listImportableClusters',
        remove: 'deleteContractCluster',
        rename: 'renameContractCluster',
        tag: 'tagContractCluster',
        issue: 'issueContractLicense',
        audit: 'listAuditEvents',
        document: 'getDocumentLink',
      } as const)
    : ({
        get: 'getUserContract',
        clusters: 'listUserContractClusters',
        add: 'addUserContractClusters',
        importable: 'listUserImportableClusters',
        remove: 'deleteUserContractCluster',
        rename: 'renameUserContractCluster',
        tag: 'tagUserContractCluster',
        issue: 'issueUserContractLicense',
        audit: 'listUserAuditEvents',
        document: 'getUserDocumentLink',
      } as const);
}

/** A contract, and whether a site admin or its owner sees it. */
export interface ShownProps {
  contract: Revised<Contract>;
  isSite: boolean;
  parameters: { id: number; org?: string };
}
