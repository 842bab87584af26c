// Walks the API with the client that openapi-generator generates from the OpenAPI document. Prints the results as one
// JSON object.
import { Configuration, ContractApi, TeamApi, UserApi } from './client';

declare const process: { readonly argv: readonly string[]; exitCode: number };

const [, , address = '', token = '', organization = '', end = ''] = process.argv;
const configuration = new Configuration({ basePath: address, accessToken: token });

async function walk(): Promise<void> {
  const user = await new UserApi(configuration).getUser();
  const team = await new TeamApi(configuration).createTeam({
    orgname: organization, createTeamFields: { name: 'By typescript-fetch', type: 'kubernetes', permission: 'read' },
  });
  const contracts = await new ContractApi(configuration).createContracts({
    orgOrUser: organization, name: 'By typescript-fetch', products: ['productdb'],
    features: ['productdb', 'productdb-enterprise'], end: Number(end),
    emails: { contactPerson: ['ada@example.org', 'bob@example.org'] },
    quota: { enabled: true, metric: 'clusters', limit: 5, alertThresholds: [80, 100] },
    document: new File(['%PDF by typescript-fetch'], 'contract.pdf'),
  });
  const teams = await new TeamApi(configuration).listTeams({ orgname: organization, page: 4, limit: 1 });
  console.log(JSON.stringify({ user, team, contracts, teams }));
}

walk().catch(async (error: { response?: Response }) => {
  console.error(error.response === undefined ? error : await error.response.text());
  process.exitCode = 1;
});
