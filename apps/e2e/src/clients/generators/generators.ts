import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { repositoryRoot } from '@platform/testing';
import { pythonTools } from './python-tools.ts';
import { copyOf, step } from './steps.ts';

const documentFile = join(repositoryRoot, 'docs/openapi.json');

/** Generates a client from the document, compiles it, and prepares a program that walks the API with it. */
export interface Generator {
  readonly name: string;
  /**
   * @param folder an empty folder
   * @returns how to run the program, without its arguments: address, token, slug of an organization, end of a contract
   * @throws Error when something is missing, or the client does not compile
   */
  make(folder: string): Promise<Program>;
}

export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
}

/** Each of these has a folder in apps/e2e/clients with its program, which it finds copied into its own folder. */
const makers: Readonly<Record<string, Generator['make']>> = {
  'oapi-codegen': oapiCodegen, 'openapi-python-client': openapiPythonClient,
  'typescript-fetch': typescriptFetch, python, go, java,
};

export const generators: readonly Generator[] = Object.entries(makers).map(([name, make]) => ({
  name, make: (folder: string) => copyOf(name, folder).then(() => make(folder)),
}));

async function oapiCodegen(folder: string): Promise<Program> {
  await mkdir(join(folder, 'api'));
  await step(folder, 'go', 'tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', documentFile);
  await step(folder, 'go', 'vet', './...');
  await step(folder, 'go', 'build', '-o', 'walk', '.');
  return { command: [join(folder, 'walk')], folder };
}

async function openapiPythonClient(folder: string): Promise<Program> {
  const tools = await pythonTools();
  const options = ['--path', documentFile, '--output-path', join(folder, 'client'), '--meta', 'none'];
  await step(folder, join(tools, 'openapi-python-client'), 'generate', ...options);
  await compilePython(tools, folder, 'client');
  return { command: [join(tools, 'python'), '-W', 'error', 'main.py'], folder };
}

/** openapi-generator with the compiler of this repository. */
async function typescriptFetch(folder: string): Promise<Program> {
  await openapiGenerator(folder, 'typescript-fetch', '--global-property', 'skipFormModel=false');
  await step(folder, process.execPath, join(repositoryRoot, 'node_modules/typescript/bin/tsc'), '--project', folder);
  return { command: [process.execPath, join(folder, 'built/main.js')], folder };
}

/** openapi-generator. */
async function python(folder: string): Promise<Program> {
  await openapiGenerator(folder, 'python');
  await cp(join(folder, 'client/openapi_client'), join(folder, 'openapi_client'), { recursive: true });
  const tools = await pythonTools();
  await compilePython(tools, folder, 'openapi_client');
  return { command: [join(tools, 'python'), 'main.py'], folder };
}

/** openapi-generator. */
async function go(folder: string): Promise<Program> {
  await openapiGenerator(folder, 'go', '--additional-properties', 'packageName=api,withGoMod=false');
  await cp(join(folder, 'client'), join(folder, 'api'), {
    recursive: true,
    // The tests of the client import a module without a valid name.
    filter: (file) => file !== join(folder, 'client/test'),
  });
  await step(folder, 'go', 'vet', '.', './api');
  await step(folder, 'go', 'build', '-o', 'walk', '.');
  return { command: [join(folder, 'walk')], folder };
}

/** openapi-generator, with Maven and a JDK of the machine. */
async function java(folder: string): Promise<Program> {
  await openapiGenerator(folder, 'java');
  // Its tests are compiled, and not run: they call a server.
  const options = ['--batch-mode', '--quiet', '-DskipTests', '-Dmaven.javadoc.skip=true'];
  await step(join(folder, 'client'), 'mvn', ...options, 'package');
  const classes = ['client/target/openapi-java-client-v1.jar', 'client/target/lib/*'].map((path) => join(folder, path));
  await step(folder, 'javac', '-Xlint:all', '-Werror', '-cp', classes.join(delimiter), '-d', 'built', 'Main.java');
  return { command: ['java', '-cp', [join(folder, 'built'), ...classes].join(delimiter), 'Main'], folder };
}

/**
 * Runs openapi-generator. It uses only the first content type of each operation, so operations with a form get a
 * document without their JSON content.
 */
async function openapiGenerator(folder: string, generator: string, ...options: readonly string[]): Promise<void> {
  const given = join(folder, 'forms.json');
  const document = JSON.parse(await readFile(documentFile, 'utf8')) as { readonly paths: Paths };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const { requestBody: { content = {} } = {} } of operations) {
    if ('multipart/form-data' in content) delete content['application/json'];
  }
  await writeFile(given, JSON.stringify(document));
  const args = ['generate', '--input-spec', given, '--generator-name', generator, '--output', join(folder, 'client')];
  await step(folder, join(await pythonTools(), 'openapi-generator-cli'), ...args, ...options);
}

interface Operation {
  readonly requestBody?: { readonly content?: Record<string, unknown> };
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Imports every module of a package, including those that a program does not need. */
async function compilePython(tools: string, folder: string, module: string): Promise<void> {
  const all = `import ${module}, pkgutil, importlib\n`
    + `for one in pkgutil.walk_packages(${module}.__path__, '${module}.'): importlib.import_module(one.name)\n`;
  await writeFile(join(folder, 'import-all.py'), all);
  await step(folder, join(tools, 'python'), '-W', 'error', 'import-all.py');
}
