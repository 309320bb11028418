{{- define "topo-collector.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "topo-collector.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "topo-collector.name" .) -}}
{{- end -}}

{{- define "topo-collector.labels" -}}
app.kubernetes.io/name: topo-collector
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* The services whose proxy is read, as NAMESPACE/SERVICE:PORT: each gets a role in its own namespace. */}}
{{- define "topo-collector.targets" -}}
{{- $targets := list -}}
{{- if eq .Values.collector.unit "gpu" -}}
{{- range list .Values.collector.dcgm .Values.collector.prometheus -}}
{{- if contains "/" . -}}{{- $targets = append $targets . -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- $targets | uniq | toJson -}}
{{- end -}}
