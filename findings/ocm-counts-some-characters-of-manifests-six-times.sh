#!/usr/bin/env bash
# Expected: Open Cluster Management takes manifests of up to 500 KiB in a ManifestWork, by the size of the JSON that a
# client sends.
# Seen: its webhook counts the JSON that the API server sends to it. The JSON of Go writes each <, > and & as an escape
# of six bytes, so a ConfigMap with 100 KiB of such characters is refused for more than 500 KiB, though the object is
# far below the limits of the API server and of etcd (3 MiB and 1.5 MiB). 400 KiB of letters are allowed.
# open-cluster-management.io/ocm v1.0.0, k8s.io/apimachinery v0.32.4; seen 2026-12-01. Needs Go; takes minutes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'GO'
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"open-cluster-management.io/api/feature"
	workv1 "open-cluster-management.io/api/work/v1"
	"open-cluster-management.io/ocm/pkg/features"
	webhookv1 "open-cluster-management.io/ocm/pkg/work/webhook/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The API server holds an object of a custom resource as unstructured, and sends it to webhooks in this way.
func reviewOf(work string) []byte {
	held := &unstructured.Unstructured{}
	must(0, held.UnmarshalJSON([]byte(work)))
	review := admissionv1.AdmissionReview{Request: &admissionv1.AdmissionRequest{
		UID: "1", Operation: admissionv1.Create, Object: runtime.RawExtension{Object: held}}}
	review.APIVersion, review.Kind = "admission.k8s.io/v1", "AdmissionReview"
	return must(json.Marshal(review))
}

func verdictOf(webhook http.Handler, work string) string {
	request := httptest.NewRequest("POST", "/", bytes.NewReader(reviewOf(work)))
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	webhook.ServeHTTP(answer, request)
	var review admissionv1.AdmissionReview
	must(0, json.Unmarshal(answer.Body.Bytes(), &review))
	if review.Response.Allowed {
		return "allowed"
	}
	return review.Response.Result.Message
}

func main() {
	must(0, features.HubMutableFeatureGate.Add(feature.DefaultHubWorkFeatureGates))
	scheme := runtime.NewScheme()
	must(0, workv1.Install(scheme))
	webhook := admission.WithCustomValidator(scheme, &workv1.ManifestWork{}, &webhookv1.ManifestWorkWebhook{})
	for _, text := range []string{strings.Repeat("a", 400*1024), strings.Repeat("<", 100*1024)} {
		work := `{"apiVersion":"work.open-cluster-management.io/v1","kind":"ManifestWork",` +
			`"metadata":{"name":"pages","namespace":"spoke"},"spec":{"workload":{"manifests":[` +
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"page","namespace":"default"},` +
			`"data":{"page":"` + text + `"}}]}}}`
		fmt.Printf("%d KiB: %s\n", len(work)/1024, verdictOf(webhook, work))
	}
}
GO
go mod init finding >/dev/null 2>&1
go get open-cluster-management.io/ocm@v1.0.0 >/dev/null 2>&1
seen=$(go run -mod=mod . 2>/dev/null)
echo "$seen"
[ "$seen" = '400 KiB: allowed
100 KiB: the size of manifests is 614510 bytes which exceeds the 512000 limit' ]
