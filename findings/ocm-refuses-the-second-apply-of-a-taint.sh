#!/usr/bin/env bash
# Expected: a ManagedCluster with a taint can be written twice by the same manifest (kubectl replace, server-side apply),
# because nothing changes.
# Seen: the webhook of Open Cluster Management notes the time of the creation in the taint. It takes the second write,
# whose manifest has no time, for a change of that time, and refuses it: "It is not allowed to set TimeAdded of Taint".
# A read object whose taint gets another effect and keeps its time is refused by the same words.
# open-cluster-management.io/ocm v1.0.0, k8s.io/apimachinery v0.32.4; seen 2026-12-01. Needs Go; takes minutes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	"open-cluster-management.io/api/feature"
	"open-cluster-management.io/ocm/pkg/features"
	webhookv1 "open-cluster-management.io/ocm/pkg/registration/webhook/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const manifest = `{"apiVersion":"cluster.open-cluster-management.io/v1","kind":"ManagedCluster",
  "metadata":{"name":"east"},"spec":{"taints":[{"key":"gpu","effect":"NoSelect"}]}}`

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Returns what the API server would store.
func write(what string, stored, sent []byte) []byte {
	cluster := &clusterv1.ManagedCluster{}
	must(0, json.Unmarshal(sent, cluster))
	request := admission.Request{}
	request.AdmissionRequest = admissionv1.AdmissionRequest{OldObject: runtime.RawExtension{Raw: stored}}
	webhook := &webhookv1.ManagedClusterWebhook{}
	if err := webhook.Default(admission.NewContextWithRequest(context.Background(), request), cluster); err != nil {
		fmt.Printf("%s: %v\n", what, err)
		return stored
	}
	fmt.Printf("%s: allowed\n", what)
	return must(json.Marshal(cluster))
}

func main() {
	must(0, features.HubMutableFeatureGate.Add(feature.DefaultHubRegistrationFeatureGates))
	stored := write("first", nil, []byte(manifest))
	write("read and written", stored, stored)
	write("second", stored, []byte(manifest))
	var read clusterv1.ManagedCluster
	must(0, json.Unmarshal(stored, &read))
	read.Spec.Taints[0].Effect = clusterv1.TaintEffectPreferNoSelect
	write("other effect", stored, must(json.Marshal(read)))
}
GO
go mod init finding >/dev/null 2>&1
go get open-cluster-management.io/ocm@v1.0.0 >/dev/null 2>&1
seen=$(go run -mod=mod . 2>/dev/null)
echo "$seen"
[ "$seen" = 'first: allowed
read and written: allowed
second: It is not allowed to set TimeAdded of Taint "gpu".
other effect: It is not allowed to set TimeAdded of Taint "gpu".' ]
