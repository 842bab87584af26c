import { Fault } from '@platform/faults';
import type { AvatarServiceService, UpdateAvatarRequest } from '@platform/proto/orgs/v1/avatar';
import { runNow } from '@platform/jobs';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { emailProblem, validationFailed, Violations } from '@platform/values';
import { avatarUrl } from '../accounts/convert.ts';
import type { Config } from '../config.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { UnusablePicture } from './images.ts';
import { lookUpPicture } from './look-up.ts';
import { removePictures } from './remove-pictures.ts';
import { announcePicture, newPictureName, pictureKey, usePicture } from './store.ts';

/** Maximum size of a picture, in bytes (open-points 1.9). */
const mostBytes = 1024 * 1024;

/** POST /orgs/{orgname}/avatar/ (spec §4.13, open-points 3.1): stores the file before the account refers to it. */
export function updateAvatar(parts: Parts): Handler<typeof AvatarServiceService.updateAvatar> {
  const { config, database, files, images, write } = parts;
  return async (request, context) => {
    const { deadline } = context;
    const { path, content } = await givenPicture(request, config, deadline);
    const picture = await telling(path, images.avatar(content, deadline));
    const name = newPictureName();
    await announcePicture(database, name, deadline);
    await files.put(pictureKey(name), picture, deadline);
    const { id } = context.account;
    await write(context, [lock.structure(id)], async (work) => {
      await usePicture(work, id, name);
      work.audit({
        action: 'organization.update_avatar', object: `organization:${id}`, organizationId: id,
        details: { source: request.source || 'local' },
      });
      work.effect(runNow(removePictures));
    });
    return { url: avatarUrl(name, config.baseUrl) };
  };
}

/** Returns the bytes of the uploaded or looked-up picture, and the field of the request that errors must name. */
async function givenPicture(
  { avatar, source, gravatar }: UpdateAvatarRequest, { lookupUrl }: Config, deadline: Deadline,
): Promise<{ path: string; content: Uint8Array }> {
  if (!source || source === 'local') {
    if (avatar === undefined || avatar.content.length === 0) {
      throw validationFailed([{ path: 'avatar', message: 'must be a file with a picture' }]);
    }
    if (avatar.content.length > mostBytes) {
      throw new Fault('BODY_TOO_LARGE', `a picture may have up to ${mostBytes} bytes`);
    }
    return { path: 'avatar', content: avatar.content };
  }
  if (source !== 'lookup') throw validationFailed([{ path: 'source', message: 'must be local or lookup' }]);
  if (lookupUrl === undefined) {
    const message = 'cannot be lookup: no avatar service is set (avatars.lookupURL)';
    throw validationFailed([{ path: 'source', message }]);
  }
  const violations = new Violations();
  violations.note('gravatar', emailProblem((gravatar ?? '').trim()));
  violations.refuse();
  const content = await telling('gravatar', lookUpPicture(lookupUrl, gravatar!, mostBytes, deadline));
  return { path: 'gravatar', content };
}

/** Converts an UnusablePicture to a fault about the field that `path` names. */
async function telling<Result>(path: string, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnusablePicture) throw validationFailed([{ path, message: error.message }]);
    throw error;
  }
}
