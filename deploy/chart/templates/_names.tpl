{{- define "app-hosting.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* What identifies a part's Pods; never changes. Call it with (dict "root" $ "component" "web"). */}}
{{- define "app-hosting.selector" -}}
app.kubernetes.io/name: app-hosting
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "app-hosting.labels" -}}
{{ include "app-hosting.selector" . }}
app.kubernetes.io/part-of: app-hosting
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- define "app-hosting.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "app-hosting.pullSecrets" -}}
{{- with . }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "app-hosting.stateApi" -}}
http://{{ include "app-hosting.name" . }}-state.{{ .Release.Namespace }}.svc:4001
{{- end -}}

{{/* The Pod Security profile `restricted`, for the Pod and for its containers. */}}
{{- define "app-hosting.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "app-hosting.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Pods of all namespaces except the apps'. */}}
{{- define "app-hosting.notApps" -}}
- namespaceSelector:
    matchExpressions:
      - key: kubernetes.io/metadata.name
        operator: NotIn
        values: [{{ .Values.apps.namespace }}]
{{- end -}}
