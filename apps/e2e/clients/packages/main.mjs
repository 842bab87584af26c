// Walks the API with the package @platform/client. Prints the results as one JSON object.
import { ApiRefusal, createClient } from '@platform/client';

const [baseUrl, token, orgname, title] = process.argv.slice(2);
const platform = createClient({ baseUrl, token });

const team = await platform.call('createTeam', {
  parameters: { orgname }, body: { name: title, type: 'kubernetes', permission: 'read' },
});
const { value, revision } = await platform.read('getTeam', { parameters: { teamid: team.id } });
await platform.call('updateTeam', {
  parameters: { 'teamid': team.id, 'If-Match': revision }, body: { name: value.name, description: 'changed' },
});
const names = [];
for await (const { name } of platform.walk('listTeams', { parameters: { orgname } })) names.push(name);
const refusal = await platform.call('getTeam', { parameters: { teamid: team.id + 1_000_000 } }).catch((error) => error);
const reason = refusal instanceof ApiRefusal ? refusal.code : String(refusal);
console.log(JSON.stringify({ team: team.id, names, reason }));
