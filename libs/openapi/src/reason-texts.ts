import type { ReasonName } from '@platform/surface';

/** What each reason means, and what the caller can do, for docs/errors.md. */
export const reasonTexts: Readonly<Record<ReasonName, readonly [meaning: string, remedy: string]>> = {
  INVALID_PARAMETER: [
    'A parameter of the path or the query is not valid.',
    'Correct the parameter that the message names.',
  ],
  MISSING_ORG: [
    'The request needs an organization, but does not name one.',
    'Name the organization with the parameter org.',
  ],
  AMBIGUOUS_CREDENTIALS: [
    'The request carries two different credentials.',
    'Send one token, or the cookie of a session without a token.',
  ],
  INVALID_VALUE: ['A value has the right type but is not accepted.', 'Correct the values that `errors` lists.'],
  EMPTY_LIST: ['A list that needs an entry is empty.', 'Add at least one entry.'],
  TOO_MANY_ITEMS: [
    'The request, or the object it changes, would have more entries than its limit.',
    'Split the request, or remove entries first.',
  ],
  INVALID_OBJECT_TYPE: ['There is no such type of object.', 'Use one of the types that the message names.'],
  UNKNOWN_PERMISSION: [
    'The role names a permission that is not in the catalogue.',
    'Choose from the catalogue at the end of [Permissions](permissions.md).',
  ],
  TOO_MANY_ROLES: [
    'The team would have more roles, or the role more teams, than the limit.',
    'Remove a role or a team first, or combine roles.',
  ],
  INVALID_TEAM_TYPE: ['The type of the team is not supported.', 'Use the type kubernetes.'],
  INVALID_NAME: ['The name has a wrong form.', 'Choose a name that follows the rule in the message.'],
  OWNERS_TEAM_IMMUTABLE: [
    'The team Owners cannot be changed in this way.',
    'Use another team. Only the members of Owners can change.',
  ],
  TARGET_IS_ORGANIZATION: ['An organization was named where a user is needed.', 'Name a user.'],
  NOT_MANAGER_ORIGIN: [
    'The organization does not come from a manager, so it has no sync token.',
    'Use an access token of the organization.',
  ],
  SYSTEM_ADMIN_MISSING: ['The organization has lost its hidden system admin.', 'Ask an administrator of the platform.'],
  BUS_USER_NOT_FOUND: [
    'The organization has no such account of the message bus.',
    'List the bus tokens of the organization.',
  ],
  CLIENT_ORG: [
    'The object is a client organization, which has its own methods.',
    'Use the methods for client organizations.',
  ],
  INVALID_DOMAIN: [
    'The domain has a wrong form, or its addresses may not sign up.',
    'Use another address, or ask a site admin to allow the domain.',
  ],
  NOT_IN_WHITELIST: [
    'The domain is not on the list of permitted domains.',
    'List the domains and repeat with one of them.',
  ],
  NOT_CLAIMABLE: ['The organization cannot be claimed yet.', 'Repeat later: its subscription must be complete first.'],
  HTTPS_REQUIRED: [
    'Sessions need HTTPS, or a connection on loopback.',
    'Open the platform with https, or ask the operator to set http.baseURL.',
  ],
  ALREADY_ASSOCIATED: ['The cluster is bound to the contract already.', 'Nothing: the binding exists.'],
  CONTRACT_NOT_FOUND: ['There is no such contract for this account.', 'List the contracts of the account.'],
  INVALID_CONTRACT: [
    'The state of the contract does not permit the change.',
    'Read the contract. A revoked or ended contract needs a new one.',
  ],
  UNSUPPORTED_PRODUCT: ['The product is not sold here.', 'List the products, and use one of their names.'],
  INVALID_QUOTA: ['A quota has a wrong form or value.', 'Correct the quota values that `errors` lists.'],
  INVALID_EMAIL: ['An e-mail address has a wrong form.', 'Correct the addresses that `errors` lists.'],
  EMPTY_FEATURES: ['The licence to register names no features.', 'Name at least one feature.'],
  CLUSTER_NOT_REGISTERED: [
    'The cluster was neither imported nor licensed here.',
    'Import the cluster or issue a licence for it first.',
  ],
  FEATURE_REQUIRED: [
    'A feature that stays enabled needs the feature that would be disabled.',
    'Disable the dependent feature first, or keep both.',
  ],
  AUTO_UPDATE_NOT_POSSIBLE: [
    'The features of the cluster set cannot be updated automatically now.',
    'Remove the obstacle that the message names.',
  ],
  GATEWAY_IN_USE: [
    'Other client organizations use the gateway of the cluster.',
    'Move them, or remove their use of the gateway first.',
  ],
  ALREADY_IMPORTED: ['The cluster is imported already.', 'Nothing: use the existing cluster.'],
  SUBSCRIPTION_NOT_FOUND: [
    'There is no such subscription in this marketplace.',
    'Check the id and the marketplace of the subscription.',
  ],
  NOT_REVOCABLE: [
    'The state of the subscription does not permit a revocation.',
    'Read the subscription: it may be revoked already.',
  ],
  UNSUPPORTED_MARKETPLACE: [
    'The marketplace does not support the operation.',
    'Do not ping this marketplace. Its usage is reported directly to the provider.',
  ],
  UNKNOWN_EVENT_TYPE: ['The notification has an unknown type.', 'Send PUT, DELETE or BIND.'],
  INVALID_BINDING: [
    'The binding in the notification is not valid.',
    'Correct the fields that `errors` lists, and send the notification again.',
  ],
  SUBSCRIPTION_CLOSED: ['The subscription has ended.', 'Make a new subscription.'],
  PROVIDER_REFUSED: [
    'A marketplace refuses a usage report.',
    'Correct the report. The message has the answer of the marketplace.',
  ],
  UNAUTHENTICATED: ['The request has no credential, or an invalid one.', 'Sign in, or send a valid token.'],
  FORBIDDEN: [
    'The caller lacks a right that the operation needs.',
    'Ask an owner for the right that the message names. "platform admin explain" tells why.',
  ],
  NOT_ORG_MEMBER: [
    'The caller is not a member of the organization.',
    'Ask an owner of the organization for an invitation.',
  ],
  NOT_SELF: [
    'The operation is possible only for the account of the caller.',
    'Send the request as the user who owns the account.',
  ],
  ACCOUNT_DISABLED: ['The account may not sign in.', 'Ask a site admin to enable the account.'],
  ORG_CREATION_DENIED: [
    'The account may not make organizations.',
    'Ask a site admin for this right, or to make the organization.',
  ],
  PRIVILEGE_ESCALATION: [
    'The caller would give rights that the caller does not hold.',
    'Leave these rights out, or ask an owner to give them.',
  ],
  LAST_OWNER: ['The change would leave an organization without an owner.', 'Add another owner first.'],
  NOT_LAST_OWNER: [
    'The organization has further owners.',
    'Remove the other owners first: only the last owner deletes an organization.',
  ],
  SITE_ADMIN_PROTECTED: [
    'A site admin cannot leave the administrative organization.',
    'Remove the flag is_admin of the account first.',
  ],
  MISSING_SCOPE: [
    'The token lacks the scope of the operation, or asks for a token with more rights than its own.',
    'Make a token with the scope that the message names.',
  ],
  LINK_EXPIRED: [
    'A link has expired, was used, or belongs to another browser.',
    'Ask for a new link, and open it in the same browser.',
  ],
  QUOTA_EXCEEDED: ['The quota of the contract is used up.', 'Ask the seller to raise the quota, or release clusters.'],
  REGISTRATION_UNSUPPORTED: [
    'The deployment does not accept registrations of licences.',
    'Issue the licence here instead.',
  ],
  REGISTRATION_DISABLED: ['Sign-up is disabled.', 'Ask an owner of an organization for an invitation.'],
  SOURCE_DENIED: [
    'Notifications are not accepted from this address.',
    'Ask the operator to permit the address of the marketplace.',
  ],
  SECRET_MISMATCH: ['The secret of the notification is missing or wrong.', 'Configure the same secret on both sides.'],
  INSTALLER_ALREADY_BOUND: [
    'The installer is bound to a cluster already.',
    'Make a new installer for another cluster.',
  ],
  NOT_FOUND: [
    'There is no such object, or the caller may not know of it.',
    'Check the path, the id and the account of the caller.',
  ],
  METHOD_NOT_ALLOWED: ['The path does not have this method.', 'Use a method of the header Allow.'],
  CONTRACT_REVOKED: ['The contract was revoked, so it gives no licence.', 'Ask the seller for a new contract.'],
  CONTRACT_EXPIRED: ['The contract has ended, so it gives no licence.', 'Ask the seller to extend the contract.'],
  CONTRACT_NOT_STARTED: [
    'The contract has not started, so it gives no licence yet.',
    'Repeat after the start of the contract.',
  ],
  OFFLINE_NOT_ALLOWED: [
    'The contract does not allow offline licences.',
    'Use the online licence, or ask the seller to allow it.',
  ],
  NO_ACTIVE_CONTRACT: [
    'No contract of the account covers the cluster and the plan.',
    'Bind the cluster to a contract, or ask the seller for one.',
  ],
  REQUEST_TIMEOUT: ['The request did not arrive in time.', 'Repeat over a better connection, or send less at once.'],
  BODY_TOO_LARGE: ['The body is larger than its limit.', 'Send a smaller body. The message names the limit.'],
  URI_TOO_LONG: [
    'The URL is longer than 8 KiB, or one of its parameters is too long.',
    'Shorten the URL, or split the request.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    'The body has a type or an encoding that is not supported.',
    'Send the content type that the message names, without Content-Encoding.',
  ],
  HEADERS_TOO_LARGE: ['The headers are larger than 16 KiB.', 'Send fewer headers or cookies.'],
  ALREADY_EXISTS: ['An object with this name or identity exists.', 'Choose another name, or use the existing object.'],
  ALREADY_MEMBER: ['The user is in the team already.', 'Nothing: the membership exists.'],
  ALREADY_CLAIMED: ['The organization has been claimed already.', 'Ask its owners for an invitation.'],
  ORG_IN_USE: ['The account still owns objects.', 'Remove what the message names, then repeat.'],
  CONFLICT: ['Another request changed the same object first.', 'Repeat the request.'],
  TOO_MANY_ORGANIZATIONS: [
    'The user owns as many organizations as permitted.',
    'Delete an organization, or give it to another owner.',
  ],
  OVERLAPPING: [
    'The outage overlaps another outage of the same account and cluster.',
    'Change the times, or edit the other outage.',
  ],
  PRECONDITION_FAILED: [
    'The object has changed since the revision in If-Match.',
    'Read the object again, and repeat with its new ETag.',
  ],
  MALFORMED_BODY: ['The body cannot be read as JSON or as a form.', 'Correct the syntax.'],
  VALIDATION_FAILED: ['Fields of the body are missing or have a wrong type.', 'Correct the fields in `errors`.'],
  IDEMPOTENCY_KEY_REUSED: ['The Idempotency-Key was used with another request.', 'Use a new key for each new request.'],
  INVALID_LICENSE: ['The licence is not valid here.', 'Send the unchanged PEM of a valid licence.'],
  RATE_LIMITED: ['The caller sends too many requests.', 'Wait for the number of seconds in Retry-After, then repeat.'],
  RETRY_BACKOFF: ['The claim was checked a moment ago.', 'Wait for the number of seconds in Retry-After, then repeat.'],
  INTERNAL: [
    'The platform failed. The log has the cause under the requestId.',
    'Repeat once. If it fails again, give the requestId to the operator.',
  ],
  ISSUER_UNAVAILABLE: ['Licences cannot be signed.', 'Ask the operator. The log of contracts-licensing has the cause.'],
  PROVIDER_FAILED: ['A marketplace fails for a reason other than the usage report.', 'Repeat later.'],
  BAD_UPSTREAM: [
    'A system that the platform calls gave no usable answer.',
    'Repeat later. If it persists, ask the operator of that system.',
  ],
  UNAVAILABLE: [
    'A part of the platform, or a system that it needs, is not available.',
    'Wait for the number of seconds in Retry-After, then repeat.',
  ],
  DEADLINE_EXCEEDED: [
    'The operation did not finish within the time limit.',
    'Repeat the request. It may have had its effect already, so use an Idempotency-Key.',
  ],
};
