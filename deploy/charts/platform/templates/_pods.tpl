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
