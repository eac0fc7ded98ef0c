import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { client, type Schemas } from '../../api/client';
import type { ApiDocument } from '../../api/document';
import { ApiFailure, fieldError } from '../../api/failure';
import { FailureNotice } from '../../ui/failure-notice';
import { TextArea } from '../../ui/fields';
import { Notice } from '../../ui/notice';
import { type Draft, parse, toText } from '../../ui/schema-form/field-values';
import { type Field, flat, listFields } from '../../ui/schema-form/list-fields';
import { SaveBar } from '../../ui/schema-form/save-bar';
import { type FormHandle, SchemaForm } from '../../ui/schema-form/schema-form';
import type { FormWords } from '../../ui/schema-form/schema-fields';
import { toSections } from '../../ui/schema-form/sections';
import { texts } from '../../texts';
import { ServerToolsField } from './server-tools-field';

type Tool = Schemas['ToolDto'];

interface Props {
  tool: Tool;
  document: ApiDocument;
  isReadOnly: boolean;
  refresh: () => Promise<unknown>;
}

const labels = texts.tools;

const WORDS: FormWords = {
  labels: labels.labels,
  help: labels.help,
  units: labels.units,
  choices: { effect: labels.effects, mode: labels.modes },
};

const SECTIONS = [
  { id: 'basics', title: labels.sections.basics, fields: ['name', 'description', 'tools', 'parameters'] },
  {
    id: 'request',
    title: labels.sections.request,
    fields: ['url', 'method', 'headers', 'secrets', 'fixed'],
  },
  { id: 'effect', title: labels.sections.effect, fields: ['effect', 'once_by', 'idempotent', 'timeout_ms'] },
  { id: 'conversation', title: labels.sections.conversation, fields: ['mode', 'confirm', 'say'] },
  { id: 'results', title: labels.sections.results, fields: ['results'] },
];

/** The fields of the other kind, and the kind itself, which is chosen when a tool is created. */
const HIDDEN = { http: ['kind', 'tools'], mcp: ['kind', 'parameters', 'method'] };

/** The fields of JSON that have several lines, and the lines that are visible. */
const LINES = { parameters: 14, headers: 4, secrets: 3, fixed: 4, results: 4 };

/** The paths of errors name the body, and the entry of a list or an object. */
const toField = (path: string) => path.replace(/^body\./, '').split('.')[0] ?? '';

function listEntries(tool: Tool, document: ApiDocument): Field[] {
  const fields = flat(listFields(document.components.schemas.WriteToolDto ?? {}, document, {}));
  return fields
    .filter(({ path }) => !HIDDEN[tool.kind].includes(path))
    .map((field) => {
      // A list on lines could not tell all parameters from none.
      if (field.path === 'once_by')
        return { ...field, kind: 'json', schema: { ...field.schema, type: ['array', 'null'] } };
      return field.path === 'effect' ? { ...field, isNullable: tool.kind === 'mcp' } : field;
    });
}

