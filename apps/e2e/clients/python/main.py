"""Walks the API with the client that openapi-generator makes of the document. Prints what it got as one JSON object."""

import json
import sys

from openapi_client import ApiClient, ApiException, Configuration, ContractApi, TeamApi, UserApi
from openapi_client.models import CreateTeamFields, EmailsInput, QuotaInput

address, token, organization, end = sys.argv[1:5]

with ApiClient(Configuration(host=address, access_token=token)) as client:
    try:
        user = UserApi(client).get_user()
        team = TeamApi(client).create_team(
            organization, CreateTeamFields(name="By python", type="kubernetes", permission="read")
        )
        contracts = ContractApi(client).create_contracts(
            org_or_user=organization,
            name="By python",
            products=["productdb"],
            features=["productdb", "productdb-enterprise"],
            end=int(end),
            emails=EmailsInput(contactPerson=["ada@example.org", "bob@example.org"]),
            quota=QuotaInput(enabled=True, metric="clusters", limit=5, alertThresholds=[80, 100]),
            document=("contract.pdf", b"%PDF by python"),
        )
        teams = TeamApi(client).list_teams(organization, page=4, limit=1)
    except ApiException as error:
        sys.exit(str(error.body))

print(
    json.dumps(
        {
            "user": json.loads(user.to_json()),
            "team": json.loads(team.to_json()),
            "contracts": [json.loads(one.to_json()) for one in contracts],
            "teams": [json.loads(one.to_json()) for one in teams],
        }
    )
)
