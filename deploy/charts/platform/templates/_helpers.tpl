{{/* Prefix of the names of all objects; does not repeat `platform`. */}}
{{- define "platform.fullname" -}}
{{- $name := .Release.Name -}}
{{- if not (contains "platform" $name) }}{{ $name = printf "%s-platform" $name }}{{ end -}}
{{- /* The name of a Service must begin with a letter. */ -}}
{{- if regexMatch "^[0-9]" $name }}{{ $name = printf "r%s" $name }}{{ end -}}
{{- $name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Name of the Service whose name resolves to all pods of a service: (list context name). At most 63 characters. */}}
{{- define "platform.headless" -}}
{{ include "platform.fullname" (index . 0) | trunc 32 | trimSuffix "-" }}-{{ index . 1 }}-headless
{{- end }}

{{- define "platform.tag" -}}{{ .Values.image.tag | default .Chart.AppVersion }}{{- end }}

{{/* Labels that select the pods of one part: (list context part) */}}
{{- define "platform.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: platform
app.kubernetes.io/instance: {{ $root.Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 | quote }}
{{- end }}

{{/* All labels of one part: (list context part) */}}
{{- define "platform.labels" -}}
{{- $root := index . 0 -}}
{{ include "platform.selector" . }}
app.kubernetes.io/part-of: platform
app.kubernetes.io/version: {{ include "platform.tag" $root | trunc 63 | trimAll "-_." | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end }}

{{/* The rows of services.yaml that this deployment type runs, as YAML. */}}
{{- define "platform.rows" -}}
{{- $type := .Values.deploymentType -}}
{{- $rows := list -}}
{{- range .Files.Get "services.yaml" | fromYamlArray -}}
{{- if or (not .types) (has $type .types) -}}{{ $rows = append $rows . }}{{- end -}}
{{- end -}}
{{- $rows | toYaml -}}
{{- end }}

{{/* Values of one service: `workload`, overridden by `services.<name>`: (list context name) */}}
{{- define "platform.workload" -}}
{{- $root := index . 0 -}}
{{- $own := index $root.Values.services (index . 1) | default dict -}}
{{- mustMergeOverwrite (deepCopy $root.Values.workload) (deepCopy $own) | toYaml -}}
{{- end }}

{{/* `true` for a service whose files are on a volume that only one node at a time may use: (list context row) */}}
{{- define "platform.single" -}}
{{- $root := index . 0 -}}{{- $row := index . 1 -}}
{{- with $root.Values.files -}}
{{- if and $row.files (eq .store "volume") (or $root.Values.ephemeral (eq .volume.accessMode "ReadWriteOnce")) -}}true{{- end -}}
{{- end -}}
{{- end }}

{{/* `true` for a service with an autoscaler: (list context row) */}}
{{- define "platform.scaled" -}}
{{- $root := index . 0 -}}{{- $row := index . 1 -}}
{{- $workload := include "platform.workload" (list $root $row.name) | fromYaml -}}
{{- if and $workload.autoscaling.enabled (not (include "platform.single" .)) -}}true{{- end -}}
{{- end }}

{{/* Pods of a service that is not scaled: (list context row) */}}
{{- define "platform.replicas" -}}
{{- if include "platform.single" . -}}1{{- else -}}{{ (include "platform.workload" (list (index . 0) (index . 1).name) | fromYaml).replicas }}{{- end -}}
{{- end }}

{{/*
The affinity of a service: (list context row affinity). If only one node at a time may use its volume, an upgrade
must start the new pod on the node of the old one.
*/}}
{{- define "platform.affinity" -}}
{{- $root := index . 0 -}}{{- $row := index . 1 -}}{{- $affinity := index . 2 -}}
{{- if and (include "platform.single" (list $root $row)) (not $root.Values.ephemeral) -}}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" (include "platform.selector" (list $root $row.name) | fromYaml)) -}}
{{- $required := "requiredDuringSchedulingIgnoredDuringExecution" -}}
{{- $pods := $affinity.podAffinity | default dict -}}
{{- $terms := append (index $pods $required | default list) $term -}}
{{- $affinity = set $affinity "podAffinity" (set $pods $required $terms) -}}
{{- end -}}
{{- $affinity | toYaml -}}
{{- end }}

{{/* Whether the user provides a key of a Secret: (list context key) */}}
{{- define "platform.given" -}}
{{- $root := index . 0 -}}
{{- if and $root.Values.secrets.given.name (has (index . 1) $root.Values.secrets.given.keys) -}}true{{- end -}}
{{- end }}

{{/* Key of a secret setting in a Secret: (list key service). Database URL and bus user differ between services. */}}
{{- define "platform.secretKey" -}}
{{- $key := index . 0 -}}
{{- if has $key (list "postgres.url" "nats.credentials") -}}{{ printf "%s.%s" $key (index . 1) }}{{- else -}}{{ $key }}{{- end -}}
{{- end }}

{{/* The keys of the given Secret that a service reads, as items of a volume: (list context row) */}}
{{- define "platform.givenItems" -}}
{{- $root := index . 0 -}}{{- $row := index . 1 -}}
{{- $items := list -}}
{{- range $key, $variable := $row.secrets -}}
{{- $name := include "platform.secretKey" (list $key $row.name) -}}
{{- if include "platform.given" (list $root $name) -}}{{ $items = append $items (dict "key" $name "path" $key) }}{{- end -}}
{{- end -}}
{{- $items | toYaml -}}
{{- end }}
