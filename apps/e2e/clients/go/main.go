// Walks the API with the client that openapi-generator generates from the OpenAPI document. Prints the results as one
// JSON object.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	"platform.example/e2e/go/api"
)

func main() {
	address, token, organization := os.Args[1], os.Args[2], os.Args[3]
	end, err := strconv.ParseInt(os.Args[4], 10, 64)
	must(err)
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: address}}
	client := api.NewAPIClient(configuration)
	call := context.WithValue(context.Background(), api.ContextAccessToken, token)

	user, _, err := client.UserAPI.GetUser(call).Execute()
	must(err)

	fields := api.NewCreateTeamFields("By go", "kubernetes")
	fields.SetPermission("read")
	team, _, err := client.TeamAPI.CreateTeam(call, organization).CreateTeamFields(*fields).Execute()
	must(err)

	document, err := os.Create("contract.pdf")
	must(err)
	_, err = document.WriteString("%PDF by go")
	must(err)
	_, err = document.Seek(0, 0)
	must(err)
	emails, quota := api.NewEmailsInput(), api.NewQuotaInput()
	emails.SetContactPerson([]string{"ada@example.org", "bob@example.org"})
	quota.SetEnabled(true)
	quota.SetMetric("clusters")
	quota.SetLimit(5)
	quota.SetAlertThresholds([]int32{80, 100})
	contracts, _, err := client.ContractAPI.CreateContracts(call).OrgOrUser(organization).Name("By go").
		Products([]string{"productdb"}).Features([]string{"productdb", "productdb-enterprise"}).End(end).
		Emails(*emails).Quota(*quota).Document(document).Execute()
	must(err)

	teams, _, err := client.TeamAPI.ListTeams(call, organization).Page(4).Limit(1).Execute()
	must(err)

	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"user": user, "team": team, "contracts": contracts, "teams": teams,
	}))
}

func must(err error) {
	if err == nil {
		return
	}
	var refused *api.GenericOpenAPIError
	if errors.As(err, &refused) {
		fmt.Fprintln(os.Stderr, string(refused.Body()))
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
