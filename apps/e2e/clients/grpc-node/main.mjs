// Walks the API over gRPC with the unchanged protos of a release. Prints the results as one JSON object.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const grpc = require('@grpc/grpc-js');
const { loadSync } = require('@grpc/proto-loader');

const [address, token, organization] = process.argv.slice(2);
const definition = loadSync('controlplane/orgs/v1/team.proto', { includeDirs: ['protos'], longs: Number, defaults: true });
const { TeamService } = grpc.loadPackageDefinition(definition).controlplane.orgs.v1;
const client = new TeamService(address, grpc.credentials.createInsecure());

function call(method, request) {
  const metadata = new grpc.Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return new Promise((resolve, reject) => {
    client[method](request, metadata, { deadline: Date.now() + 30_000 }, (error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
}

const fields = { name: 'By gRPC from Node', type: 'kubernetes', permission: 'read' };
const team = await call('CreateTeam', { orgname: organization, ...fields });
const { teams } = await call('ListTeams', { orgname: organization });
const refusal = await call('GetTeam', { teamid: team.id + 1_000_000 }).catch((error) => error);

const load = (file) => loadSync(file, { includeDirs: ['protos'] });
const status = load('google/rpc/status.proto')['google.rpc.Status'];
const { details: [detail] } = status.deserialize(refusal.metadata.get('grpc-status-details-bin')[0]);
const { reason } = load('google/rpc/error_details.proto')['google.rpc.ErrorInfo'].deserialize(detail.value);
console.log(JSON.stringify({ team: team.id, names: teams.map((one) => one.name), reason }));
client.close();
