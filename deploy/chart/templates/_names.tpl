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

{{- define "app-hosting.egressSecret" -}}
{{- .Values.secrets.egress.name | default (printf "%s-egress" (include "app-hosting.name" .)) -}}
{{- end -}}

{{/* What workers and egress guards have in common. */}}
{{- define "app-hosting.egressKey" -}}
name: PLATFORM_EGRESS_KEY
valueFrom: { secretKeyRef: { name: {{ include "app-hosting.egressSecret" . }}, key: {{ .Values.secrets.egress.key }} } }
{{- end -}}

{{/* Pods of a part are on different nodes and in different zones where there is room. Call it with what identifies them. */}}
{{- define "app-hosting.spread" -}}
{{- $labels := . -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "app-hosting.selector" $labels | nindent 6 }}
  # Else, Pods of the version before would count, and both new ones could end up on one node.
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end -}}

{{/* By default, Pods of a lost node are replaced after 5 minutes. */}}
{{- define "app-hosting.lostNodes" -}}
{{- range $state := list "not-ready" "unreachable" }}
- { key: node.kubernetes.io/{{ $state }}, operator: Exists, effect: NoExecute, tolerationSeconds: 20 }
{{- end }}
{{- end -}}
