{{- define "agent.fullname" -}}
{{- if contains "agent" .Release.Name -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-cluster-agent" .Release.Name | trunc 50 | trimSuffix "-" }}{{- end -}}
{{- end }}

{{- define "agent.selector" -}}
app.kubernetes.io/name: cluster-agent
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "agent.tag" -}}{{ .Values.image.tag | default .Chart.AppVersion }}{{- end }}

{{- define "agent.labels" -}}
{{ include "agent.selector" . }}
app.kubernetes.io/version: {{ include "agent.tag" . | trunc 63 | trimAll "-_." | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "agent.container" -}}
{{- $name := printf "%s/cluster-agent:%s" .Values.image.repository (include "agent.tag" .) }}
{{- /* The digest is in a file of the chart, because `--reuse-values` would keep an old digest in the values. */}}
{{- $digest := .Values.image.digest | default (index (.Files.Get "digests.yaml" | fromYaml) "cluster-agent") -}}
{{- if and $digest (not .Values.image.tag) }}{{ $name = printf "%s@%s" $name $digest }}{{ end }}
{{- with .Values.image.registry }}
{{- $parts := splitList "/" $name }}
{{- if and (gt (len $parts) 1) (regexMatch "[.:]|^localhost$" (first $parts)) }}{{ $name = rest $parts | join "/" }}{{ end }}
{{- $name = printf "%s/%s" . $name }}
{{- end -}}
image: {{ $name | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
resources: {{- toYaml .Values.podResources | nindent 2 }}
{{- end }}

{{/* Fields that all pods have in common. */}}
{{- define "agent.pod" -}}
{{- with .Values.image.pullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{ end -}}
securityContext:
  runAsNonRoot: true
  {{- if eq .Values.podSecurity.userIDs "set" }}
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  {{- end }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The specification of the claim of the state. */}}
{{- define "agent.claim" -}}
accessModes: [ReadWriteOnce]
{{- with .Values.state.storageClassName }}
storageClassName: {{ . | quote }}
{{- end }}
resources: {requests: {storage: {{ .Values.state.size | quote }}}}
{{- end }}