/** The fields of a tool. All are sent, because the API replaces the whole tool. */
export function ToolEditor({ tool, document, isReadOnly, refresh }: Props) {
  const form = useRef<FormHandle>(null);
  // Secrets among the changes are a reason not to store these in the tab.
  const [draft, setDraft] = useState<Draft>({});
  const entries = useMemo(() => listEntries(tool, document), [tool, document]);
  const sections = useMemo(
    () => toSections(entries, SECTIONS, { id: 'more', title: texts.schemaForm.more, except: [] }),
    [entries],
  );
  const values: Record<string, unknown> = { ...tool, secrets: {} };
  const shownText = (field: Field) =>
    field.path in LINES ? JSON.stringify(values[field.path], null, 2) : toText(field, values[field.path]);
  const change = (path: string, text: string) => {
    const field = entries.find((other) => other.path === path);
    if (!field) return;
    setDraft(({ [path]: _, ...others }) =>
      text === shownText(field) ? others : { ...others, [path]: text },
    );
  };
  const goTo = (path: string) => form.current?.goTo(path);
  const parsed = entries
    .filter(({ path }) => path in draft)
    .map((field) => ({
      path: field.path,
      name: labels.labels[field.path] ?? field.name,
      result: parse(field, draft[field.path] ?? ''),
    }));
  const wrong = parsed.flatMap(({ path, name, result }) =>
    'problem' in result ? [{ path, name, problem: result.problem }] : [],
  );
  const save = useMutation({
    mutationFn: async (sent: Draft) => {
      const body: Record<string, unknown> = { kind: tool.kind };
      for (const { path } of entries) if (path !== 'secrets') body[path] = values[path];
      for (const { path, result } of parsed) if ('value' in result) body[path] = result.value;
      // null is the default of a field, which the API takes when the field is left out.
      for (const [path, value] of Object.entries(body)) if (value === null || value === '') delete body[path];
      await client.PUT('/api/tools/{tool_id}', {
        params: { path: { tool_id: tool.tool_id } },
        body: body as Schemas['WriteToolDto'],
      });
      await refresh();
      setDraft((now) =>
        Object.fromEntries(Object.entries(now).filter(([path, text]) => sent[path] !== text)),
      );
    },
    onError: (error) => {
      const [first] = error instanceof ApiFailure ? error.errors : [];
      if (first) goTo(toField(first.field));
    },
  });
  const refused = save.error instanceof ApiFailure ? save.error.errors : [];
  const problemOf = (path: string) =>
    wrong.find((other) => other.path === path)?.problem ??
    fieldError(save.error, path) ??
    refused.find(({ field }) => toField(field) === path)?.message;
  const submit = () => {
    const [first] = wrong;
    if (first) goTo(first.path);
    else if (parsed.length > 0 && !save.isPending) save.mutate(draft);
  };
  const own: Record<string, ReactNode> = Object.fromEntries(
    entries
      .filter(({ path }) => path in LINES)
      .map((field) => {
        const { path, schema } = field;
        const name = labels.labels[path] ?? path;
        return [
          path,
          <TextArea
            key={path}
            label={path in draft ? texts.schemaForm.changed(name) : name}
            help={
              path === 'secrets'
                ? labels.secretsHelp(tool.secrets)
                : (labels.help[path] ?? schema.description)
            }
            problem={problemOf(path)}
            name={path}
            rows={LINES[path as keyof typeof LINES]}
            spellCheck={false}
            disabled={isReadOnly}
            value={draft[path] ?? shownText(field)}
            onChange={({ target }) => change(path, target.value)}
          />,
        ];
      }),
  );
  if (tool.kind === 'mcp')
    own.tools = (
      <ServerToolsField
        tool={tool}
        text={draft.tools ?? tool.tools.join('\n')}
        problem={problemOf('tools')}
        isReadOnly={isReadOnly}
        onChange={(text) => change('tools', text)}
      />
    );
  return (
    <>
      {isReadOnly && <Notice kind="info">{labels.readOnly}</Notice>}
      <SchemaForm
        ref={form}
        name={labels.form}
        sections={sections}
        values={values}
        draft={draft}
        words={WORDS}
        wrong={[...wrong.map(({ path }) => path), ...refused.map(({ field }) => toField(field))]}
        failure={save.error}
        isReadOnly={isReadOnly}
        onChange={change}
        onSubmit={submit}
        own={own}
        bar={
          !isReadOnly && (
            <SaveBar
              names={parsed.map(({ name }) => name)}
              wrong={wrong}
              act={save}
              saved={save.isSuccess ? labels.saved : undefined}
              onDiscard={() => {
                setDraft({});
                save.reset();
              }}
              onGoTo={goTo}
            >
              {save.isError && <FailureNotice error={save.error} />}
            </SaveBar>
          )
        }
      />
    </>
  );
}
