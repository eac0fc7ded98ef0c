import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client, type Schemas } from '../api/client';
import { ApiFailure, fieldError } from '../api/failure';
import { useIdempotencyKey } from '../ui/use-idempotency-key';
import { FormDialog } from '../ui/form-dialog';
import { TextField } from '../ui/fields';
import { Notice } from '../ui/notice';
import { hasStoredDraft } from '../ui/schema-form/use-stored-draft';
import { texts } from '../texts';
import { FILLED_VARIABLE, listVariables } from './agent-variables';
import { draftKey } from './draft-key';
import { toE164 } from './phone-number';
import styles from './call-dialog.module.css';

interface Props {
  title: string;
  /** The agent that calls; undefined: it is not chosen or not read yet. */
  agent: Schemas['AgentDto'] | undefined;
  /** The number and the name of the person. Left out: a field asks for the number too. */
  person?: { number: string; name: string };
  onClose: () => void;
  /** The fields above the others. */
  children?: ReactNode;
}

const labels = texts.agent.test;

/** Starts a call with the agent as it is saved, and goes to its page. */
export function CallDialog({ title, agent, person, onClose, children }: Props) {
  const [, navigate] = useLocation();
  // The name of the person fills this one.
  const variables = agent ? listVariables(agent).filter((name) => name !== FILLED_VARIABLE) : [];
  const getKey = useIdempotencyKey();
  const start = useMutation({
    mutationFn: ({ agent_id, body }: { agent_id: string; body: Schemas['StartCallDto'] }) =>
      client.POST('/api/agents/{agent_id}/calls', {
        params: { path: { agent_id }, header: { 'Idempotency-Key': getKey({ agent_id, body }) } },
        body,
      }),
    onSuccess: ({ data }) => data && navigate(`/calls/${data.data.conversation_id}`),
  });
  const submit = (element: HTMLFormElement) => {
    if (!agent) return;
    const form = new FormData(element);
    const of = (name: string) => (form.get(name) as string | null) ?? '';
    const given = variables
      .map((name): [string, string] => [name, of(`variable ${name}`)])
      .filter(([, value]) => value !== '');
    start.mutate({
      agent_id: agent._id,
      body: {
        call_type: 'phonecall',
        direction: 'outbound',
        to_number: person?.number ?? toE164(of('number')),
        customer_name: of('person').trim() || undefined,
        dynamic_variables: Object.fromEntries(given),
      },
    });
  };
  const failure = start.error instanceof ApiFailure ? start.error : undefined;
  return (
    <FormDialog
      title={title}
      action={labels.start}
      change={start}
      isDisabled={!agent}
      onSubmit={submit}
      onClose={onClose}
    >
      {children}
      {agent?.status === false && <Notice kind="warn">{labels.off}</Notice>}
      {agent && hasStoredDraft(draftKey(agent._id)) && <Notice kind="warn">{labels.unsaved}</Notice>}
      {!person && (
        <TextField
          label={labels.number}
          help={labels.numberHelp}
          problem={fieldError(failure, 'to_number')}
          name="number"
          type="tel"
          autoComplete="off"
          required
          autoFocus
        />
      )}
      <TextField
        label={labels.person}
        problem={fieldError(failure, 'customer_name')}
        name="person"
        defaultValue={person?.name}
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
      <p>{labels.cost}</p>
    </FormDialog>
  );
}
