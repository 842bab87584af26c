import { type Command, Option } from 'commander';
import type { Environment } from './settings.ts';
import { json, output } from './options.ts';

/** Adds the commands for users of the API: `platform login`, `platform context` and `platform api`. */
export function addPeople(program: Command, environment: Environment): void {
  program.command('login')
    .description('Stores an access token from standard input. On a terminal, opens the browser to create a token.')
    .argument('<address>', 'such as https://platform.example.org')
    .option('--context <name>', 'name for this platform and token; default the host')
    .addOption(new Option('--no-browser', 'opens no browser'))
    .addOption(json())
    .action(async (address: string, options) =>
      (await import('./commands/login.ts')).login(address, options, environment, output(options)));
  addContexts(program, environment);
  program.command('api')
    .description('Calls an operation of the API with the token of `platform login`, or lists all operations.')
    .argument('[operation]', 'such as listTeams')
    .argument('[flags...]', 'parameters, such as --orgname=acme; --help after the operation lists them')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (operation: string | undefined, flags: readonly string[]) =>
      (await import('./commands/api.ts')).callOperation(operation, flags, environment));
}

function addContexts(program: Command, environment: Environment): void {
  const load = () => import('./commands/context.ts');
  const context = program.command('context')
    .description('Contexts: the platforms and tokens that `platform login` has stored.');
  context.command('list')
    .description('Lists the contexts, and marks the current context.')
    .addOption(json())
    .action(async (options) => (await load()).listContexts(environment, output(options)));
  context.command('use')
    .description('Uses another context from now on.')
    .argument('<name>')
    .addOption(json())
    .action(async (name: string, options) => (await load()).useContext(name, environment, output(options)));
  context.command('remove')
    .description('Removes a context. Its token stays valid: revoke the token in the console or with the API.')
    .argument('<name>')
    .addOption(json())
    .action(async (name: string, options) => (await load()).removeContext(name, environment, output(options)));
}
