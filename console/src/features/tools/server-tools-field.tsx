import { useMutation } from '@tanstack/react-query';
import { client, type Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { CheckField } from '../../ui/fields';
import { texts } from '../../texts';
import styles from './tools.module.css';

interface Props {
  tool: Schemas['ToolDto'];
  /** The names of the allowed tools, one per line. */
  text: string;
  problem?: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

const labels = texts.tools;

/** The tools of the server to tick: those that are stored, and all that it has after it was asked. */
export function ServerToolsField({ tool, text, problem, isReadOnly, onChange }: Props) {
  const discover = useMutation({
    mutationFn: async () => {
      const params = { path: { tool_id: tool.tool_id } };
      return (await client.POST('/api/tools/{tool_id}/discover', { params })).data?.data.tools ?? [];
    },
  });
  const allowed = text.split('\n').filter(Boolean);
  const shown: (Schemas['ServerToolDto'] & { changed?: boolean })[] = discover.data ?? tool.discovered;
  const gone = allowed
    .filter((name) => !shown.some((other) => other.name === name))
    .map((name) => ({ name, description: '', changed: false }));
  const toggle = (name: string, isAllowed: boolean) =>
    onChange((isAllowed ? [...allowed, name] : allowed.filter((other) => other !== name)).join('\n'));
  return (
    <div className={styles.stack} role="group" aria-label={labels.labels.tools}>
      <Button needs="administer" act={discover} onClick={() => discover.mutate()}>
        {labels.discover}
      </Button>
      {discover.isError && <FailureNotice error={discover.error} />}
      <p role="status">{discover.data && labels.discovered(discover.data.length)}</p>
      {[...shown, ...gone].map(({ name, description, changed }) => (
        <CheckField
          key={name}
          label={changed ? `${name} (${labels.changed})` : name}
          help={description}
          disabled={isReadOnly}
          checked={allowed.includes(name)}
          onChange={({ target }) => toggle(name, target.checked)}
        />
      ))}
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}
