import type { Schemas } from '../../api/client';
import { listVariables } from '../../domain/agent-variables';
import { draftKey } from '../../domain/draft-key';
import { MissingModel } from '../../domain/missing-model';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { hasStoredDraft } from '../../ui/schema-form/use-stored-draft';
import type { Way } from './session';
import styles from './talk.module.css';
import { configuredSentences } from './where-it-goes';

interface Props {
  agent: Schemas['AgentDto'];
  /** The version that the address names. */
  version: number | undefined;
  /** The conversation that is being started. */
  starting?: { way: Way; text: string };
  onStart: (way: Way, variables: Record<string, string>) => void;
}

/** The explanations and choices before a conversation. */
export function Before({ agent, version, starting, onStart }: Props) {
  const variables = listVariables(agent);
  const isChat = agent.type === 'chat';
  const isScoped = useIsScoped();
  const start = (way: Way) => (form: HTMLFormElement | null) => {
    const given = form ? Object.entries(formValues(form)) : [];
    onStart(way, Object.fromEntries(given.filter(([, value]) => value.trim() !== '')));
  };
  const renderButton = (way: Way, label: string, isPrimary: boolean) => (
    <Button
      variant={isPrimary ? 'primary' : 'plain'}
      disabled={!agent.status}
      isBusy={starting !== undefined}
      onClick={({ currentTarget }) => start(way)(currentTarget.form)}
    >
      {label}
    </Button>
  );
  const [privacy, ...services] = configuredSentences(agent);
  return (
    <Section title={isChat ? texts.talk.write : texts.talk.start}>
      <div className={styles.columns}>
        <form className={styles.before} onSubmit={(event) => event.preventDefault()}>
          {!agent.status && <Notice kind="warn">{texts.talk.off}</Notice>}
          {hasStoredDraft(draftKey(agent._id)) && <Notice kind="warn">{texts.talk.unsaved}</Notice>}
          {version !== undefined && <Notice kind="info">{texts.talk.ofVersion(version)}</Notice>}
          <p>{isChat ? texts.talk.introWritten : texts.talk.intro}</p>
          {!isScoped && <MissingModel provider={agent.llmConfig.provider || agent.aiModel.provider || ''} />}
          {variables.length > 0 && (
            <fieldset className={styles.variables}>
              <legend>{texts.talk.variables}</legend>
              <p className={styles.muted}>{texts.talk.variablesHelp}</p>
              {variables.map((name) => (
                <TextField
                  key={name}
                  label={name}
                  name={name}
                  maxLength={4_000}
                  autoComplete="off"
                  dir="auto"
                />
              ))}
            </fieldset>
          )}
          <div className={styles.controls}>
            {!isChat && renderButton('speaking', texts.talk.start, true)}
            {renderButton('writing', isChat ? texts.talk.write : texts.talk.writeInstead, isChat)}
            <p role="status">{starting?.text}</p>
          </div>
        </form>
        <div className={styles.privacy}>
          <h3>{texts.talk.privacy.title}</h3>
          <p>{privacy}</p>
          {services.length > 0 && (
            <ul>
              {services.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Section>
  );
}
