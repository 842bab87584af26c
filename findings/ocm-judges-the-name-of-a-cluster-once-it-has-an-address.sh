#!/usr/bin/env bash
# Expected: a ManagedCluster may be named eu.west, because cluster-scoped objects of the API server may have dots. If
# Open Cluster Management does not take such a name, its webhook refuses the object when it is created.
# Seen: the webhook takes the name, and takes every update, too, until the cluster has an address in
# managedClusterClientConfigs. From then on each update is refused, because the name cannot be a namespace:
# validateManagedClusterObj returns without its error if there is no address.
# open-cluster-management.io/ocm v1.0.0, k8s.io/apimachinery v0.32.4; seen 2026-12-01. Needs Go; takes minutes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'GO'
package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	webhookv1 "open-cluster-management.io/ocm/pkg/registration/webhook/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func show(who string, err error) {
	if err != nil {
		fmt.Printf("%s: %v\n", who, err)
	} else {
		fmt.Printf("%s: allowed\n", who)
	}
}

func main() {
	webhook := &webhookv1.ManagedClusterWebhook{}
	context := admission.NewContextWithRequest(context.Background(), admission.Request{})
	cluster := &clusterv1.ManagedCluster{ObjectMeta: metav1.ObjectMeta{Name: "eu.west"}}
	// The API server judges names of custom resources by this function.
	fmt.Println("problems of the name for the API server:", len(validation.NameIsDNSSubdomain(cluster.Name, false)))
	_, err := webhook.ValidateCreate(context, cluster)
	show("creation", err)
	labelled := cluster.DeepCopy()
	labelled.Labels = map[string]string{"region": "eu"}
	_, err = webhook.ValidateUpdate(context, cluster, labelled)
	show("new label", err)
	addressed := labelled.DeepCopy()
	addressed.Spec.ManagedClusterClientConfigs = []clusterv1.ClientConfig{{URL: "https://eu.example.org:6443"}}
	_, err = webhook.ValidateUpdate(context, labelled, addressed)
	show("new address", err)
}
GO
go mod init finding >/dev/null 2>&1
go get open-cluster-management.io/ocm@v1.0.0 >/dev/null 2>&1
seen=$(go run -mod=mod . 2>/dev/null)
echo "$seen"
[ "$seen" = 'problems of the name for the API server: 0
creation: allowed
new label: allowed
new address: metadata.name format is not correct: must not contain dots' ]
