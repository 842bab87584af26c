import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { repositoryRoot } from '@platform/testing';
import { pythonTools } from './generators/python-tools.ts';
import { copyOf, step } from './generators/steps.ts';

const run = promisify(execFile);
/** Version of the release that the specs make and test. */
const version = '2000.1.0';
/** The oldest Node of each line that the packages support, and the newest version other than this one. */
export const otherNodes = ['20.11.0', '22.23.5'] as const;

/** Everything that a user without a clone has: the files of a release, and registries. */
export interface Stranger {
  /** `platform` of `@platform/cli`, installed. */
  readonly cli: string;
  /** Programs of Node by version. */
  nodes: ReadonlyMap<string, string>;
  /** Prepares a program in this language that walks the API over gRPC. Its arguments: address, token, slug. */
  grpcProgram(language: GrpcLanguage): Promise<{ command: readonly [string, ...string[]]; folder: string }>;
  /** The folder in which the packages are installed, with a program that walks the API with the client. */
  readonly packages: string;
}

export const grpcLanguages = ['node', 'python', 'go'] as const;
export type GrpcLanguage = (typeof grpcLanguages)[number];

/** Makes a release, and installs it in an empty folder. */
export async function openStranger(folder: string): Promise<Stranger> {
  const release = join(folder, 'release');
  const maker = JSON.stringify(join(repositoryRoot, 'scripts/release/make-release.ts'));
  const made = JSON.stringify({ version, epoch: 0, folder: release, work: `${release}.work` });
  const program = `import { makeRelease } from ${maker}; await makeRelease(${made});`;
  await run(process.execPath, ['--input-type=module', '-e', program]);
  const packages = join(folder, 'packages');
  await copyOf('packages', packages);
  await install(packages, ['client', 'cli'].map((name) => join(release, `npm/platform-${name}-${version}.tgz`)));
  const installed = await Promise.all(otherNodes.map(async (node) => {
    const place = join(folder, `node-${node}`);
    await mkdir(place);
    await install(place, [`node-linux-${process.arch}@${node}`]);
    return [node, join(place, `node_modules/node-linux-${process.arch}/bin/node`)] as const;
  }));
  const protos = join(folder, 'protos');
  await unzip(join(release, `platform-protos-${version}.zip`), protos);
  return {
    packages,
    cli: join(packages, 'node_modules/@platform/cli/bin/platform.mjs'),
    nodes: new Map([...installed, [process.versions.node, process.execPath]]),
    grpcProgram: async (language) => {
      const place = join(folder, `grpc-${language}`);
      await copyOf(`grpc-${language}`, place);
      await cp(protos, join(place, 'protos'), { recursive: true });
      return makers[language](place);
    },
  };
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  await step(folder, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, ...packages);
}

async function unzip(file: string, folder: string): Promise<void> {
  for (const [name, content] of Object.entries(unzipSync(await readFile(file)))) {
    const path = join(folder, name.slice(name.indexOf('/') + 1));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** Prepares the program in a folder that contains it and its `protos`. */
const makers: Readonly<Record<GrpcLanguage, (folder: string) => ReturnType<Stranger['grpcProgram']>>> = {
  node: async (folder) => {
    await install(folder, []);
    return { command: [process.execPath, 'main.mjs'], folder };
  },
  python: async (folder) => {
    const tools = await pythonTools('grpc-python/requirements.txt');
    const protos = join(folder, 'protos');
    const { stdout } = await run('find', ['controlplane', 'google', '-name', '*.proto'], { cwd: protos });
    const options = ['-I', 'protos', '--python_out=.', '--grpc_python_out=.'];
    await step(folder, join(tools, 'python'), '-m', 'grpc_tools.protoc', ...options, ...stdout.trim().split('\n'));
    return { command: [join(tools, 'python'), 'main.py'], folder };
  },
  go: async (folder) => {
    await step(folder, process.execPath, join(repositoryRoot, 'node_modules/@bufbuild/buf/bin/buf'), 'generate');
    await step(folder, 'go', 'vet', './...');
    await step(folder, 'go', 'build', '-o', 'walk', '.');
    return { command: [join(folder, 'walk')], folder };
  },
};
