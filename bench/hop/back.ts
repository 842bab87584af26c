// The gRPC server of the hop. With a PostgreSQL URL as its argument, it runs one prepared query per call. Without an
// argument, it runs no query.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { type Organization, OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import pg from 'pg';

const pool = process.argv[2] ? new pg.Pool({ connectionString: process.argv[2], max: 10 }) : undefined;
const text = `select a.id, a.name, a.full_name, a.avatar, a.description, a.website, a.location, o.manager_endpoint,
  o.visibility, o.org_type from account a join organization o using (id) where lower(a.name collate "C") = lower($1)`;

async function read(orgname: string): Promise<Organization> {
  const row = pool
    ? (await pool.query({ name: 'organization', text, values: [orgname] })).rows[0]
    : { id: '1', name: orgname, full_name: '', avatar: 'x'.repeat(32), description: '', website: '', location: '',
        manager_endpoint: '', visibility: 'public', org_type: 0 };
  return {
    id: Number(row.id),
    username: row.name,
    fullName: row.full_name,
    avatarUrl: `http://127.0.0.1/avatars/${row.avatar}`,
    description: row.description,
    website: row.website,
    location: row.location,
    managerManagementClusterEndPoint: row.manager_endpoint,
    visibility: row.visibility,
    orgType: row.org_type,
  };
}

const server = new Server();
server.addService({ getOrganization: OrganizationServiceService.getOrganization }, {
  getOrganization: (
    call: { request: { orgname: string } },
    callback: (error: Error | null, value?: Organization) => void,
  ) =>
    void read(call.request.orgname).then((value) => callback(null, value), callback),
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send!({ port });
});
process.on('disconnect', () => process.exit());
