import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client, type Schemas } from '../../api/client';
import { ApiFailure } from '../../api/failure';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { TextArea } from '../../ui/fields';
import { Notice } from '../../ui/notice';
import { DRAFT_PREFIX, useStoredDraft } from '../../ui/schema-form/use-stored-draft';
import { texts } from '../../texts';
import styles from './rehearsals.module.css';

const labels = texts.rehearsals;

/** The key of the unsaved changes of a file in the session storage. */
export const toDraftKey = (agentId: string) => `${DRAFT_PREFIX}rehearsals.${agentId}`;

const FIELD = 'file';

interface Props {
  agentId: string;
  /** The file as the server has it. */
  stored: string;
  isReadOnly: boolean;
  /** Reads what the server has now. */
  refresh: () => Promise<string>;
  onChange: () => void;
}

interface Problem {
  line: number;
  message: string;
}

/** Somebody else has changed the rehearsals. The page says so as soon as it has read them. */
class Outdated extends Error {}

/** The file of the rehearsals of an agent, which replaces all of them. Errors name the lines. */
export function RehearsalsFile({ agentId, stored, isReadOnly, refresh, onChange }: Props) {
  const queries = useQueryClient();
  const area = useRef<HTMLDivElement>(null);
  const [problems, setProblems] = useState<Problem[]>([]);
  const { draft, isOutdated, set, settle } = useStoredDraft(toDraftKey(agentId), stored);
  const text = draft[FIELD] ?? stored;
  const isChanged = text !== stored;
  const change = (next: string | undefined) => {
    set(FIELD, next === stored ? undefined : next);
    setProblems([]);
    save.reset();
    onChange();
  };
  const save = useMutation({
    mutationFn: async ({ sent, isRepeated }: { sent: string; isRepeated: boolean }) => {
      setProblems([]);
      // An attempt without an answer may have stored the file, which is no change of somebody else.
      if ((await refresh()) !== stored && !isRepeated) throw new Outdated();
      const { data } = await client.POST('/api/agents/{agent_id}/rehearsals/import', {
        params: { path: { agent_id: agentId }, query: { replace: true } },
        headers: { 'Content-Type': 'application/yaml' },
        body: sent as never,
        bodySerializer: (body: unknown) => body as string,
      });
      settle({ [FIELD]: sent }, await refresh());
      await queries.invalidateQueries({ queryKey: ['get', '/api/agents/{agent_id}/rehearsals'] });
      return data?.data;
    },
    onError: async (error, { sent }) => setProblems(await listProblems(error, sent)),
  });
  const submit = () => {
    const isRepeated = save.error instanceof ApiFailure && save.error.isSilent;
    if (isChanged) save.mutate({ sent: text, isRepeated });
  };
  const goTo = (line: number) => {
    const field = area.current?.querySelector('textarea');
    if (!field) return;
    const lines = text.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    field.focus();
    field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    // The browser does not scroll to a selection.
    field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 5);
  };
  return (
    <div className={styles.file} ref={area}>
      <TextArea
        label={labels.yaml}
        help={labels.fileHelp}
        problem={problems.length > 0 ? labels.problems : undefined}
        rows={Math.min(30, Math.max(8, text.split('\n').length + 1))}
        spellCheck={false}
        dir="ltr"
        wrap="off"
        readOnly={isReadOnly}
        value={text}
        onChange={({ target }) => change(target.value)}
      />
      <div role="alert">
        {problems.length > 0 && (
          <ul aria-label={labels.problems} className={styles.problems}>
            {problems.map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                <Button onClick={() => goTo(line)}>{labels.line(line)}</Button>
                {message}
              </li>
            ))}
          </ul>
        )}
        {isOutdated && (
          <Notice kind="warn">
            <p>{labels.outdated}</p>
            <Button onClick={() => change(undefined)}>{labels.discard}</Button>
          </Notice>
        )}
      </div>
      {problems.length === 0 && save.error && !(save.error instanceof Outdated) && (
        <FailureNotice error={save.error} />
      )}
      {!isReadOnly && (
        <div className={styles.acts}>
          <Button variant="primary" act={save} onClick={submit}>
            {labels.save}
          </Button>
          {/^rehearsals: \[\]$/m.test(text) && (
            <Button onClick={() => change(text.replace(/^rehearsals: \[\]$/m, labels.example))}>
              {labels.insert}
            </Button>
          )}
        </div>
      )}
      <div role="status">{save.data && !isChanged && <Saved counts={save.data} />}</div>
    </div>
  );
}

const Saved = ({ counts }: { counts: Schemas['ImportedRehearsalsDto'] }) => (
  <Notice kind="good">{labels.saved(counts.created, counts.updated, counts.deleted)}</Notice>
);

/** The errors of a file that the server has refused, with their lines. */
async function listProblems(error: Error, text: string): Promise<Problem[]> {
  if (!(error instanceof ApiFailure)) return [];
  const [, line, reason] = /^Line (\d+): (.*)$/s.exec(error.details ?? '') ?? [];
  if (error.code === 'MALFORMED_YAML' && line) return [{ line: Number(line), message: reason ?? '' }];
  if (error.errors.length === 0) return [];
  // Most visits need none.
  const { findLine } = await import('./find-line');
  return error.errors.map(({ field, message }) => ({
    line: findLine(text, field.replace(/^body\.?/, '')),
    message,
  }));
}
