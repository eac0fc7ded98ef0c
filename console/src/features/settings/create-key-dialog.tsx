import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { ApiFailure, fieldError } from '../../api/failure';
import { FormDialog } from '../../ui/form-dialog';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { toUtc } from '../../ui/filters/filter-query';
import { texts } from '../../texts';
import styles from './settings.module.css';

const labels = texts.settings.keys;

/** The number of agents that a key can be limited to, and that are listed. */
const MAX_AGENTS = 100;

/** The scope words that limit what a key does. */
const RIGHTS = ['operate', 'read'] as const;

interface Props {
  onMade: (key: Schemas['CreatedApiKeyDto']) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ onMade, onClose }: Props) {
  const [isScoped, setScoped] = useState(false);
  const create = useMutation({
    mutationFn: (body: Schemas['CreateApiKeyDto']) => client.POST('/api/auth/api-keys', { body }),
    onSuccess: ({ data }) => {
      if (data) onMade(data.data);
      onClose();
    },
  });
  const [isScopeMissing, setScopeMissing] = useState(false);
  const submit = (form: HTMLFormElement) => {
    const { name, expires, right } = formValues(form);
    const agents = new FormData(form).getAll('agent').filter((value) => typeof value === 'string');
    const scope = [...agents, ...(right ? [right] : [])];
    const isMissing = isScoped && agents.length === 0;
    setScopeMissing(isMissing);
    if (isMissing) return;
    create.mutate({
      name,
      ...(scope.length > 0 && { scope }),
      ...(expires && { expires: toUtc(expires) }),
    });
  };
  const failure = create.error instanceof ApiFailure ? create.error : undefined;
  return (
    <FormDialog
      title={labels.createTitle}
      action={labels.create}
      change={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={labels.name}
        help={labels.nameHelp}
        problem={fieldError(failure, 'name')}
        required
        maxLength={100}
        autoFocus
      />
      <TextField
        name="expires"
        type="datetime-local"
        label={labels.expires}
        help={labels.expiresHelp}
        problem={fieldError(failure, 'expires')}
      />
      <fieldset className={styles.scope}>
        <legend>{labels.scope}</legend>
        <label>
          <input type="radio" name="reach" checked={!isScoped} onChange={() => setScoped(false)} />
          {labels.whole}
        </label>
        <label>
          <input type="radio" name="reach" checked={isScoped} onChange={() => setScoped(true)} />
          {labels.some}
        </label>
      </fieldset>
      {isScoped && (
        <AgentChoices problem={isScopeMissing ? labels.chooseAgent : fieldError(failure, 'scope')} />
      )}
      <fieldset className={styles.scope}>
        <legend>{labels.rights}</legend>
        <label>
          <input type="radio" name="right" value="" defaultChecked />
          {labels.everything}
        </label>
        {RIGHTS.map((right) => (
          <label key={right}>
            <input type="radio" name="right" value={right} />
            {labels[right]}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

function AgentChoices({ problem }: { problem?: string }) {
  const agents = api.useQuery('get', '/api/agents', { params: { query: { limit: MAX_AGENTS } } });
  const total = agents.data?.pagination.total ?? 0;
  return (
    <fieldset className={styles.scope}>
      <legend>{labels.agents}</legend>
      <div className={styles.agents}>
        {agents.data?.data.map(({ id, name }) => (
          <label key={id}>
            <input type="checkbox" name="agent" value={`agent:${id}`} />
            {name}
          </label>
        ))}
      </div>
      {total > MAX_AGENTS && <p>{labels.moreAgents(MAX_AGENTS, total)}</p>}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}
