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
