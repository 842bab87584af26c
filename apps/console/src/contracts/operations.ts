import type { Contract } from '@platform/client';
import type { Revised } from '../api/client.ts';

/** The operations of a contract for its owner or for the site: the same operations with other names. */
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

/** A contract, and who looks at it. */
export interface ShownProps {
  contract: Revised<Contract>;
  isSite: boolean;
  parameters: { id: number; org?: string };
}
