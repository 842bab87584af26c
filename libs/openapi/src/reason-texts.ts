import type { ReasonName } from '@platform/surface';
import { marketplaceReasonTexts } from './marketplace-reason-texts.ts';

/** The texts of docs/errors.md: what each reason means, and what the caller can do. */
export const reasonTexts: Readonly<Record<ReasonName, readonly [meaning: string, remedy: string]>> = {
  ...marketplaceReasonTexts,
  INVALID_PARAMETER: [
    'A parameter, a header or another part of the request is not valid.',
    'Correct the part of the request that the message names.',
  ],
  MISSING_ORG: [
    'The request needs an organization or another account, but does not name one.',
    'Name the account in the parameter that the message names.',
  ],
  AMBIGUOUS_CREDENTIALS: [
    'The request carries several credentials.',
    'Send either one token or the cookie of a session.',
  ],
  INVALID_VALUE: [
    'A value has the right type but is not accepted, a limit is reached, or a setting is missing.',
    'Correct what the message or `errors` names.',
  ],
  EMPTY_LIST: ['A list that needs an entry is empty.', 'Add at least one entry.'],
  TOO_MANY_ITEMS: [
    'The request has too many items, or the change would exceed a limit on existing items.',
    'Split the request, or remove existing items first.',
  ],
  INVALID_OBJECT_TYPE: ['The operation does not support this type of object.', 'Use a supported type.'],
  UNKNOWN_PERMISSION: [
    'The role names a permission that is not in the catalogue.',
    'Choose from the catalogue at the end of [Permissions](permissions.md).',
  ],
  TOO_MANY_ROLES: ['A team would have too many roles.', 'Assign fewer roles to the team.'],
  INVALID_TEAM_TYPE: ['The type of the team is not supported.', 'Use the type kubernetes.'],
  INVALID_NAME: ['The name has a wrong form or is reserved.', 'Choose a name that follows the rule in the message.'],
  OWNERS_TEAM_IMMUTABLE: [
    'The team Owners cannot be changed in this way.',
    'Use another team. For Owners, only the list of members can be changed. '
    + 'To add owners of the administrative organization, make the users site admins.',
  ],
  TARGET_IS_ORGANIZATION: ['An organization was named where a user is needed.', 'Name a user.'],
  NOT_MANAGER_ORIGIN: [
    'The organization has no endpoint of a multi-cluster-manager, so it cannot have a sync token.',
    'Set `managerManagementClusterEndPoint` of the organization first.',
  ],
  SYSTEM_ADMIN_MISSING: ['The hidden system admin of the organization is missing.', 'Ask the platform operator.'],
  BUS_USER_NOT_FOUND: [
    'The organization has no message-bus account with this id.',
    'Use an id that `listBusTokens` returns.',
  ],
  CLIENT_ORG: [
    'The organization is a client organization, which this operation does not support.',
    'Use the operations for client organizations.',
  ],
  INVALID_DOMAIN: [
    'The e-mail domain is not valid, or its addresses may not sign up.',
    'Correct the domain. To sign up, use another address, or ask a site admin to allow the domain.',
  ],
  NOT_IN_WHITELIST: [
    'The domain is not on the list of allowed domains.',
    'List the allowed domains, and use a domain of the list.',
  ],
  NOT_CLAIMABLE: [
    'The organization cannot be claimed yet.',
    'Repeat when `checkClaimable` returns `isClaimable` true.',
  ],
  HTTPS_REQUIRED: [
    'The operation sets cookies, but `http.baseURL` is neither an https URL nor a loopback address.',
    'Ask the operator to set `http.baseURL` to an https URL.',
  ],
  ALREADY_ASSOCIATED: ['The cluster is bound to the contract already.', 'Leave out the bound clusters.'],
  CONTRACT_NOT_FOUND: ['There is no such contract for this account.', 'List the contracts of the account.'],
  INVALID_CONTRACT: [
    'The account has no such contract, or the contracts of the account do not permit the request.',
    'Use another contract, bind the cluster to the contract, or ask the seller for a new contract.',
  ],
  UNSUPPORTED_PRODUCT: ['The platform does not sell this product.', 'List the products, and use one of their aliases.'],
  INVALID_QUOTA: ['A quota has a wrong form or value.', 'Correct the quota values that `errors` lists.'],
  INVALID_EMAIL: ['An e-mail address has a wrong form.', 'Correct the addresses that `errors` lists.'],
  EMPTY_FEATURES: ['The request to register a licence names no features.', 'Name at least one feature.'],
  CLUSTER_NOT_REGISTERED: [
    'The cluster is not imported into this platform, and this platform issued no licence for it.',
    'Import the cluster, or issue a licence for it first.',
  ],
  FEATURE_REQUIRED: [
    'The request would disable a feature that a remaining feature needs.',
    'Disable the dependent feature first, or keep both features.',
  ],
  AUTO_UPDATE_NOT_POSSIBLE: [
    'The features of the cluster set cannot be updated automatically now.',
    'Remove the obstacle that the message names.',
  ],
  GATEWAY_IN_USE: [
    'Other client organizations use the gateway of this client organization.',
    'First delete the organizations that the message names, or remove their clusters that use the gateway.',
  ],
  ALREADY_IMPORTED: ['The client organization already has the cluster.', 'Nothing: use the existing cluster.'],
  UNAUTHENTICATED: ['The request has no credential, or its credential is invalid.', 'Sign in, or send a valid token.'],
  FORBIDDEN: [
    'The caller may not do this. Usually a right is missing, or a link has expired.',
    'If the message names a right, ask an owner for it. `explainPermission` explains decisions about rights.',
  ],
  NOT_ORG_MEMBER: [
    'The caller is not a member of the organization.',
    'Ask an owner of the organization for an invitation.',
  ],
  NOT_SELF: [
    'The operation is possible only for the account of the caller.',
    'Send the request as the user whom it names.',
  ],
  ACCOUNT_DISABLED: ['The account may not sign in.', 'Ask a site admin to enable the account.'],
  ORG_CREATION_DENIED: ['The account may not create organizations.', 'Ask a site admin for this right.'],
  PRIVILEGE_ESCALATION: [
    'The request would grant rights that the caller does not hold.',
    'Leave these rights out, or ask an owner to send the request.',
  ],
  LAST_OWNER: [
    'The change would leave an organization without an owner, or the platform without a site admin who can sign in.',
    'Add another owner or site admin first.',
  ],
  NOT_LAST_OWNER: [
    'The organization has other owners.',
    'Remove the other owners first: only the last owner can delete an organization.',
  ],
  SITE_ADMIN_PROTECTED: [
    'A site admin stays an owner of the administrative organization.',
    'Ask a site admin to set `admin` of the user to false first.',
  ],
  MISSING_SCOPE: [
    'The token lacks a scope that the request needs.',
    'Use a token with the scope that the message names.',
  ],
  LINK_EXPIRED: [
    'A link or a sign-in is invalid, has expired, was used, or belongs to another browser.',
    'Ask for a new link or sign in again, in the same browser.',
  ],
  QUOTA_EXCEEDED: [
    'The quota of the contract is used up, or the request would exceed the quota or the maximum number of clusters.',
    'Ask the seller for a higher quota, or for another contract.',
  ],
  REGISTRATION_UNSUPPORTED: [
    'The deployment does not accept registrations of licences.',
    'Ask the operator whether this deployment can accept registrations (`license.selfRegistration`).',
  ],
  REGISTRATION_DISABLED: ['Sign-up is disabled.', 'Ask an owner of an organization for an invitation.'],
  SOURCE_DENIED: [
    'Notifications are not accepted from this address.',
    'Ask the operator to permit the address of the marketplace.',
  ],
  NOT_FOUND: [
    'The object does not exist, or the caller may not see it.',
    'Check the path, the id and the account of the caller.',
  ],
  METHOD_NOT_ALLOWED: ['The path does not support this HTTP method.', 'Use a method that the header Allow lists.'],
  CONTRACT_REVOKED: ['The contract was revoked, so it permits no licence.', 'Ask the seller for a new contract.'],
  CONTRACT_EXPIRED: ['The contract has ended, so it permits no licence.', 'Ask the seller to extend the contract.'],
  CONTRACT_NOT_STARTED: [
    'The contract has not started, so it permits no licence yet.',
    'Repeat after the start of the contract.',
  ],
  OFFLINE_NOT_ALLOWED: [
    'The contract does not allow offline licences.',
    'Issue an online licence, or ask the seller to allow offline licences.',
  ],
  NO_ACTIVE_CONTRACT: [
    'No active contract of the account covers the cluster and the features.',
    'Bind the cluster to a contract, or ask the seller for a contract.',
  ],
  REQUEST_TIMEOUT: ['The request did not arrive in time.', 'Repeat over a better connection, or send less at once.'],
  BODY_TOO_LARGE: [
    'The body or a part of it is too large, or the request would make an object too large.',
    'Send a smaller body. Often the message names the limit.',
  ],
  URI_TOO_LONG: [
    'The URL is longer than 8 KiB, or a parameter is too long.',
    'Shorten the URL or the parameter, or split the request.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    'The body has a type or an encoding that is not supported.',
    'Send the body in the way that the message describes.',
  ],
  HEADERS_TOO_LARGE: ['The headers are larger than 16 KiB.', 'Send fewer headers or cookies.'],
  ALREADY_EXISTS: [
    'The name, or another value that must be unique, is taken.',
    'Choose another value, or use the existing object.',
  ],
  ALREADY_MEMBER: ['The user is in the team already.', 'Nothing: the membership exists.'],
  ALREADY_CLAIMED: ['The organization has been claimed already.', 'Ask its owners for an invitation.'],
  ORG_IN_USE: ['The account still owns objects.', 'Remove the objects of the account, then repeat.'],
  CONFLICT: [
    'Another request interferes, or the state of the object does not permit this request.',
    'Repeat the request. If it fails again, remove the cause that the message names.',
  ],
  TOO_MANY_ORGANIZATIONS: [
    'The user owns as many organizations as permitted.',
    'Delete an organization, or leave an organization that has another owner.',
  ],
  OVERLAPPING: [
    'The outage overlaps another outage of the same account and cluster.',
    'Change the times so that the outages do not overlap.',
  ],
  PRECONDITION_FAILED: [
    'The object does not have the revision that If-Match names.',
    'Read the object again, and repeat with its new ETag.',
  ],
  MALFORMED_BODY: [
    'The body cannot be read as JSON or as a form, or the gRPC message cannot be decoded.',
    'Correct the syntax.',
  ],
  VALIDATION_FAILED: [
    'Fields of the body are missing or wrong.',
    'Correct the fields that the message or `errors` names.',
  ],
  IDEMPOTENCY_KEY_REUSED: ['The Idempotency-Key was used with another request.', 'Use a new key for each new request.'],
  INVALID_LICENSE: [
    'The licence is not valid for the cluster and the features, or the CA certificate is not trusted.',
    'Send the unchanged PEM of a valid licence and of the authority that signed it.',
  ],
  RATE_LIMITED: [
    'The caller, or several callers together, send too many requests.',
    'Wait for the number of seconds in Retry-After, then repeat.',
  ],
  RETRY_BACKOFF: ['The claim was checked too recently.', 'Wait for the number of seconds in Retry-After, then repeat.'],
  INTERNAL: [
    'The platform failed. The log has the cause under the requestId.',
    'Repeat once. If it fails again, send the requestId to the operator.',
  ],
  ISSUER_UNAVAILABLE: ['Licences cannot be signed.', 'Ask the operator. The log of contracts-licensing has the cause.'],
  BAD_UPSTREAM: [
    'A system that the platform calls returned no usable answer.',
    'Repeat later. If the problem persists, ask the operator of that system.',
  ],
  UNAVAILABLE: [
    'A part of the platform, or a system that it needs, is not available.',
    'Repeat after the number of seconds in Retry-After. Before you repeat a change, check whether it succeeded.',
  ],
  DEADLINE_EXCEEDED: [
    'The operation did not finish within the time limit.',
    'The request may have succeeded. Repeat it, with the same Idempotency-Key if it creates an object.',
  ],
};
