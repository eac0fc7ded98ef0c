{{- define "parley.labels" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "parley.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* Shared by the servers and the migration. */ -}}
{{- define "parley.environment" -}}
{{- range $name, $key := .Values.secret.keys }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.secret.name }}
      key: {{ $key }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ include "parley.value" $value }}
{{- end }}
{{- end }}

{{- /* Numbers of values are floats here, and large ones would be written as 1e+06. */ -}}
{{- define "parley.value" -}}
{{- if not (kindIs "float64" .) }}{{ quote . }}{{ else if eq (floor .) . }}{{ int64 . | quote }}{{ else }}{{ quote . }}{{ end }}
{{- end }}

{{- define "parley.voiceSelector" -}}
app.kubernetes.io/name: parley-voice
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Its labels are not those of a server: no service and no disruption budget of the servers selects it. */ -}}
{{- define "parley.voiceLabels" -}}
{{ include "parley.voiceSelector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "parley.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
# Otherwise each start would change the owner of every recording.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}
