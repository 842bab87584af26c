import { BackingFault } from './fault.ts';
import { portOwner, portTaken } from './ports.ts';

/**
 * Checks that no process listens on the ports of a part.
 * @param cause why the part failed, if it was started
 * @throws BackingFault PORT_TAKEN naming the owner
 */
export async function assertPortsFree(part: string, ports: readonly number[], cause?: unknown): Promise<void> {
  for (const port of ports) {
    if (!(await portTaken(port))) continue;
    const owner = await portOwner(port);
    throw new BackingFault(
      'PORT_TAKEN',
      `Port ${port} for ${part} is taken${owner === undefined ? '' : ` by ${owner}`}.`,
      'Free the port, or set another port.',
      cause === undefined ? {} : { cause },
    );
  }
}
