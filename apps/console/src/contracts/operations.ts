import type { Contract } from '@platform/client';
import type { Revised } from '../api/client.ts';

/** Returns the names of operations on a contract. They are different for site admins and for owners. */
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

export interface ShownProps {
  contract: Revised<Contract>;
  /** True on the pages for site admins; false on the pages for owners. */
  isSite: boolean;
  parameters: { id: number; org?: string };
}
