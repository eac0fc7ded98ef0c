import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { client, type Schemas } from '../../../api/client';
import { ApiFailure, fieldError } from '../../../api/failure';
import type { ApiDocument } from '../../../api/document';
import { FailureNotice } from '../../../ui/failure-notice';
import { Notice } from '../../../ui/notice';
import { type Draft, parse, put, toText } from '../../../ui/schema-form/field-values';
import { listFields, flat, valueAt } from '../../../ui/schema-form/list-fields';
import { FieldLink } from '../../../ui/schema-form/field-link';
import { SaveBar } from '../../../ui/schema-form/save-bar';
import { getName } from '../../../ui/schema-form/schema-fields';
import { type FormHandle, SchemaForm } from '../../../ui/schema-form/schema-form';
import { toSections } from '../../../ui/schema-form/sections';
import { useStoredDraft } from '../../../ui/schema-form/use-stored-draft';
import { texts } from '../../../texts';
import { draftKey } from '../../../domain/draft-key';
import { FILLED_VARIABLE, TIME_VARIABLES, usedVariables } from '../../../domain/agent-variables';
import { KnowledgeField } from './knowledge-field';
import { PromptField } from './prompt-field';
import { SECTIONS, SHOWN_ELSEWHERE, SHOWN_ONLY } from './sections';
import { suggest } from './suggestions';
import { TalkBeside } from './talk-beside';
import { ToolsField } from './tools-field';
import { TryOnCalls } from './try-on-calls';
import { Undeclared } from './undeclared';

interface Props {
  agent: Schemas['AgentDto'];
  document: ApiDocument;
  /** Whether calls do not use the newest version. */
  isUnpublished: boolean;
  isReadOnly: boolean;
  /** Reads the agent again. @returns its newest version */
  refresh: () => Promise<number | undefined>;
}

/** The path of a field in an error of the API, which names the body and the entry of a list. */
const toPath = (field: string) => field.replace(/^body\./, '').replace(/\.\d+$/, '');

const refusedPaths = (error: unknown) =>
  error instanceof ApiFailure ? error.errors.map(({ field }) => toPath(field)) : [];

