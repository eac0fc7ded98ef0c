import { Link } from 'wouter';
import { api } from '../../../api/client';
import { useIsScoped } from '../../../session/session';
import { FailureNotice } from '../../../ui/failure-notice';
import { CheckField, TextArea } from '../../../ui/fields';
import { texts } from '../../../texts';
import styles from './agent.module.css';

interface Props {
  /** The actions, one per line: names of tools, and others. */
  text: string;
  isChanged: boolean;
  problem?: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

const labels = texts.tools.ofAgent;

/** The tools of the workspace to tick, and the actions of the agent that are none. */
export function ToolsField({ text, isChanged, problem, isReadOnly, onChange }: Props) {
  const isScoped = useIsScoped();
  const found = api.useQuery(
    'get',
    '/api/tools',
    { params: { query: { limit: 100 } } },
    // A credential with scopes may not list them.
    { enabled: !isScoped },
  );
  const lines = text.split('\n').map((line) => line.trim());
  const tools = found.data?.data ?? [];
  const names = new Set(tools.map(({ name }) => name));
  const ticked = lines.filter((line) => names.has(line));
  const others = text
    .split('\n')
    .filter((line) => !names.has(line.trim()))
    .join('\n');
  const write = (chosen: string[], rest: string) =>
    onChange([...chosen, ...(rest === '' ? [] : [rest])].join('\n'));
  return (
    <div className={styles.knowledge}>
      {found.isError && <FailureNotice error={found.error} retry={() => void found.refetch()} />}
      <div role="group" aria-label={labels.label}>
        {tools.map(({ tool_id, name, description }) => (
          <CheckField
            key={tool_id}
            label={name}
            help={description}
            disabled={isReadOnly}
            checked={ticked.includes(name)}
            onChange={({ target }) =>
              write(target.checked ? [...ticked, name] : ticked.filter((other) => other !== name), others)
            }
          />
        ))}
      </div>
      {found.data?.pagination.hasNextPage && <p className={styles.muted}>{labels.more}</p>}
      {!isScoped && (
        <p className={styles.muted}>
          {tools.length === 0 && found.isSuccess && labels.none} <Link href="/tools">{labels.open}</Link>
        </p>
      )}
      <TextArea
        label={isChanged ? texts.schemaForm.changed(labels.other) : labels.other}
        help={texts.schemaForm.oneALine}
        problem={problem}
        name="actions"
        rows={2}
        disabled={isReadOnly}
        value={others}
        onChange={({ target }) => write(ticked, target.value)}
      />
    </div>
  );
}
