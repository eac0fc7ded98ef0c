import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { client, type Schemas } from '../../../api/client';
import { ApiFailure, fieldError } from '../../../api/failure';
import { useIdempotencyKey } from '../../../ui/use-idempotency-key';
import { FormDialog } from '../../../ui/form-dialog';
import { TextField } from '../../../ui/fields';
import { Notice } from '../../../ui/notice';
import { toE164 } from '../../../domain/phone-number';
import { hasStoredDraft } from '../../../ui/schema-form/use-stored-draft';
import { texts } from '../../../texts';
import { draftKey } from '../../../domain/draft-key';
import { FILLED_VARIABLE, listVariables } from '../../../domain/agent-variables';
import styles from './agent.module.css';

interface Props {
  agent: Schemas['AgentDto'];
  onClose: () => void;
}

const labels = texts.agent.test;

/** Starts a call with the agent as it is saved, and goes to its page. */
export function TestCallDialog({ agent, onClose }: Props) {
  const [, navigate] = useLocation();
  // The name of the person fills this one.
  const variables = listVariables(agent).filter((name) => name !== FILLED_VARIABLE);
  const getKey = useIdempotencyKey();
  const start = useMutation({
    mutationFn: (body: Schemas['StartCallDto']) =>
      client.POST('/api/agents/{agent_id}/calls', {
        params: { path: { agent_id: agent._id }, header: { 'Idempotency-Key': getKey(body) } },
        body,
      }),
    onSuccess: ({ data }) => data && navigate(`/calls/${data.data.conversation_id}`),
  });
  const submit = (element: HTMLFormElement) => {
    const form = new FormData(element);
    const of = (name: string) => (form.get(name) as string | null) ?? '';
    const given = variables
      .map((name): [string, string] => [name, of(`variable ${name}`)])
      .filter(([, value]) => value !== '');
    start.mutate({
      call_type: 'phonecall',
      direction: 'outbound',
      to_number: toE164(of('number')),
      customer_name: of('person').trim() || undefined,
      dynamic_variables: Object.fromEntries(given),
    });
  };
  const failure = start.error instanceof ApiFailure ? start.error : undefined;
  return (
    <FormDialog
      title={labels.title(agent.name)}
      action={labels.start}
      change={start}
      onSubmit={submit}
      onClose={onClose}
    >
      {!agent.status && <Notice kind="warn">{labels.off}</Notice>}
      {hasStoredDraft(draftKey(agent._id)) && <Notice kind="warn">{labels.unsaved}</Notice>}
      <TextField
        label={labels.number}
        help={`${labels.numberHelp} ${labels.cost}`}
        problem={fieldError(failure, 'to_number')}
        name="number"
        type="tel"
        autoComplete="off"
        required
        autoFocus
      />
      <TextField
        label={labels.person}
        problem={fieldError(failure, 'customer_name')}
        name="person"
        maxLength={200}
        autoComplete="off"
      />
      {variables.length > 0 && (
        <fieldset className={styles.variables}>
          <legend>{labels.variables}</legend>
          <p>{labels.variablesHelp}</p>
          {variables.map((name) => (
            <TextField
              key={name}
              label={name}
              problem={fieldError(failure, `dynamic_variables.${name}`)}
              name={`variable ${name}`}
              maxLength={4_000}
              autoComplete="off"
            />
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}
