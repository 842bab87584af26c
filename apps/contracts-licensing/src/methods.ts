import { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import { DocumentServiceService } from '@platform/proto/contracts/v1/document';
import { LicenseServiceService } from '@platform/proto/contracts/v1/license';
import { LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import { ContractLookupServiceService } from '@platform/proto/contracts/v1/lookup';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { SubscriptionContractServiceService } from '@platform/proto/contracts/v1/subscription';
import { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import { implement, type Implementation } from '@platform/rpc';
import { actingOwner, listedOwner, namedOwner } from './accounts/scope.ts';
import { authorityMethods } from './authorities/authority-methods.ts';
import { addClusters } from './bindings/add-bindings.ts';
import { assignCluster } from './bindings/assign-cluster.ts';
import { getClusterStatus, listClusterStatuses, ownerById } from './bindings/cluster-status.ts';
import { deleteCluster } from './bindings/delete-binding.ts';
import { listAssociatedClusters } from './bindings/associated-clusters.ts';
import { listActiveContractsOfCluster } from './bindings/list-active-contracts-of-cluster.ts';
import { listClusters } from './bindings/list-bindings.ts';
import { listImportable } from './bindings/list-importable.ts';
import { renameCluster } from './bindings/rename-binding.ts';
import { tagCluster } from './bindings/tag-binding.ts';
import { contractOwnerMethods } from './contracts/contract-owner-methods.ts';
import { createContracts } from './contracts/create-contracts.ts';
import { deleteContract } from './contracts/delete-contract.ts';
import { extendContract } from './contracts/extend-contract.ts';
import { getContract } from './contracts/get-contract.ts';
import {
  listActiveOfflineContracts, listContracts, listContractsOfCluster, listOtherContracts,
} from './contracts/list-contracts.ts';
import { listAuditEvents } from './contracts/list-events.ts';
import { revokeContract } from './contracts/revoke-contract.ts';
import { updateContract } from './contracts/update-contract.ts';
import { updatePreferences } from './contracts/update-preferences.ts';
import { getDocumentLink } from './documents/document-methods.ts';
import { contractForbidden, contractMissing, contractNotOfAccount } from './faults.ts';
import { issueOfflineLicense } from './licences/issue-contract-licence.ts';
import { issueLicense } from './licences/issue-licence.ts';
import { registerLicense } from './licences/register-licence.ts';
import { createLicenseProxy } from './license-proxy/create-license-proxy.ts';
import type { Parts } from './parts.ts';
import { listProducts } from './products/products.ts';
import { putSubscriptionContracts, revokeSubscriptionContracts } from './subscriptions/subscription-methods.ts';

export function methods(parts: Parts): readonly Implementation[] {
  const { documents } = parts;
  return [
    implement(ContractServiceService, {
      listContracts: listContracts(parts, listedOwner, 'admin'),
      createContracts: createContracts(parts),
      uploadNewDocument: documents.receive,
      getContract: getContract(parts, namedOwner, 'admin'),
      updateContract: updateContract(parts),
      uploadDocument: documents.receive,
      deleteContract: deleteContract(parts),
      extendContract: extendContract(parts),
      revokeContract: revokeContract(parts),
      getDocumentLink: getDocumentLink(parts, namedOwner),
      listAuditEvents: listAuditEvents(parts, namedOwner, contractMissing),
      listProducts: listProducts(parts),
    }),
    implement(DocumentServiceService, { downloadDocument: documents.download }),
    implement(LicenseServiceService, {
      registerLicense: registerLicense(parts),
      issueLicense: issueLicense(parts),
      createLicenseProxy: createLicenseProxy(parts),
      issueContractLicense: issueOfflineLicense(parts, namedOwner),
      issueUserContractLicense: issueOfflineLicense(parts, actingOwner),
    }),
    implement(UserContractServiceService, {
      listUserContracts: listContracts(parts, actingOwner, 'user'),
      listActiveOfflineContracts: listActiveOfflineContracts(parts),
      listContractsOfCluster: listContractsOfCluster(parts),
      listOtherContracts: listOtherContracts(parts),
      getUserContract: getContract(parts, actingOwner, 'user'),
      updatePreferences: updatePreferences(parts),
      getUserDocumentLink: getDocumentLink(parts, actingOwner),
      listUserAuditEvents: listAuditEvents(parts, actingOwner, contractForbidden),
    }),
    implement(ContractClusterServiceService, {
      listContractClusters: listClusters(parts, namedOwner),
      addContractClusters: addClusters(parts, namedOwner, contractMissing),
      listImportableClusters: listImportable(parts, namedOwner),
      deleteContractCluster: deleteCluster(parts, namedOwner),
      renameContractCluster: renameCluster(parts, namedOwner),
      tagContractCluster: tagCluster(parts, namedOwner, { everywhere: true }),
      getClusterStatus: getClusterStatus(parts, ownerById(parts)),
      listClusterStatuses: listClusterStatuses(parts, ownerById(parts)),
    }),
    implement(UserContractClusterServiceService, {
      assignCluster: assignCluster(parts),
      listAssociatedClusters: listAssociatedClusters(parts),
      getUserClusterStatus: getClusterStatus(parts, actingOwner),
      listUserClusterStatuses: listClusterStatuses(parts, actingOwner),
      listUserContractClusters: listClusters(parts, actingOwner),
      addUserContractClusters: addClusters(parts, actingOwner, contractNotOfAccount),
      listUserImportableClusters: listImportable(parts, actingOwner),
      deleteUserContractCluster: deleteCluster(parts, actingOwner),
      renameUserContractCluster: renameCluster(parts, actingOwner),
      tagUserContractCluster: tagCluster(parts, actingOwner, { everywhere: false }),
    }),
    implement(LicenseAuthorityServiceService, authorityMethods(parts)),
    implement(SubscriptionContractServiceService, {
      putSubscriptionContracts: putSubscriptionContracts(parts),
      revokeSubscriptionContracts: revokeSubscriptionContracts(parts),
    }),
    implement(ContractOwnerServiceService, contractOwnerMethods(parts)),
    implement(ContractLookupServiceService, {
      listActiveContractsOfCluster: listActiveContractsOfCluster(parts.database),
    }),
  ];
}
