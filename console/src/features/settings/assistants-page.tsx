import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client';
import { ApiFailure, fieldError } from '../../api/failure';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { FailureNotice } from '../../ui/failure-notice';
import { TextField } from '../../ui/fields';
import { Section } from '../../ui/page';
import { SecretNotice } from '../../ui/secret-notice';
import { texts } from '../../texts';
import { SettingsFrame } from './settings-frame';
import styles from './settings.module.css';

const labels = texts.settings.assistants;

type MadeKey = Schemas['CreatedApiKeyDto'];

/** An assistant that goes wrong calls no more people than this before a person looks. */
const DEFAULT_CALLS_PER_DAY = '20';

/** The address of the tools, as this browser reaches the server. */
const getAddress = () => new URL('/mcp', window.location.origin).href;

/** The form that most assistants read from a file. */
const toServerList = (key: string) =>
  JSON.stringify(
    { mcpServers: { parley: { type: 'http', url: getAddress(), headers: { 'X-API-Key': key } } } },
    null,
    2,
  );

/** The page that helps to connect an assistant to the tools of the server, with a key that is made for it. */
export default function AssistantsPage() {
  const [made, setMade] = useState<MadeKey>();
  return (
    <SettingsFrame tab={texts.settings.tabs.assistants}>
      <p className={styles.muted}>{labels.intro}</p>
      <KeySection made={made} onMade={setMade} />
      <AddressSection apiKey={made?.apiKey ?? labels.placeholder} />
    </SettingsFrame>
  );
}

interface KeySectionProps {
  made: MadeKey | undefined;
  onMade: (key: MadeKey | undefined) => void;
}

function KeySection({ made, onMade }: KeySectionProps) {
  const [mayAct, setMayAct] = useState(false);
  const [callsPerDay, setCallsPerDay] = useState(DEFAULT_CALLS_PER_DAY);
  const create = useMutation({
    mutationFn: () =>
      client.POST('/api/auth/api-keys', {
        body: {
          name: labels.keyName,
          ...(mayAct ? { scope: ['mcp:act'], callsPerDay: Number(callsPerDay) } : { scope: ['read'] }),
        },
      }),
    onSuccess: ({ data }) => onMade(data?.data),
  });
  const failure = create.error instanceof ApiFailure ? create.error : undefined;
  return (
    <Section title={labels.keyTitle}>
      <fieldset className={styles.scope}>
        <legend>{labels.may}</legend>
        <label>
          <input type="radio" name="may" checked={!mayAct} onChange={() => setMayAct(false)} />
          {labels.read}
        </label>
        <label>
          <input type="radio" name="may" checked={mayAct} onChange={() => setMayAct(true)} />
          {labels.act}
        </label>
      </fieldset>
      <p className={styles.muted}>{mayAct ? labels.actText : labels.readText}</p>
      {mayAct && (
        <TextField
          type="number"
          min={1}
          label={labels.callsPerDay}
          help={labels.callsPerDayHelp}
          unit={labels.callsPerDayUnit}
          problem={fieldError(failure, 'callsPerDay')}
          value={callsPerDay}
          onChange={({ target }) => setCallsPerDay(target.value)}
        />
      )}
      <Button
        needs="administer"
        variant="primary"
        disabled={create.isPending}
        onClick={() => create.mutate()}
      >
        {labels.create}
      </Button>
      {create.error && <FailureNotice error={create.error} />}
      {made && (
        <SecretNotice
          key={made.keyId}
          title={labels.made}
          label={labels.key}
          secret={made.apiKey}
          onDismiss={() => onMade(undefined)}
        />
      )}
    </Section>
  );
}

function AddressSection({ apiKey }: { apiKey: string }) {
  const list = toServerList(apiKey);
  const command = labels.command(getAddress(), apiKey);
  return (
    <Section title={labels.connectTitle}>
      <p>
        {labels.address} <code>{getAddress()}</code>
      </p>
      <p className={styles.muted}>{labels.addressText}</p>
      <h3>{labels.fileTitle}</h3>
      <p className={styles.muted}>{labels.fileText}</p>
      <textarea
        id="assistant-file"
        aria-label={labels.fileTitle}
        readOnly
        rows={list.split('\n').length}
        value={list}
        className={styles.configuration}
      />
      <CopyButton text={list} fieldId="assistant-file" />
      <h3>{labels.commandTitle}</h3>
      <textarea
        id="assistant-command"
        aria-label={labels.commandTitle}
        readOnly
        rows={2}
        value={command}
        className={styles.configuration}
      />
      <CopyButton text={command} fieldId="assistant-command" />
    </Section>
  );
}
