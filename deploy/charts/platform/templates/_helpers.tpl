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

{{/* Pod Security `restricted`, for our images: (list context id) */}}
{{- define "platform.podSecurity" -}}
{{- $root := index . 0 -}}{{- $id := index . 1 -}}
runAsNonRoot: true
{{- if eq $root.Values.podSecurity.userIDs "set" }}
runAsUser: {{ $id }}
runAsGroup: {{ $id }}
fsGroup: {{ $id }}
{{- end }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "platform.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/*
The digest of an image: (list context name). Empty if the user sets a tag. The digests of a release are in a file of the
chart, because `helm upgrade --reuse-values` would keep old digests in the values.
*/}}
{{- define "platform.digest" -}}
{{- $root := index . 0 -}}
{{- if not $root.Values.image.tag -}}
{{- $released := $root.Files.Get "digests.yaml" | fromYaml -}}
{{- with index $root.Values.image.digests (index . 1) | default (index $released (index . 1)) }}{{ . }}{{ end -}}
{{- end -}}
{{- end }}

{{/* The name of an image: (list context name) */}}
{{- define "platform.imageName" -}}
{{- $root := index . 0 -}}
{{- $name := printf "%s/%s:%s" $root.Values.image.repository (index . 1) (include "platform.tag" $root) -}}
{{- with include "platform.digest" . }}{{ $name = printf "%s@%s" $name . }}{{ end -}}
{{- include "platform.mirrored" (list $root $name) -}}
{{- end }}

{{/*
The image of a server, which may be a public image: (list context name). An image of a release is named by its digest,
without a tag, so that an upgrade restarts a server only if the image changes.
*/}}
{{- define "platform.serverImage" -}}
{{- $root := index . 0 -}}{{- $server := index . 1 -}}
{{- $image := (index $root.Values $server).image -}}
{{- $digest := include "platform.digest" . -}}
{{- if $image -}}
{{- include "platform.mirrored" (list $root $image) -}}
{{- else if $digest -}}
{{- include "platform.mirrored" (list $root (printf "%s/%s@%s" $root.Values.image.repository $server $digest)) -}}
{{- else -}}
{{- include "platform.imageName" . -}}
{{- end -}}
{{- end }}

{{/* The name of an image in the registry of the values: (list context name) */}}
{{- define "platform.mirrored" -}}
{{- $root := index . 0 -}}{{- $name := index . 1 -}}
{{- with $root.Values.image.registry -}}
{{- $parts := splitList "/" $name -}}
{{- if and (gt (len $parts) 1) (regexMatch "[.:]|^localhost$" (first $parts)) }}{{ $name = rest $parts | join "/" }}{{ end -}}
{{- printf "%s/%s" . $name -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end }}

