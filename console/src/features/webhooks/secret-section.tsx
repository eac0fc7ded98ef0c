import { useState } from 'react';
import { api, client } from '../../api/client';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Facts } from '../../ui/facts';
import { SelectField } from '../../ui/fields';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { SecretField } from '../../ui/secret-field';
import { SecretNotice } from '../../ui/secret-notice';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import styles from './webhooks.module.css';

const labels = texts.webhooks;

const OVERLAPS = Object.entries(labels.overlaps).map(([value, label]) => ({ value, label }));

/** The signing secret, which is read on a click only. A new secret is shown once. */
export function SecretSection() {
  const [isShown, setShown] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [overlap, setOverlap] = useState('24');
  const [made, setMade] = useState<string>();
  const rotate = async () => {
    const { data } = await client.POST('/api/webhooks/secret/rotate', {
      body: { overlap_hours: Number(overlap) },
    });
    setShown(false);
    setMade(data?.data.secret);
  };
  return (
    <Section
      title={labels.secret}
      actions={
        <>
          <Button needs="administer" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? labels.hideSecret : labels.showSecret}
          </Button>
          <Button needs="administer" variant="danger" onClick={() => setAsked(true)}>
            {labels.rotate}
          </Button>
        </>
      }
    >
      <p className={styles.muted}>{labels.secretText}</p>
      {made && !isAsked && (
        <SecretNotice
          key={made}
          title={labels.rotated}
          label={labels.newSecret}
          secret={made}
          onDismiss={() => setMade(undefined)}
        />
      )}
      {isShown && <CurrentSecret />}
      {isAsked && (
        <ConfirmDialog
          title={labels.rotateTitle}
          text={labels.rotateText}
          action={labels.rotate}
          run={rotate}
          onClose={() => setAsked(false)}
        >
          <SelectField
            label={labels.overlap}
            choices={OVERLAPS}
            value={overlap}
            onChange={({ target }) => setOverlap(target.value)}
          />
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** The page keeps the secret only while it shows it. */
function CurrentSecret() {
  const secret = api.useQuery('get', '/api/webhooks/secret', {}, { gcTime: 0, staleTime: 0 });
  return (
    <Loaded query={secret}>
      {({ data }) => (
        <Facts
          facts={[
            {
              name: labels.currentSecret,
              value: <SecretField label={labels.currentSecret} secret={data.secret} />,
            },
            {
              name: labels.previousUntil,
              value: data.previous_expires_at && <TimeText at={data.previous_expires_at} />,
            },
          ]}
        />
      )}
    </Loaded>
  );
}
