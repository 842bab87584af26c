// Walks organizations, members, teams and accounts of a platform with Gitea's Go SDK, and prints the result of each
// step in one JSON object. The expected results are in src/clients/gitea-sdk.spec.ts.
//
// Arguments: base URL, token of an owner, name of the organization to make, name and token of another user, token of a
// site admin.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"code.gitea.io/sdk/gitea"
)

type walk map[string]any

func (w walk) note(step string, value any, err error) {
	if err != nil {
		value = "error: " + err.Error()
	}
	w[step] = value
}

func main() {
	baseURL, token, organization, friend, friendToken := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	// NewClient asks for the version first, and refuses a server below 1.11.0.
	owner, err := gitea.NewClient(baseURL, gitea.SetToken(token))
	exitOn(err)
	other, err := gitea.NewClient(baseURL, gitea.SetToken(friendToken))
	exitOn(err)
	siteAdmin, err := gitea.NewClient(baseURL, gitea.SetToken(os.Args[6]))
	exitOn(err)

	w := walk{}
	version, _, err := owner.ServerVersion()
	w.note("version", version, err)
	w.organizations(owner, organization)
	w.teams(owner, baseURL, token, organization)
	w.members(owner, other, organization, friend)
	w.accounts(owner, siteAdmin, friend)
	_, err = owner.DeleteOrg(organization)
	w.note("delete organization", "deleted", err)
	_, response, _ := owner.GetOrg(organization)
	w["get deleted organization"] = response.StatusCode
	exitOn(json.NewEncoder(os.Stdout).Encode(w))
}

func (w walk) organizations(owner *gitea.Client, name string) {
	created, _, err := owner.CreateOrg(gitea.CreateOrgOption{
		Name: name, FullName: "Walked", Description: "By an SDK.", Website: "https://example.org", Location: "Here",
		Visibility: gitea.VisibleTypePublic,
	})
	w.note("create organization", created, err)
	_, err = owner.EditOrg(name, gitea.EditOrgOption{
		FullName: "Walked again", Location: "There", Visibility: gitea.VisibleTypeLimited,
	})
	w.note("edit organization", "edited", err)
	read, _, err := owner.GetOrg(name)
	w.note("get organization", read, err)
}

func (w walk) teams(owner *gitea.Client, baseURL, token, organization string) {
	_, response, err := owner.CreateTeam(organization, gitea.CreateTeamOption{
		Name: "typeless", Permission: gitea.AccessModeRead, Units: []gitea.RepoUnitType{gitea.RepoUnitCode},
	})
	w["create team without a type"] = map[string]any{"status": response.StatusCode, "refused": err != nil}
	// The SDK cannot send a type, so this step is a plain request.
	request, err := http.NewRequest("POST", baseURL+"/api/v1/orgs/"+organization+"/teams",
		strings.NewReader(`{"name": "walkers", "type": "kubernetes", "permission": "read"}`))
	exitOn(err)
	request.Header.Set("Authorization", "token "+token)
	request.Header.Set("Content-Type", "application/json")
	plain, err := http.DefaultClient.Do(request)
	exitOn(err)
	team := gitea.Team{}
	exitOn(json.NewDecoder(plain.Body).Decode(&team))
	w.note("create team", team, nil)

	description := "They walk."
	_, err = owner.EditTeam(team.ID, gitea.EditTeamOption{
		Name: "runners", Description: &description, Permission: gitea.AccessModeWrite,
	})
	w.note("edit team", "edited", err)
	read, _, err := owner.GetTeam(team.ID)
	w.note("get team", read, err)
	// Default list options send page=1&limit=0.
	all, _, err := owner.ListOrgTeams(organization, gitea.ListTeamsOptions{})
	w.note("list teams", namesOf(all), err)
	page, response, err := owner.ListOrgTeams(organization, gitea.ListTeamsOptions{
		ListOptions: gitea.ListOptions{Page: 2, PageSize: 3},
	})
	w.note("second page of teams", namesOf(page), err)
	w["last page of teams"] = map[string]int{"first": response.FirstPage, "previous": response.PrevPage}
}

