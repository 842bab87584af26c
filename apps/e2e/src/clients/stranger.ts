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
  const maker = join(repositoryRoot, 'scripts/release/make-release.ts');
  const made = { version, epoch: 0, folder: release, work: `${release}.work` };
  await run(process.execPath, ['--input-type=module', '-e', `import { makeRelease } from ${JSON.stringify(maker)};
    await makeRelease(${JSON.stringify(made)});`]);
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
    grpcProgram: (language) => makers[language](join(folder, `grpc-${language}`), protos),
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

type Maker = (folder: string, protos: string) => ReturnType<Stranger['grpcProgram']>;

const makers: Readonly<Record<GrpcLanguage, Maker>> = {
  node: async (folder, protos) => {
    await programWithProtos('grpc-node', folder, protos);
    await install(folder, []);
    return { command: [process.execPath, 'main.mjs'], folder };
  },
  python: async (folder, protos) => {
    await programWithProtos('grpc-python', folder, protos);
    const tools = await pythonTools('grpc-python/requirements.txt');
    const { stdout } = await run('find', ['controlplane', 'google', '-name', '*.proto'], { cwd: protos });
    const options = ['-I', 'protos', '--python_out=.', '--grpc_python_out=.'];
    await step(folder, join(tools, 'python'), '-m', 'grpc_tools.protoc', ...options, ...stdout.trim().split('\n'));
    return { command: [join(tools, 'python'), 'main.py'], folder };
  },
  go: async (folder, protos) => {
    await programWithProtos('grpc-go', folder, protos);
    await step(folder, process.execPath, join(repositoryRoot, 'node_modules/@bufbuild/buf/bin/buf'), 'generate');
    await step(folder, 'go', 'vet', './...');
    await step(folder, 'go', 'build', '-o', 'walk', '.');
    return { command: [join(folder, 'walk')], folder };
  },
};

async function programWithProtos(name: string, folder: string, protos: string): Promise<void> {
  await copyOf(name, folder);
  await cp(protos, join(folder, 'protos'), { recursive: true });
}
