import { Fault } from '@platform/faults';
import type { InvitationRequest, InvitationServiceService } from '@platform/proto/orgs/v1/invitation';
import type { Handler } from '@platform/rpc';
import { wholeScope } from '@platform/surface';
import { conflict } from '@platform/values';
import type { Parts } from '../parts.ts';
import { newToken, tokenDigest } from '../standing/access-token.ts';
import { insertToken } from '../tokens/store.ts';
import { lock } from '../write/locks.ts';
import { findInvitation, type Invitation, lockInvitation, markAccepted } from './store.ts';

/**
 * GET /links/invitation/{user}: a page with a button that accepts the invitation. GET itself accepts nothing, because
 * mail scanners open links.
 */
export function showInvitation(parts: Parts): Handler<typeof InvitationServiceService.showInvitation> {
  return async (request) => {
    refuseInvalid(parts, request);
    const { name } = usable(await findInvitation(parts.database, request.user));
    return page(`<p>You are invited as the user <strong>${name}</strong>.</p>
<form method="post"><button>Create my access token</button></form>`);
  };
}

/**
 * POST /links/invitation/{user}: accepts the invitation, and returns a page with a new access token. The token is not
 * shown again (open-points 1.3, 4.1).
 */
export function acceptInvitation(parts: Parts): Handler<typeof InvitationServiceService.acceptInvitation> {
  const { config, write } = parts;
  return async (request, context) => {
    refuseInvalid(parts, request);
    const { user } = request;
    const token = newToken();
    const name = await write(context, [lock.permission(user)], async (work) => {
      const invitation = usable(await lockInvitation(work, user));
      await markAccepted(work, user);
      const id = await insertToken(work, {
        ...tokenDigest(config.tokenKey, token),
        accountId: user, accountKind: 'person', name: 'invitation', end: null, scopes: [wholeScope], clusterId: null,
      });
      work.audit({
        action: 'invitation.accept', object: `user:${user}`, subjectIds: [user],
        details: { name: invitation.name, tokenId: id! },
      });
      return invitation.name;
    });
    return page(`<p>This is the access token of the user <strong>${name}</strong>. It is shown only once.</p>
<pre>${token}</pre>
<p>Send it as <code>Authorization: Bearer</code> with each request.</p>`);
  };
}

/** @throws Fault FORBIDDEN */
function refuseInvalid({ invitations }: Parts, { user, expires, signature }: InvitationRequest): void {
  if (!invitations.isValid(String(user), expires, signature)) throw noLonger();
}

/** @throws Fault FORBIDDEN when the user is gone or may not sign in, CONFLICT when the invitation was accepted */
function usable(invitation: Invitation | undefined): Invitation {
  if (invitation === undefined || !invitation.isUsable) throw noLonger();
  if (invitation.isAccepted) throw conflict('this invitation was accepted already');
  return invitation;
}

function noLonger(): Fault {
  return new Fault('FORBIDDEN', 'the invitation is not valid any more, or its link was altered');
}

/** @param content HTML. The name of a user in it needs no escaping, because the name is a slug */
function page(content: string) {
  const data = Buffer.from(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Invitation</title></head>
<body>
<h1>Invitation</h1>
${content}
</body>
</html>
`);
  return { contentType: 'text/html; charset=utf-8', data, extensions: [] };
}
