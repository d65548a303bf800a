{{- define "compere.labels" -}}
app.kubernetes.io/name: compere
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* What every node has to know. */}}
{{- define "compere.environment" -}}
envFrom:
  - secretRef: { name: {{ .Values.secret | quote }} }
env:
  - name: COMPERE_ENGINE
    value: {{ printf "temporal://%s:%v/%s" .Values.temporal.host .Values.temporal.port .Values.temporal.namespace | quote }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}

{{- define "compere.security" -}}
runAsNonRoot: true
runAsUser: 7300
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end }}
