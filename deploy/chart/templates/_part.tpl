{{/*
A part: its account, Deployment, budget and autoscaler.
Call it with (dict "root" $ "part" "web" "port" 3000 "grace" 40 "env" (list …) "labels" (dict …) "token" false).
*/}}
{{- define "app-hosting.part" -}}
{{- $root := .root -}}
{{- $values := index $root.Values .part -}}
{{- $scaling := $values.autoscaling.enabled -}}
{{- $name := printf "%s-%s" (include "app-hosting.name" $root) .part -}}
{{- $labels := dict "root" $root "component" .part -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  labels: {{- include "app-hosting.labels" $labels | nindent 4 }}
automountServiceAccountToken: false
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "app-hosting.labels" $labels | nindent 4 }}
spec:
  {{- if not $scaling }}
  replicas: {{ $values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "app-hosting.selector" $labels | nindent 6 }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels:
        {{- include "app-hosting.labels" $labels | nindent 8 }}
        {{- range $label, $value := .labels }}
        {{ $label }}: {{ $value }}
        {{- end }}
      {{- with $values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ $name }}
      automountServiceAccountToken: {{ .token }}
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .grace }}
      {{- include "app-hosting.pullSecrets" $root.Values.image.pullSecrets | nindent 6 }}
      securityContext: {{- include "app-hosting.podSecurity" 10001 | nindent 8 }}
      topologySpreadConstraints: {{- include "app-hosting.spread" $labels | nindent 8 }}
      tolerations:
        {{- include "app-hosting.lostNodes" $root | nindent 8 }}
        {{- with $values.tolerations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if $root.Values.trial.enabled }}
      # The database is a part of the release, so no hook before it can prepare it.
      initContainers:
        - name: migrate
          image: {{ include "app-hosting.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [migrate]
          env: {{- include "app-hosting.environment" $root | nindent 12 }}
          securityContext: {{- include "app-hosting.containerSecurity" $root | nindent 12 }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          volumeMounts: {{- include "app-hosting.mounts" $root | nindent 12 }}
      {{- end }}
      containers:
        - name: {{ .part }}
          image: {{ include "app-hosting.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [{{ .part }}]
          env:
            {{- include "app-hosting.environment" $root | nindent 12 }}
            - { name: PLATFORM_DATABASE_CONNECTIONS, value: {{ $values.connections | quote }} }
            {{- if ne .part "worker" }}
            - { name: PLATFORM_BEHIND_PROXY, value: {{ include "app-hosting.behindProxy" (dict "root" $root "part" .part) | quote }} }
            {{- end }}
            {{- toYaml .env | nindent 12 }}
          ports:
            - { name: http, containerPort: {{ .port }} }
            {{- if eq .part "gateway" }}
            - { name: state, containerPort: 4001 }
            {{- end }}
            {{- if $root.Values.metrics.enabled }}
            - { name: metrics, containerPort: {{ $root.Values.metrics.port }} }
            {{- end }}
          # The first start of the pages takes longest, and a node may be busy.
          startupProbe: { httpGet: { path: /live, port: http }, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 60 }
          livenessProbe: { httpGet: { path: /live, port: http }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
          # It answers after 3 seconds at most, also while the database hangs. That hits all Pods alike, so a moment of it takes none out. One
          # that ends doesn't wait for its probe: Kubernetes takes it out at once.
          readinessProbe: { httpGet: { path: /ready, port: http }, periodSeconds: 3, timeoutSeconds: 5, failureThreshold: 5 }
          {{- if .preStop }}
          lifecycle: { preStop: { sleep: { seconds: {{ .preStop }} } } }
          {{- end }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "app-hosting.containerSecurity" $root | nindent 12 }}
          volumeMounts: {{- include "app-hosting.mounts" $root | nindent 12 }}
      volumes:
        - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
        - { name: data, emptyDir: { sizeLimit: {{ dig "uploads" "256Mi" $values }} } }
        {{- include "app-hosting.privateCa" $root | nindent 8 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "app-hosting.labels" $labels | nindent 4 }}
spec:
  # A single one can be evicted: a budget of 1 would block the drain of its node for good.
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "app-hosting.selector" $labels | nindent 6 }}
{{- if $scaling }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels: {{- include "app-hosting.labels" $labels | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
  minReplicas: {{ $values.replicas }}
  maxReplicas: {{ max $values.replicas $values.autoscaling.max }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ $values.autoscaling.cpuPercent }} } }
{{- end }}
{{- end -}}

{{- define "app-hosting.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- if .Values.privateCa.configMap }}
- { name: private-ca, mountPath: /etc/private-ca, readOnly: true }
{{- end }}
{{- end -}}

{{- define "app-hosting.privateCa" -}}
{{- with .Values.privateCa }}
{{- if .configMap }}
- name: private-ca
  configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: ca.crt }] }
{{- end }}
{{- end }}
{{- end -}}

{{/* The Service of a part. Call it with (dict "root" $ "part" "web" "name" "web" "ports" (list (list "http" 80 "http"))). */}}
{{- define "app-hosting.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "app-hosting.name" .root }}-{{ .name }}
  labels:
    {{- include "app-hosting.labels" (dict "root" .root "component" .part) | nindent 4 }}
    {{- if .metrics }}
    app-hosting.metrics: {{ .root.Release.Name }}
    {{- end }}
spec:
  selector: {{- include "app-hosting.selector" (dict "root" .root "component" .part) | nindent 4 }}
  ports:
    - { name: {{ .target }}, port: {{ .port }}, targetPort: {{ .target }} }
    {{- if .metrics }}
    - { name: metrics, port: {{ .root.Values.metrics.port }}, targetPort: metrics }
    {{- end }}
{{- end -}}
