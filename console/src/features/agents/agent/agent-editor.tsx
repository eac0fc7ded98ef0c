import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { client, type Schemas } from '../../../api/client';
import { ApiFailure } from '../../../api/failure';
import type { ApiDocument } from '../../../api/document';
import { FailureNotice } from '../../../ui/failure-notice';
import { Notice } from '../../../ui/notice';
import { type Draft, parse, put, toText } from '../../../ui/schema-form/field-values';
import { listFields, flat, valueAt } from '../../../ui/schema-form/list-fields';
import { toLabel } from '../../../ui/schema-form/labels';
import { SaveBar } from '../../../ui/schema-form/save-bar';
import { SchemaForm } from '../../../ui/schema-form/schema-form';
import { toSections } from '../../../ui/schema-form/sections';
import { useStoredDraft } from '../../../ui/schema-form/use-stored-draft';
import { texts } from '../../../texts';
import { draftKey } from '../../../domain/draft-key';
import { KnowledgeField } from './knowledge-field';
import { SECTIONS, SHOWN_ELSEWHERE } from './sections';

interface Props {
  agent: Schemas['AgentDto'];
  document: ApiDocument;
  isReadOnly: boolean;
  refresh: () => Promise<unknown>;
}

/** Every field of the agent. Only what was changed is sent, so that two people can edit different fields. */
export function AgentEditor({ agent, document, isReadOnly, refresh }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const entries = useMemo(
    () => listFields(document.components.schemas.UpdateAgentDto ?? {}, document, agent),
    [document, agent],
  );
  const fields = useMemo(() => new Map(flat(entries).map((field) => [field.path, field])), [entries]);
  const sections = useMemo(
    () => toSections(entries, SECTIONS, { title: texts.schemaForm.more, except: SHOWN_ELSEWHERE }),
    [entries],
  );
  const stored = useStoredDraft(draftKey(agent._id), agent.updatedAt);
  const { draft, set } = stored;
  const change = useCallback(
    (path: string, text: string) => {
      const field = fields.get(path);
      if (field) set(path, text === toText(field, valueAt(agent, path)) ? undefined : text);
    },
    [fields, agent, set],
  );
  const parsed = Object.entries(draft).flatMap(([path, text]) => {
    const field = fields.get(path);
    return field ? [{ path, result: parse(field, text) }] : [];
  });
  const wrong = parsed.filter(({ result }) => 'problem' in result);
  // The focus waits for the error messages, which move the fields.
  const focusField = (path: string) =>
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(path)}"]`)?.focus(),
    );

  const save = useMutation({
    mutationFn: async (sent: Draft) => {
      const body: Record<string, unknown> = { type: agent.type };
      for (const { path, result } of parsed) if ('value' in result) put(body, path, result.value);
      const { data } = await client.PUT('/api/agents/{agent_id}', {
        params: { path: { agent_id: agent._id } },
        body: body as Schemas['UpdateAgentDto'],
      });
      await refresh();
      stored.settle(sent, data?.data.updatedAt ?? agent.updatedAt);
    },
    onError: (error) => {
      const [first] = error instanceof ApiFailure ? error.errors : [];
      if (first) focusField(first.field.replace(/^body\./, '').replace(/\.\d+$/, ''));
    },
  });
  const submit = () => {
    const [first] = wrong;
    if (first) focusField(first.path);
    else if (parsed.length > 0 && !save.isPending) save.mutate(draft);
  };
  const discard = () => {
    for (const path of Object.keys(draft)) set(path, undefined);
    save.reset();
    requestAnimationFrame(() => form.current?.focus({ preventScroll: true }));
  };
  return (
    <>
      {isReadOnly && <Notice kind="info">{texts.agent.readOnly}</Notice>}
      {stored.isRestored && <Notice kind="info">{texts.schemaForm.restored}</Notice>}
      {stored.isOutdated && <Notice kind="warn">{texts.schemaForm.outdated}</Notice>}
      <SchemaForm
        ref={form}
        name={texts.agent.form}
        sections={sections}
        values={agent}
        draft={draft}
        labels={texts.agent.labels}
        help={texts.agent.help}
        failure={save.error}
        isReadOnly={isReadOnly}
        onChange={change}
        onSubmit={submit}
        own={{
          knowledgeBases: (
            <KnowledgeField
              agentId={agent._id}
              text={draft.knowledgeBases ?? agent.knowledgeBases.join('\n')}
              isReadOnly={isReadOnly}
              onChange={(text) => change('knowledgeBases', text)}
            />
          ),
        }}
        bar={
          !isReadOnly && (
            <SaveBar
              names={parsed.map(
                ({ path }) => texts.agent.labels[path] ?? toLabel(path.split('.').pop() ?? ''),
              )}
              wrong={wrong.length}
              act={save}
              saved={save.isSuccess ? texts.agent.savedVersion(agent.deployment.version ?? 1) : undefined}
              onDiscard={discard}
            >
              {save.isError && <FailureNotice error={save.error} />}
            </SaveBar>
          )
        }
      />
    </>
  );
}
