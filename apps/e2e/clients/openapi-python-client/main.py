"""Walks the API with the client that openapi-python-client makes of the document. Prints what it got as one JSON object."""

import json
import sys
from io import BytesIO

from client import AuthenticatedClient
from client.api.contract import create_contracts
from client.api.team import create_team, list_teams
from client.api.user import get_user
from client.models import (
    CreateContractsForm,
    CreateTeamFields,
    CreateTeamFieldsPermissionType0,
    CreateTeamFieldsType,
    EmailsInput,
    QuotaInput,
    QuotaInputMetricType0,
)
from client.types import File

address, token, organization, end = sys.argv[1:5]


def answered(response, status=200):
    if response.status_code != status:
        sys.exit(response.content.decode())
    return response.parsed


with AuthenticatedClient(base_url=address, token=token) as client:
    user = answered(get_user.sync_detailed(client=client))
    team = answered(
        create_team.sync_detailed(
            organization,
            client=client,
            body=CreateTeamFields(
                name="By openapi-python-client",
                type_=CreateTeamFieldsType.KUBERNETES,
                permission=CreateTeamFieldsPermissionType0.READ,
            ),
        ),
        201,
    )
    contracts = answered(
        create_contracts.sync_detailed(
            client=client,
            body=CreateContractsForm(
                org_or_user=organization,
                name="By openapi-python-client",
                products=["productdb"],
                features=["productdb", "productdb-enterprise"],
                end=int(end),
                emails=EmailsInput(contact_person=["ada@example.org", "bob@example.org"]),
                quota=QuotaInput(
                    enabled=True,
                    metric=QuotaInputMetricType0.CLUSTERS,
                    limit=5,
                    alert_thresholds=[80, 100],
                ),
                document=File(
                    payload=BytesIO(b"%PDF by openapi-python-client"),
                    file_name="contract.pdf",
                    mime_type="application/octet-stream",
                ),
            ),
        ),
        201,
    )
    teams = answered(list_teams.sync_detailed(organization, client=client, page=4, limit=1))

print(
    json.dumps(
        {
            "user": user.to_dict(),
            "team": team.to_dict(),
            "contracts": [contract.to_dict() for contract in contracts],
            "teams": [team.to_dict() for team in teams],
        }
    )
)
