// Walks the API with the client that oapi-codegen generates from the OpenAPI document. Prints the results as one JSON
// object.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"strconv"

	"platform.example/e2e/oapi-codegen/api"
)

func main() {
	address, token, organization := os.Args[1], os.Args[2], os.Args[3]
	end, err := strconv.ParseInt(os.Args[4], 10, 64)
	must(err)
	call := context.Background()
	client, err := api.NewClientWithResponses(address, api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
	must(err)

	user, err := client.GetUserWithResponse(call)
	must(err)
	if user.JSON200 == nil {
		refused(user.Body)
	}

	permission := api.CreateTeamFieldsPermission("read")
	team, err := client.CreateTeamWithResponse(call, organization, nil, api.CreateTeamJSONRequestBody{
		Name: "By oapi-codegen", Type: "kubernetes", Permission: &permission,
	})
	must(err)
	if team.JSON201 == nil {
		refused(team.Body)
	}

	form, kind := contract(organization, end)
	contracts, err := client.CreateContractsWithBodyWithResponse(call, nil, kind, form)
	must(err)
	if contracts.JSON201 == nil {
		refused(contracts.Body)
	}

	page, limit := int64(4), int64(1)
	teams, err := client.ListTeamsWithResponse(call, organization, &api.ListTeamsParams{Page: &page, Limit: &limit})
	must(err)
	if teams.JSON200 == nil {
		refused(teams.Body)
	}

	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"user": user.JSON200, "team": team.JSON201, "contracts": contracts.JSON201, "teams": teams.JSON200,
	}))
}

// contract makes the form of a contract: oapi-codegen generates types for the parts, but no code that writes them.
func contract(organization string, end int64) (io.Reader, string) {
	people, thresholds := []string{"ada@example.org", "bob@example.org"}, []int32{80, 100}
	enabled, limit, metric := true, 5.0, api.QuotaInputMetric("clusters")
	body := &bytes.Buffer{}
	form := multipart.NewWriter(body)
	for _, field := range [][2]string{
		{"orgOrUser", organization}, {"name", "By oapi-codegen"}, {"products", "productdb"}, {"end", fmt.Sprint(end)},
		{"features", "productdb"}, {"features", "productdb-enterprise"},
	} {
		must(form.WriteField(field[0], field[1]))
	}
	writeJSON(form, "emails", api.EmailsInput{ContactPerson: &people})
	writeJSON(form, "quota", api.QuotaInput{
		Enabled: &enabled, Metric: &metric, Limit: &limit, AlertThresholds: &thresholds,
	})
	document, err := form.CreateFormFile("document", "contract.pdf")
	must(err)
	_, err = document.Write([]byte("%PDF by oapi-codegen"))
	must(err)
	must(form.Close())
	return body, form.FormDataContentType()
}

func writeJSON(form *multipart.Writer, name string, value any) {
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"`, name)},
		"Content-Type":        {"application/json"},
	})
	must(err)
	must(json.NewEncoder(part).Encode(value))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func refused(body []byte) {
	fmt.Fprintln(os.Stderr, string(body))
	os.Exit(1)
}
