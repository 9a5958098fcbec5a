{{/* The environment of each part, also of the Job, which runs before anything else of a release exists. */}}
{{- define "app-hosting.environment" -}}
{{- $name := include "app-hosting.name" . -}}
{{- range $setting, $secret := dict
  "DATABASE_URL" .Values.secrets.database
  "PLATFORM_MASTER_KEYS" .Values.secrets.masterKeys
  "PLATFORM_REGISTRY_CREDENTIALS" .Values.secrets.registry
  "PLATFORM_SMTP_URL" .Values.secrets.smtp
  "PLATFORM_OIDC_CLIENT_SECRET" .Values.secrets.oidc }}
{{- $from := $secret.name }}
{{- if and $.Values.trial.enabled (not $from) (has $setting (list "DATABASE_URL" "PLATFORM_MASTER_KEYS" "PLATFORM_REGISTRY_CREDENTIALS")) }}
{{- $from = printf "%s-trial" $name }}
{{- end }}
{{- if $from }}
- name: {{ $setting }}
  valueFrom: { secretKeyRef: { name: {{ $from }}, key: {{ $secret.key }} } }
{{- end }}
{{- end }}
- { name: PLATFORM_WEB_URL, value: {{ .Values.web.url | quote }} }
- { name: PLATFORM_GATEWAY_URL, value: {{ .Values.gateway.url | quote }} }
- { name: PLATFORM_REGISTRY_URL, value: {{ .Values.registry.url | quote }} }
- { name: PLATFORM_STATE_API_CONTAINER, value: {{ include "app-hosting.stateApi" . | quote }} }
- { name: PLATFORM_RUNTIME, value: kubernetes }
{{- if .Values.metrics.enabled }}
- { name: PLATFORM_METRICS_PORT, value: {{ .Values.metrics.port | quote }} }
- { name: PLATFORM_METRICS_HOST, value: "0.0.0.0" }
{{- end }}
{{- if .Values.privateCa.configMap }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/private-ca/ca.crt }
{{- end }}
{{- range $setting, $value := .Values.settings }}
- { name: {{ $setting }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end -}}

{{/* Whether `X-Forwarded-For` of a part's requests is a proxy's: 1 or 0. Call it with (dict "root" $ "part" "web"). */}}
{{- define "app-hosting.behindProxy" -}}
{{- $proxied := .root.Values.ingress.enabled -}}
{{- range list .root.Values.behindProxy (index .root.Values .part).behindProxy -}}
{{- if not (kindIs "invalid" .) }}{{ $proxied = . }}{{ end -}}
{{- end -}}
{{- ternary "1" "0" $proxied -}}
{{- end -}}

{{/* Fails with everything that is missing at once. */}}
{{- define "app-hosting.validate" -}}
{{- $missing := list -}}
{{- $v := .Values -}}
{{- if not $v.image.repository }}{{ $missing = append $missing "image.repository: the image that deploy/Dockerfile builds, such as registry.example.com/app-hosting" }}{{ end -}}
{{- if not $v.web.url }}{{ $missing = append $missing "web.url: the origin that browsers use, such as https://apps.example.com" }}{{ end -}}
{{- if not $v.gateway.url }}{{ $missing = append $missing "gateway.url: the origin that the core and the command line use, such as https://apps-gateway.example.com" }}{{ end -}}
{{- if not $v.registry.url }}{{ $missing = append $missing "registry.url: a repository for the apps' images, such as https://registry.example.com/platform/apps" }}{{ end -}}
{{- if not (or $v.secrets.database.name $v.trial.enabled) }}{{ $missing = append $missing "secrets.database.name: a secret with DATABASE_URL" }}{{ end -}}
{{- if not (or $v.secrets.masterKeys.name $v.trial.enabled) }}{{ $missing = append $missing "secrets.masterKeys.name: a secret with PLATFORM_MASTER_KEYS" }}{{ end -}}
{{- if and $v.trial.enabled (not $v.secrets.database.name) (not $v.trial.postgresql.image) }}{{ $missing = append $missing "trial.postgresql.image: such as postgres:18" }}{{ end -}}
{{- if and $v.trial.enabled (not $v.trial.registry.image) }}{{ $missing = append $missing "trial.registry.image: such as registry:2" }}{{ end -}}
{{- if and $v.egress.guard.enabled (not $v.apps.guard) }}{{ $missing = append $missing "apps.guard: true. Apps must not start before the egress guards know them. Or egress.guard.enabled: false" }}{{ end -}}
{{- if eq $v.apps.namespace .Release.Namespace }}{{ $missing = append $missing (printf "apps.namespace: not %s, which is the platform's. Apps must not share it with the database" .Release.Namespace) }}{{ end -}}
{{- if $missing }}{{ fail (printf "\n\nSet these values:\n  %s\n\nSee docs/kubernetes.md." (join "\n  " $missing)) }}{{ end -}}
{{- end -}}
