import { texts } from '../../texts';
import { ErasuresSection } from './erasures-section';
import { RetentionSection } from './retention-section';
import { SettingsFrame } from './settings-frame';

/** The retention of calls, and the removal of persons. */
export default function KeepingPage() {
  return (
    <SettingsFrame tab={texts.settings.tabs.keeping}>
      <RetentionSection />
      <ErasuresSection />
    </SettingsFrame>
  );
}
