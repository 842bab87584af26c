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
{{- if and .Values.image.digest (not .Values.image.tag) }}{{ $name = printf "%s@%s" $name .Values.image.digest }}{{ end }}
image: {{ $name | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
resources: {{- toYaml .Values.podResources | nindent 2 }}
{{- end }}
