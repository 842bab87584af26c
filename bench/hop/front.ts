// A short hand-written gateway: express, one unary call with a deadline, res.json. It has no logs or metrics.
import { Client, credentials } from '@grpc/grpc-js';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import express from 'express';

const client = new Client(process.argv[2]!, credentials.createInsecure());
const { path, requestSerialize, responseDeserialize } = OrganizationServiceService.getOrganization;

const app = express();
app.use(express.json());
app.get('/api/v1/orgs/:orgname', (request, response) => {
  client.makeUnaryRequest(
    path,
    requestSerialize,
    responseDeserialize,
    { orgname: request.params.orgname },
    { deadline: Date.now() + 30_000 },
    (error, organization) => {
      if (error) {
        response.status(500).json({ message: error.message });
        return;
      }
      response.json({
        id: organization!.id,
        username: organization!.username,
        full_name: organization!.fullName,
        avatar_url: organization!.avatarUrl,
        description: organization!.description,
        website: organization!.website,
        location: organization!.location,
        managerManagementClusterEndPoint: organization!.managerManagementClusterEndPoint,
        visibility: organization!.visibility,
        orgType: organization!.orgType,
      });
    },
  );
});
const server = app.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));
process.on('disconnect', () => process.exit());