/** Every field of the agent. Only what was changed is sent, so that two people can edit different fields. */
export function AgentEditor({ agent, document, isUnpublished, isReadOnly, refresh }: Props) {
  const form = useRef<FormHandle>(null);
  const entries = useMemo(
    () => listFields(document.components.schemas.UpdateAgentDto ?? {}, document, agent, SHOWN_ONLY),
    [document, agent],
  );
  const fields = useMemo(() => new Map(flat(entries).map((field) => [field.path, field])), [entries]);
  const sections = useMemo(
    () =>
      toSections(entries, SECTIONS, {
        id: 'more',
        title: texts.schemaForm.more,
        isAdvanced: true,
        except: SHOWN_ELSEWHERE,
      }),
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
    return field ? [{ path, name: getName(field, texts.agentForm), result: parse(field, text) }] : [];
  });
  const wrong = parsed.flatMap(({ path, name, result }) =>
    'problem' in result ? [{ path, name, problem: result.problem }] : [],
  );
  const version = agent.deployment.version ?? 1;
  const goTo = (path: string) => form.current?.goTo(path);

  const getText = (path: 'greeting' | 'prompt' | 'localisedPrompt') => draft[path] ?? agent[path];
  const declaredText = draft.dynamic_variables ?? agent.dynamic_variables.join('\n');
  const declared = declaredText
    .split('\n')
    .map((name) => name.trim())
    .filter(Boolean);
  const known = [...new Set([FILLED_VARIABLE, ...TIME_VARIABLES, ...declared])];
  const undeclared = usedVariables(getText('greeting'), getText('prompt'), getText('localisedPrompt')).filter(
    (name) => !known.includes(name),
  );
  const declare = () => {
    change('dynamic_variables', [...declared, ...undeclared].join('\n'));
    // The button is removed, which would lose the focus.
    goTo('dynamic_variables');
  };

  const save = useMutation({
    mutationFn: async (sent: Draft) => {
      const body: Record<string, unknown> = { type: agent.type };
      for (const { path, result } of parsed) if ('value' in result) put(body, path, result.value);
      const { data } = await client.PUT('/api/agents/{agent_id}', {
        params: { path: { agent_id: agent._id } },
        body: body as Schemas['UpdateAgentDto'],
      });
      const saved = await refresh();
      stored.settle(sent, data?.data.updatedAt ?? agent.updatedAt);
      return saved ?? version;
    },
    onError: (error) => {
      const [first] = refusedPaths(error);
      if (first) goTo(first);
    },
  });
  const submit = (then?: (saved: number) => void) => {
    const [first] = wrong;
    if (first) goTo(first.path);
    else if (parsed.length > 0 && !save.isPending) save.mutate(draft, { onSuccess: then });
  };
  const discard = () => {
    for (const path of Object.keys(draft)) set(path, undefined);
    save.reset();
    requestAnimationFrame(() => form.current?.focus());
  };
  const renderPrompt = (path: 'prompt' | 'localisedPrompt', { children }: { children?: ReactNode } = {}) => {
    const field = fields.get(path);
    if (!field) return undefined;
    const name = getName(field, texts.agentForm);
    return (
      <PromptField
        label={path in draft ? texts.schemaForm.changed(name) : name}
        help={texts.agentForm.help[path]}
        text={getText(path)}
        problem={wrong.find((other) => other.path === path)?.problem ?? fieldError(save.error, path)}
        maxLength={field.schema.maxLength ?? 0}
        variables={known}
        isReadOnly={isReadOnly}
        onChange={(text) => change(path, text)}
      >
        {children}
      </PromptField>
    );
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
        words={texts.agentForm}
        wrong={[...wrong.map(({ path }) => path), ...refusedPaths(save.error)]}
        failure={save.error}
        isReadOnly={isReadOnly}
        suggest={(path) => suggest(path, (other) => draft[other] ?? String(valueAt(agent, other)))}
        onChange={change}
        onSubmit={() => submit()}
        own={{
          prompt: renderPrompt('prompt', {
            children: (
              <TalkBeside
                agentId={agent._id}
                version={version}
                isUnpublished={isUnpublished}
                hasChanges={parsed.length > 0}
                isSaving={save.isPending}
                onSave={submit}
              />
            ),
          }),
          localisedPrompt: renderPrompt('localisedPrompt'),
          actions: (
            <ToolsField
              text={draft.actions ?? agent.actions.join('\n')}
              isChanged={'actions' in draft}
              problem={
                wrong.find(({ path }) => path === 'actions')?.problem ?? fieldError(save.error, 'actions')
              }
              isReadOnly={isReadOnly}
              onChange={(text) => change('actions', text)}
            />
          ),
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
              names={parsed.map(({ name }) => name)}
              wrong={wrong}
              act={save}
              saved={
                save.isSuccess
                  ? (isUnpublished ? texts.agent.savedUnpublished : texts.agent.savedVersion)(version)
                  : undefined
              }
              onDiscard={discard}
              onGoTo={goTo}
            >
              {parsed.length > 0 && undeclared.length > 0 && (
                <Undeclared names={undeclared} onDeclare={declare} />
              )}
              {save.isError && (
                <FailureNotice
                  error={save.error}
                  nameField={(name) => {
                    const field = fields.get(toPath(name));
                    return (
                      field && (
                        <FieldLink path={field.path} name={getName(field, texts.agentForm)} onGoTo={goTo} />
                      )
                    );
                  }}
                />
              )}
            </SaveBar>
          )
        }
      />
      {!isReadOnly && <TryOnCalls agentId={agent._id} prompt={getText('prompt')} />}
    </>
  );
}