{{- define "platform.image" -}}
{{- $root := index . 0 -}}
image: {{ include "platform.imageName" . | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
{{- end }}

{{- define "platform.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The priority of a pod: (list context priorityClassName) */}}
{{- define "platform.priority" -}}
{{- with index . 1 | default (index . 0).Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}

{{/* Authorities: whether the values name them, and the variable, the mount and the volume of their file. */}}
{{- define "platform.hasAuthorities" -}}
{{- if or .Values.authorities.configMap .Values.authorities.secret }}true{{ end -}}
{{- end }}

{{- define "platform.authoritiesEnv" -}}
{{- if include "platform.hasAuthorities" . }}
- {name: NODE_EXTRA_CA_CERTS, value: /run/platform/authorities/ca.crt}
{{- end }}
{{- end }}

{{- define "platform.authoritiesMount" -}}
{{- if include "platform.hasAuthorities" . }}
- {name: authorities, mountPath: /run/platform/authorities, readOnly: true}
{{- end }}
{{- end }}

{{- define "platform.authoritiesVolume" -}}
{{- with .Values.authorities }}
{{- $items := list (dict "key" .key "path" "ca.crt") }}
{{- if .configMap }}
- name: authorities
  configMap: {name: {{ .configMap | quote }}, items: {{ toJson $items }}}
{{- else if .secret }}
- name: authorities
  secret: {secretName: {{ .secret | quote }}, defaultMode: 0440, items: {{ toJson $items }}}
{{- end }}
{{- end }}
{{- end }}

{{/* Variables of the egress proxy. Services of this namespace have names without dots and need no proxy. */}}
{{- define "platform.proxyEnv" -}}
{{- with .Values.proxy.url }}
{{- $full := include "platform.fullname" $ }}
{{- $direct := list "localhost" "127.0.0.1" "::1" ".svc" ".cluster.local" }}
{{- range include "platform.rows" $ | fromYamlArray }}{{ $direct = append $direct (printf "%s-%s" $full .name) }}{{ end }}
{{- range list "nats" "openfga" }}{{ $direct = append $direct (printf "%s-%s" $full .) }}{{ end }}
- {name: NODE_USE_ENV_PROXY, value: '1'}
- {name: HTTPS_PROXY, value: {{ . | quote }}}
- {name: HTTP_PROXY, value: {{ . | quote }}}
- {name: NO_PROXY, value: {{ concat $direct $.Values.proxy.noProxy | join "," | quote }}}
{{- end }}
{{- end }}

{{/* Variables with the addresses that a service listens on; none if its image sets the same: (list context row) */}}
{{- define "platform.listen" -}}
{{- $row := index . 1 -}}
{{- $address := (index . 0).Values.listenAddress -}}
{{- if ne $address "0.0.0.0" }}
- {name: PLATFORM_ADMIN_LISTEN, value: '[{{ $address }}]:9090'}
{{- if $row.http }}
- {name: PLATFORM_HTTP_HOST, value: {{ $address | quote }}}
{{- else }}
- {name: PLATFORM_GRPC_LISTEN, value: '[{{ $address }}]:8081'}
{{- end }}
{{- with $row.passes }}
- {name: {{ .listen }}, value: {{ eq .listen "PLATFORM_HTTP_HOST" | ternary $address (printf "[%s]:%v" $address .port) | quote }}}
{{- end }}
{{- end }}
{{- end }}

{{- define "platform.natsURL" -}}
{{- if .Values.nats.inChart -}}nats://{{ include "platform.fullname" . }}-nats:4222{{- else -}}{{ .Values.nats.url }}{{- end -}}
{{- end }}

{{/* The port of PostgreSQL in the form of a policy rule. */}}
{{- define "platform.postgresPorts" -}}[{port: {{ .Values.postgres.inChart | ternary 5432 (int .Values.postgres.port) }}}]{{- end }}

{{- define "platform.openfgaURL" -}}
{{- if .Values.openfga.inChart -}}http://{{ include "platform.fullname" . }}-openfga:8080{{- else -}}{{ .Values.openfga.url }}{{- end -}}
{{- end }}

{{- define "platform.baseURL" -}}
{{- .Values.baseURL | default (printf "%s://%s-gateway.%s.svc" (ternary "https" "http" (ne .Values.gateway.tlsSecret "")) (include "platform.fullname" .) .Release.Namespace) -}}
{{- end }}

{{/* The parts for which the set-up Job writes a Secret. */}}
{{- define "platform.madeSecrets" -}}
{{- $parts := list "state" "cli" -}}
{{- range include "platform.rows" . | fromYamlArray -}}{{ $parts = append $parts .name }}{{- end -}}
{{- if .Values.postgres.inChart -}}{{ $parts = append $parts "postgres" }}{{- end -}}
{{- if .Values.nats.inChart -}}{{ $parts = append $parts "nats" }}{{- end -}}
{{- if .Values.openfga.inChart -}}{{ $parts = append $parts "openfga" }}{{- end -}}
{{- $parts | toYaml -}}
{{- end }}

{{/* Volume with the token of the pod's ServiceAccount, with the file names that clients in a pod expect. */}}
{{- define "platform.tokenVolume" -}}
- name: token
  projected:
    defaultMode: 0440
    sources:
      - serviceAccountToken: {path: token, expirationSeconds: 3600}
      - configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}
      - downwardAPI: {items: [{path: namespace, fieldRef: {fieldPath: metadata.namespace}}]}
{{- end }}

{{/*
The claims of the release, as YAML. `values` names the chart value for each field of a claim. Claims of servers have the
names that a claim template of a StatefulSet would give them.
*/}}
{{- define "platform.claims" -}}
{{- $full := include "platform.fullname" . -}}
{{- $claims := list -}}
{{- if and (not .Values.ephemeral) (eq .Values.files.store "volume") -}}
{{- range $row := include "platform.rows" . | fromYamlArray -}}
{{- if $row.files -}}
{{- with $.Values.files.volume -}}
{{- $spec := dict "accessModes" (list .accessMode) "resources" (dict "requests" (dict "storage" .size)) -}}
{{- if .storageClassName -}}{{ $spec = set $spec "storageClassName" .storageClassName }}{{- end -}}
{{- $values := dict "accessModes" "files.volume.accessMode" "storageClassName" "files.volume.storageClassName" "storage" "files.volume.size" -}}
{{- $claims = append $claims (dict "name" (printf "%s-%s-files" $full $row.name) "component" $row.name "spec" $spec "values" $values) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $server := list "postgres" "nats" -}}
{{- with index $.Values $server -}}
{{- if and .inChart (not $.Values.ephemeral) -}}
{{- $spec := dict "accessModes" (list "ReadWriteOnce") "resources" (dict "requests" (dict "storage" .storage)) -}}
{{- $values := dict "storage" (printf "%s.storage" $server) -}}
{{- $claims = append $claims (dict "name" (printf "data-%s-%s-0" $full $server) "component" $server "spec" $spec "values" $values) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $claims | toYaml -}}
{{- end }}

{{/* The ports of comma-separated URLs in the form of a policy rule. A URL without a port has its scheme's default. */}}
{{- define "platform.portsOf" -}}
{{- $usual := dict "http" "80" "https" "443" -}}
{{- $ports := list -}}
{{- range splitList "," . -}}
{{- $url := urlParse . -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (index $usual $url.scheme) | default "4222" -}}
{{- $ports = append $ports (printf "{port: %s}" $port) -}}
{{- end -}}
[{{ $ports | uniq | join ", " }}]
{{- end }}

{{/* A rule that permits calls to a server: (list context name inChart ports) */}}
{{- define "platform.toServer" -}}
{{- $root := index . 0 -}}
- ports: {{ index . 3 }}
  {{- if index . 2 }}
  to:
    - podSelector:
        matchLabels: {{- include "platform.selector" (list $root (index . 1)) | nindent 10 }}
  {{- else }}
  to: {{- include "platform.peers" (list $root $root.Values.networkPolicy.serversTo) | nindent 4 }}
  {{- end }}
{{- end }}

{{/* Peers of an egress rule: the given peers, else the peers of `platform.outside`: (list context given) */}}
{{- define "platform.peers" -}}
{{- with index . 1 }}{{ toYaml . }}{{ else }}{{ include "platform.outside" (index . 0) }}{{ end }}
{{- end }}

{{- /* Peers of services that call addresses of customers. The lists below contain `metadata` of libs/outbound. */}}
{{- define "platform.outside" -}}
{{- with .Values.networkPolicy.outsideTo }}
{{- toYaml . }}
{{- else }}
{{- $four := list "169.254.0.0/16" "100.100.100.200/32" "168.63.129.16/32" "192.0.0.192/32" }}
{{- $six := list "fe80::/10" "fd00:ec2::/32" "fd20:ce::254/128" }}
{{- range .Values.clusterNetworks }}
{{- if contains ":" . }}{{ $six = append $six . }}{{ else }}{{ $four = append $four . }}{{ end }}
{{- end }}
{{- toYaml (list
  (dict "ipBlock" (dict "cidr" "0.0.0.0/0" "except" $four))
  (dict "ipBlock" (dict "cidr" "::/0" "except" $six))) }}
{{- end }}
{{- end }}
