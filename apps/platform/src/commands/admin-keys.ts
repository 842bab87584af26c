import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { CommandFault } from '../command-fault.ts';
import type { Environment } from '../launcher/settings.ts';
import type { Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from './operator-client.ts';

/** Everything stored is gone through: as long as that may take, in milliseconds. */
const patience = 600_000;

/**
 * `platform admin keys rotate`: seals what older keys have sealed with the newest one, and answers
 * `{"resealed": 3, "unreadable": 0}`.
 * @throws Fault, CommandFault when something stays that none of the keys opens
 */
export async function rotateKeys(server: ServerOptions, environment: Environment, output: Output): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const { resealed, unreadable } = await service.rotateKeys({}, operatorCall(patience));
  if (unreadable > 0) {
    throw new CommandFault(
      `${unreadable} stored secrets are opened by none of the keys (${resealed} were sealed anew)`,
      'Add the key that sealed them to secrets.encryptionKeys, restart the services and call it again.',
    );
  }
  output.answer({ resealed, unreadable }, () => [
    `${resealed} stored secrets were sealed with the newest key. The older keys are no longer needed.`,
  ]);
}
