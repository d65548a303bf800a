{{- define "compere.labels" -}}
app.kubernetes.io/name: compere
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* A value as it was written: numbers of values.yaml are floats here, and large ones would become 1e+06. */}}
{{- define "compere.value" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* What every node has to know. */}}
{{- define "compere.environment" -}}
envFrom:
  - secretRef: { name: {{ .Values.secret | quote }} }
env:
  # A folder of its own in the volume, which belongs to root and is open to all of the pod.
  - name: COMPERE_DATA
    value: /var/lib/compere/data
  - name: COMPERE_ENGINE
    value: {{ printf "temporal://%s:%v/%s" .Values.temporal.host .Values.temporal.port .Values.temporal.namespace | quote }}
  {{- range $name, $value := .Values.settings }}
  {{- if has $name (list "COMPERE_DATA" "COMPERE_ENGINE") }}
  {{- fail (printf "settings: %s is the chart's own; see temporal for the engine" $name) }}
  {{- end }}
  - name: {{ $name }}
    value: {{ include "compere.value" $value | quote }}
  {{- end }}
{{- end }}

{{- define "compere.security" -}}
runAsNonRoot: true
runAsUser: 7300
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end }}
