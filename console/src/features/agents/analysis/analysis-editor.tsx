import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { client } from '../../../api/client';
import type { ApiDocument } from '../../../api/document';
import { ApiFailure } from '../../../api/failure';
import { Button } from '../../../ui/button';
import { FailureNotice } from '../../../ui/failure-notice';
import { Notice } from '../../../ui/notice';
import { FieldLink } from '../../../ui/schema-form/field-link';
import { SaveBar } from '../../../ui/schema-form/save-bar';
import { type FormHandle, SchemaForm } from '../../../ui/schema-form/schema-form';
import { texts } from '../../../texts';
import { toForm, toName } from './analysis-form';
import {
  type Analysis,
  changeText,
  createItem,
  type Item,
  type Items,
  listControls,
  type Part,
  PARTS,
  toAnalysis,
  toItems,
  toStored,
} from './analysis-items';

interface Props {
  agentId: string;
  analysis: Analysis;
  document: ApiDocument;
  isReadOnly: boolean;
  refresh: () => Promise<unknown>;
}

const labels = texts.analysis;

/** The path of a field in an error of the API, which names the body and the entry of a list. */
const toPath = (field: string) => field.replace(/^body\./, '').replace(/(\.enum)\.\d+$/, '$1');

/** The fields and criteria of an agent's calls. All are sent, because the API replaces the whole analysis. */
export function AnalysisEditor({ agentId, analysis, document, isReadOnly, refresh }: Props) {
  const form = useRef<FormHandle>(null);
  const controls = useMemo(() => listControls(document), [document]);
  const [saved, setSaved] = useState(() => toItems(analysis));
  const [items, setItems] = useState(saved);
  const { sections, words, names, draft, changed, wrong } = toForm(items, saved, controls);
  const goTo = (path: string) => form.current?.goTo(path);
  const save = useMutation({
    mutationFn: async (sent: Items) => {
      const stored = toStored(sent, controls);
      await client.PUT('/api/agents/{agent_id}/analysis', {
        params: { path: { agent_id: agentId } },
        body: toAnalysis(stored),
      });
      setSaved(stored);
      // A change that was made meanwhile stays one.
      setItems((now) => (now === sent ? stored : now));
      await refresh();
    },
    onError: (error) => {
      const [first] = error instanceof ApiFailure ? error.errors : [];
      if (first) goTo(toPath(first.field));
    },
  });
  const update = (part: Part, change: (before: Item[]) => Item[]) =>
    setItems((before) => ({ ...before, [part]: change(before[part]) }));
  const focusForm = () => requestAnimationFrame(() => form.current?.focus());
  const add = (part: Part) => {
    update(part, (before) => [...before, createItem(part)]);
    requestAnimationFrame(() => goTo(`${part}.${items[part].length}.name`));
  };
  const remove = (part: Part, { key }: Item) => {
    // The errors name the items by their places, which change.
    save.reset();
    update(part, (before) => before.filter((item) => item.key !== key));
    focusForm();
  };
  const change = (path: string, text: string) => {
    const [part, place, name] = path.split('.') as [Part, string, string];
    const field = controls[part].find((control) => control.name === name);
    update(part, (before) =>
      before.map((item, index) => (field && index === Number(place) ? changeText(item, field, text) : item)),
    );
  };
  const submit = () => {
    const [first] = wrong;
    if (first) goTo(first.path);
    else if (changed.length > 0 && !save.isPending) save.mutate(items);
  };
  const refused = save.error instanceof ApiFailure ? save.error.errors : [];
  const own: Record<string, ReactNode> = {};
  for (const part of PARTS) {
    own[`${part}.add`] = (
      <>
        <p>{labels.intro[part]}</p>
        {isReadOnly && items[part].length === 0 && <p>{labels.none}</p>}
        {!isReadOnly && <Button onClick={() => add(part)}>{labels.add[part]}</Button>}
      </>
    );
    items[part].forEach((item, place) => {
      own[`${part}.${place}.remove`] = !isReadOnly && (
        <Button onClick={() => remove(part, item)}>{labels.remove(toName(item, part, place))}</Button>
      );
    });
  }
  return (
    <>
      {isReadOnly && <Notice kind="info">{labels.readOnly}</Notice>}
      <SchemaForm
        ref={form}
        name={labels.form}
        sections={sections}
        values={toAnalysis(items)}
        draft={draft}
        words={words}
        wrong={[...wrong.map(({ path }) => path), ...refused.map(({ field }) => toPath(field))]}
        failure={save.error}
        isReadOnly={isReadOnly}
        onChange={change}
        onSubmit={submit}
        own={own}
        bar={
          !isReadOnly && (
            <SaveBar
              names={changed}
              wrong={wrong}
              act={save}
              saved={save.isSuccess ? labels.saved : undefined}
              onDiscard={() => {
                setItems(saved);
                save.reset();
                focusForm();
              }}
              onGoTo={goTo}
            >
              {save.isError && (
                <FailureNotice
                  error={save.error}
                  nameField={(field) => {
                    const path = toPath(field);
                    const name = names[path];
                    return name && <FieldLink path={path} name={name} onGoTo={goTo} />;
                  }}
                />
              )}
            </SaveBar>
          )
        }
      />
    </>
  );
}
