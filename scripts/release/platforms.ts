import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Architectures of images, by their names in OCI, Debian and Go; the system is Linux. */
export type Architecture = 'amd64' | 'arm64';
export const architectures: readonly Architecture[] = ['amd64', 'arm64'];

/** Names in Node and npm. */
export const nodeNames = { amd64: 'x64', arm64: 'arm64' } as const;
/** Names in QEMU. */
const qemuNames = { amd64: 'x86_64', arm64: 'aarch64' } as const;

/** The architecture of this machine. Every machine that is not arm64 counts as amd64. */
export const ownArchitecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

/** The other architectures. */
export const otherArchitectures = architectures.filter((one) => one !== ownArchitecture);

/**
 * Returns what this machine lacks to run programs of another architecture in a container. The emulator needs the flag
 * F. With this flag, containers do not need their own copy of the emulator.
 * @param registered folder in which the kernel lists the interpreters of programs
 */
export function missingForEmulation(registered = '/proc/sys/fs/binfmt_misc'): readonly string[] {
  return otherArchitectures.filter((architecture) => {
    const entry = textOf(join(registered, `qemu-${qemuNames[architecture]}`));
    return !/^enabled$/m.test(entry) || !/^flags:.*F/m.test(entry);
  }).map((architecture) => {
    return `an emulator for ${architecture}: the package qemu-user-static, registered in binfmt_misc with the flag F`;
  });
}

/** Returns the text of a file; empty if the file cannot be read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
