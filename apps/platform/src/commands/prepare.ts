import { resolve } from 'node:path';
import { openState } from '@platform/backing';
import { UsageFault } from '../command-fault.ts';
import { readGivenSettings } from '../deployment/given-settings.ts';
import { describeParts } from '../deployment/parts.ts';
import { type Owner, writeFolders } from '../deployment/write-folders.ts';
import type { Environment } from '../settings.ts';
import type { Output } from '../output.ts';
import { step } from '../progress.ts';

interface PrepareOptions {
  readonly folder?: string;
  readonly owner?: Owner;
  /** Prefix of the names of the Kubernetes Secrets to write. If undefined, no Secrets are written. */
  readonly kubernetes?: string;
  readonly parts?: readonly string[];
}

/**
 * `platform prepare`: creates the missing secrets of a deployment. Writes the files of each part in `parts`; default
 * all parts (deploy/images/README.md). A repeated call uses the stored secrets again.
 * @throws UsageFault, ConfigError, BackingFault, CommandFault, Fault
 */
export async function prepare(options: PrepareOptions, environment: Environment, output: Output): Promise<void> {
  const { folder, owner, kubernetes, parts: named } = options;
  if ((folder === undefined) === (kubernetes === undefined)) {
    throw new UsageFault('Either --folder or --kubernetes is needed, but not both', 'See `platform prepare --help`.');
  }
  const given = readGivenSettings(environment);
  const wanted = (part: string): boolean => named === undefined || named.includes(part);
  step('Preparing the deployment');
  let written;
  if (kubernetes !== undefined) {
    const { writeSecrets } = await import('../deployment/write-secrets.ts');
    written = await writeSecrets(kubernetes, wanted, environment, (state) => describeParts(state, given));
  } else {
    const target = resolve(folder!);
    const all = await describeParts(await openState(`${target}/state`), given);
    written = new Map([...all].filter(([part]) => wanted(part)));
    await writeFolders(target, written, owner);
  }
  const names = [...written.keys()];
  output.answer({ parts: names }, () => [`Written for ${names.join(', ')}.`]);
}