func (w walk) members(owner, other *gitea.Client, organization, friend string) {
	all, _, err := owner.ListOrgTeams(organization, gitea.ListTeamsOptions{})
	exitOn(err)
	team := all[len(all)-1].ID
	isMember, _, err := owner.CheckOrgMembership(organization, friend)
	w.note("is a member before", isMember, err)
	_, err = owner.AddTeamMember(team, friend)
	w.note("add team member", "added", err)
	members, _, err := owner.ListTeamMembers(team, gitea.ListTeamMembersOptions{})
	w.note("list team members", loginsOf(members), err)
	member, _, err := owner.GetTeamMember(team, friend)
	w.note("get team member", member, err)
	isMember, _, err = owner.CheckOrgMembership(organization, friend)
	w.note("is a member", isMember, err)
	members, _, err = owner.ListOrgMembership(organization, gitea.ListOrgMembershipOption{})
	w.note("list members", loginsOf(members), err)
	_, err = other.SetPublicOrgMembership(organization, friend, true)
	w.note("show membership", "shown", err)
	isPublic, _, err := owner.CheckPublicOrgMembership(organization, friend)
	w.note("is a public member", isPublic, err)
	members, _, err = owner.ListPublicOrgMembership(organization, gitea.ListOrgMembershipOption{})
	w.note("list public members", loginsOf(members), err)
	_, err = other.SetPublicOrgMembership(organization, friend, false)
	w.note("hide membership", "hidden", err)
	_, err = owner.RemoveTeamMember(team, friend)
	w.note("remove team member", "removed", err)
	isMember, _, err = owner.CheckOrgMembership(organization, friend)
	w.note("is a member afterwards", isMember, err)
	_, err = owner.AddTeamMember(team, friend)
	w.note("add team member again", "added", err)
	_, err = owner.DeleteOrgMembership(organization, friend)
	w.note("remove member", "removed", err)
	_, err = owner.DeleteTeam(team)
	w.note("delete team", "deleted", err)
}

func (w walk) accounts(owner, siteAdmin *gitea.Client, friend string) {
	own, _, err := owner.GetMyUserInfo()
	w.note("own user", own, err)
	organizations, _, err := owner.ListMyOrgs(gitea.ListOrgsOptions{})
	w.note("own organizations", organizations, err)
	found, _, err := owner.SearchUsers(gitea.SearchUsersOption{KeyWord: friend[:3]})
	w.note("search users", loginsOf(found), err)
	created, _, err := siteAdmin.AdminCreateUser(gitea.CreateUserOption{
		Username: "gopher", Email: "gopher@example.org", FullName: "Gopher", Password: "ignored",
	})
	w.note("create user", created, err)
	prohibited, fullName := true, "Gopher G."
	_, err = siteAdmin.AdminEditUser("gopher", gitea.EditUserOption{
		LoginName: "gopher", FullName: &fullName, ProhibitLogin: &prohibited,
	})
	w.note("edit user", "edited", err)
	users, _, err := siteAdmin.AdminListUsers(gitea.AdminListUsersOptions{Query: "gopher"})
	w.note("list users", users, err)
	all, _, err := siteAdmin.AdminListOrgs(gitea.AdminListOrgsOptions{})
	w.note("list organizations", all, err)
	response, err := owner.AdminDeleteUser("gopher")
	w["delete user as somebody else"] = map[string]any{"status": response.StatusCode, "refused": err != nil}
	_, err = siteAdmin.AdminDeleteUser("gopher")
	w.note("delete user", "deleted", err)
}

func namesOf(teams []*gitea.Team) []string {
	names := []string{}
	for _, team := range teams {
		names = append(names, team.Name)
	}
	return names
}

func loginsOf(users []*gitea.User) []string {
	logins := []string{}
	for _, user := range users {
		logins = append(logins, user.UserName)
	}
	return logins
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
