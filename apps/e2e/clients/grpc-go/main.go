// Walks the API over gRPC with code generated from the protos of a release. Prints the results as one JSON object.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	orgsv1 "platform.example/e2e/grpc/gen/controlplane/orgs/v1"
)

func main() {
	log.SetFlags(0)
	if err := walk(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func walk(address, token, organization string) error {
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	teams := orgsv1.NewTeamServiceClient(connection)

	name, kind, permission := "By gRPC from Go", "kubernetes", "read"
	team, err := teams.CreateTeam(ctx, &orgsv1.CreateTeamRequest{
		Orgname: organization, Name: &name, Type: &kind, Permission: &permission,
	})
	if err != nil {
		return fmt.Errorf("CreateTeam: %w", err)
	}
	listed, err := teams.ListTeams(ctx, &orgsv1.ListTeamsRequest{Orgname: organization})
	if err != nil {
		return fmt.Errorf("ListTeams: %w", err)
	}
	_, err = teams.GetTeam(ctx, &orgsv1.GetTeamRequest{Teamid: team.GetId() + 1_000_000})
	reason := ""
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			reason = info.GetReason()
		}
	}
	names := []string{}
	for _, one := range listed.GetTeams() {
		names = append(names, one.GetName())
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"team": team.GetId(), "names": names, "reason": reason})
}
