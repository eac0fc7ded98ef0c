import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { client, type Schemas } from '../../../api/client';
import { Button, buttonClass } from '../../../ui/button';
import { Allowed } from '../../../ui/rights';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useIdempotencyKey } from '../../../ui/use-idempotency-key';
import { texts } from '../../../texts';
import { hangUpText, personNumber } from '../../../domain/phone-number';
import { useIsScoped } from '../../../session/session';
import { MakeRehearsalDialog } from './make-rehearsal-dialog';

interface Props {
  call: Schemas['CallDetailDto'];
  onChange: () => void;
}

/** The buttons that hang up a call in progress, or call the number of an ended call again. */
export function CallActions({ call, onChange }: Props) {
  const [, navigate] = useLocation();
  const getKey = useIdempotencyKey();
  const [asked, setAsked] = useState<'hang up' | 'call again' | 'rehearse'>();
  const isScoped = useIsScoped();
  const close = () => setAsked(undefined);
  const number = personNumber(call);

  const hangUp = async () => {
    await client.POST('/api/calls/{call_id}/hangup', { params: { path: { call_id: call.call_id } } });
    onChange();
  };
  const callAgain = async () => {
    const { data } = await client.POST('/api/agents/{agent_id}/calls', {
      params: { path: { agent_id: call.agent.id }, header: { 'Idempotency-Key': getKey(call.call_id) } },
      // A request leaves out the fields that are empty in the answer.
      body: {
        call_type: 'phonecall',
        direction: 'outbound',
        to_number: number,
        customer_name: call.customer_name || undefined,
        dynamic_variables: call.dynamic_variables,
        style: call.style || undefined,
        memory_id: call.memory_id || undefined,
        webhook_url: call.webhook_url || undefined,
        external_id: call.external_id || undefined,
      },
    });
    if (data) navigate(`/calls/${data.data.conversation_id}`);
  };

  return (
    <>
      {call.ended_at === null && (
        <Button needs="operate" variant="danger" onClick={() => setAsked('hang up')}>
          {texts.call.hangUp}
        </Button>
      )}
      {call.ended_at !== null && number !== '' && !call.agent.deleted && (
        <Button needs="operate" onClick={() => setAsked('call again')}>
          {texts.call.callAgain}
        </Button>
      )}
      {call.ended_at !== null && call.connected_at !== null && !call.agent.deleted && !isScoped && (
        <Button needs="administer" onClick={() => setAsked('rehearse')}>
          {texts.rehearsals.make}
        </Button>
      )}
      <Link
        className={buttonClass()}
        href={`/calls?${new URLSearchParams({ agent_id: call.agent.id, compare: call.call_id })}`}
      >
        {texts.compare.compareWith}
      </Link>
      {call.ended_at !== null && call.call_type === 'webcall' && !call.agent.deleted && (
        <Allowed to="operate">
          <Link className={buttonClass()} href={`/agents/${call.agent.id}/talk`}>
            {texts.agent.talk}
          </Link>
        </Allowed>
      )}
      {asked === 'rehearse' && <MakeRehearsalDialog call={call} onClose={close} />}
      {asked === 'hang up' && (
        <ConfirmDialog
          title={texts.call.hangUpTitle}
          text={hangUpText(call)}
          action={texts.call.hangUp}
          run={hangUp}
          onClose={close}
        />
      )}
      {asked === 'call again' && (
        <ConfirmDialog
          title={texts.call.callAgainTitle}
          text={texts.call.callAgainText(number, call.agent.name)}
          action={texts.call.callAgain}
          isDestructive={false}
          run={callAgain}
          onClose={close}
        />
      )}
    </>
  );
}
