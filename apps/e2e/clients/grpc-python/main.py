"""Walks the API over gRPC with code that is generated from the protos of a release. Prints what it got as one JSON object."""

import json
import sys

import grpc
from grpc_status import rpc_status
from google.rpc import error_details_pb2

from controlplane.orgs.v1 import team_pb2, team_pb2_grpc

address, token, organization = sys.argv[1:4]
caller = {"metadata": (("authorization", f"Bearer {token}"),), "timeout": 30}

with grpc.insecure_channel(address) as channel:
    teams = team_pb2_grpc.TeamServiceStub(channel)
    team = teams.CreateTeam(
        team_pb2.CreateTeamRequest(
            orgname=organization, name="By gRPC from Python", type="kubernetes", permission="read"
        ),
        **caller,
    )
    listed = teams.ListTeams(team_pb2.ListTeamsRequest(orgname=organization), **caller)
    reason = ""
    try:
        teams.GetTeam(team_pb2.GetTeamRequest(teamid=team.id + 1_000_000), **caller)
    except grpc.RpcError as error:
        for detail in rpc_status.from_call(error).details:
            info = error_details_pb2.ErrorInfo()
            if detail.Unpack(info):
                reason = info.reason

print(json.dumps({"team": team.id, "names": [one.name for one in listed.teams], "reason": reason}))
